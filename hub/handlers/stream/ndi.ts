import { type FoundSource, listNdiSources } from '../../../contract/stream/ndi.ts'
import { formatNdiUrl, ndiUrl } from '../../../contract/stream/ndi-url.ts'
import { DIR_INPUT, NDI, NDI_FOUND } from '../../../contract/stream/protocols.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer } from '../../http/handler.ts'
import { nextStep } from '../../messages/next-steps.ts'
import { reasonText } from '../../messages/reasons.ts'
import { byText, pageOf } from '../list.ts'

const wire = ([name, addr]: readonly [string, string]): FoundSource => ({
  ...{ name, addr, dir: DIR_INPUT, type: NDI_FOUND, protocol: NDI },
  config: { type: 1, url: formatNdiUrl({ name }) }
})

export function ndiAnswers({ engine }: Hub): Answer[] {
  return [
    answer(listNdiSources, async ({ language }, request) => {
      const { sources, version, why } = await engine.findNdi()
      const key = request.key?.toLowerCase() ?? ''
      const found = [...sources]
        .map(wire)
        // A name that no input could have is of no use.
        .filter(({ name, config }) => name.toLowerCase().includes(key) && ndiUrl(config.url) === undefined)
        .sort((a, b) => byText(a.name, b.name))
      const step = why && nextStep(language, why)
      return {
        ...pageOf(found, request),
        runtime: {
          ...(version !== undefined && { version }),
          ...(why && { reason: reasonText(language, why.reason) }),
          ...(step && { 'next-step': step })
        }
      }
    })
  ]
}
