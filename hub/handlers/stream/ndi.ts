// Handler that lists the NDI sources in the network.
import { listNdiSources, type NdiSource } from '../../../contract/stream/ndi.ts'
import { formatNdiUrl, ndiUrl } from '../../../contract/stream/ndi-url.ts'
import { DIR_INPUT, NDI, NDI_DISCOVERED } from '../../../contract/stream/protocols.ts'
import type { HubContext } from '../../context.ts'
import { type Handler, handle } from '../../http/handler.ts'
import { compareText, paginate } from '../list.ts'
import { describeRuntime } from '../ndi/runtime.ts'

const serialize = ([name, addr]: readonly [string, string]): NdiSource => ({
  name,
  addr,
  dir: DIR_INPUT,
  type: NDI_DISCOVERED,
  protocol: NDI,
  config: { type: 1, url: formatNdiUrl({ name }) }
})

export function ndiHandlers({ engine }: HubContext): Handler[] {
  return [
    handle(listNdiSources, async ({ language }, request) => {
      const { sources, ...runtime } = await engine.findNdiSources()
      const key = request.key?.toLowerCase() ?? ''
      const matching = [...sources]
        .map(serialize)
        // Sources whose URL is not valid for an input are left out.
        .filter(({ name, config }) => name.toLowerCase().includes(key) && ndiUrl(config.url) === undefined)
        .sort((a, b) => compareText(a.name, b.name))
      return {
        ...paginate(matching, request),
        runtime: describeRuntime(language, runtime)
      }
    })
  ]
}
