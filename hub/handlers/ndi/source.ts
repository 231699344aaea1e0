// Handler that lists the NDI sources in the network, with what uses them.
import { isPermitted, NDI_VIEW } from '../../../contract/access/permissions.ts'
import { NDI_SOURCE_OFFLINE } from '../../../contract/codes.ts'
import { type NdiSearchSettings, whyMissing } from '../../../contract/ndi/missing.ts'
import { formatNdiUrl, isSearchedElsewhere, ndiUrl } from '../../../contract/ndi/url.ts'
import {
  listNdiSources,
  type MissingNdiSource,
  type NdiSource,
  type NdiSourceUse
} from '../../../contract/stream/ndi.ts'
import { DIR_INPUT, NDI, NDI_DISCOVERED } from '../../../contract/stream/protocols.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import { type Context, type Handler, handle, requireCaller } from '../../http/handler.ts'
import { isIpv6Only } from '../../machine/addresses.ts'
import { missingReasonText } from '../../messages/ndi.ts'
import { nextStep } from '../../messages/next-steps.ts'
import { reasonText } from '../../messages/reasons.ts'
import { answerState, receivedFormat, usedNdiSources } from '../../ndi/source-use.ts'
import type { Store } from '../../store/store.ts'
import { compareText, paginate } from '../list.ts'
import { visibleOwners } from '../stream/source-checks.ts'

interface NdiSourceParts {
  store: Store
  gate: Gate
  engine: EngineClient
}

type Uses = ReturnType<typeof usedNdiSources>
type Use = Uses extends Map<string, infer Value> ? Value : never

const NO_USE: Use = { presets: [], matrices: [] }

/** What uses a source, as far as the caller may see it. */
function serializeUse(parts: { gate: Gate }, context: Context, { presets, matrices }: Use): NdiSourceUse {
  const users = new Map(presets.flatMap(({ channels }) => channels).map((channel) => [channel.id, channel]))
  const { channels, mayView, hasHidden } = visibleOwners(parts, context, [...users.values()])
  return {
    ...(mayView && { 'owner-i': channels.map(({ name }) => name), 'owner-i-d': channels.map(({ id }) => id) }),
    ...(hasHidden && { 'owner-hidden': true }),
    presets: presets.map(({ id }) => id),
    ...(isPermitted(NDI_VIEW, requireCaller(context).user) && { matrices })
  }
}

/** Where the NDI settings make the hub search. */
async function searchSettings({ store, engine }: { store: Store; engine: EngineClient }): Promise<NdiSearchSettings> {
  const { enable, servers, ifaces, 'recv-groups': groups } = store.settings.get('ndi-discovery')
  const used = enable ? servers.map(({ address, port }) => `${address}:${port}`) : []
  return { groups, servers: used, ifaces, unusable: (await engine.observeNdi())?.unusable ?? [] }
}

export function ndiSourceHandlers(parts: NdiSourceParts): Handler[] {
  const { engine } = parts
  const serialize = (
    context: Context,
    [name, addr]: readonly [string, string],
    { use, state }: { use: Use; state: NdiSource['state'] }
  ): NdiSource => {
    const format = receivedFormat(use, engine.observe)
    return {
      name,
      addr,
      dir: DIR_INPUT,
      type: NDI_DISCOVERED,
      protocol: NDI,
      config: { type: 1, url: formatNdiUrl({ name }) },
      ...(state && { state }),
      ...(format && { format }),
      ...serializeUse(parts, context, use)
    }
  }
  return [
    handle(listNdiSources, async (context, request) => {
      const { language } = context
      const found = await engine.findNdiSources()
      const { sources, version, failure } = found
      const search = await searchSettings(parts)
      const shownSearch = isPermitted(NDI_VIEW, requireCaller(context).user) ? search : undefined
      const key = request.key?.toLowerCase() ?? ''
      const isMatch = (name: string) => name.toLowerCase().includes(key)
      const uses = usedNdiSources(parts.store, parts.gate.sourcesVisibleTo(requireCaller(context)))
      // A machine that does not answer may be off.
      const present = [...sources.keys()].filter((name) => answerState(name, found) !== NDI_SOURCE_OFFLINE)
      const matching = [...sources]
        // Sources whose URL is not valid for an input are left out.
        // A guest sees the sources of his channels.
        .filter(([name]) => !requireCaller(context).isGuest || uses.has(name))
        .filter(([name]) => isMatch(name) && ndiUrl(formatNdiUrl({ name })) === undefined)
        .map((source) =>
          serialize(context, source, { use: uses.get(source[0]) ?? NO_USE, state: answerState(source[0], found) })
        )
        .sort((a, b) => compareText(a.name, b.name))
      const missing: MissingNdiSource[] = [...uses]
        .filter(([name, { presets, matrices }]) => {
          const isSearchedHere = matrices.length > 0 || presets.some(({ url }) => !isSearchedElsewhere(url))
          return !sources.has(name) && isSearchedHere && isMatch(name)
        })
        .map(([name, use]) => {
          const reasons = whyMissing(name, {
            found: present,
            hasRuntime: failure === undefined,
            isIpv6Only: isIpv6Only(),
            settings: search
          })
          return {
            name,
            reasons,
            texts: reasons.map((reason) => missingReasonText(language, reason, shownSearch)),
            ...serializeUse(parts, context, use)
          }
        })
        .sort((a, b) => compareText(a.name, b.name))
      const step = failure && nextStep(language, failure)
      return {
        ...paginate(matching, request),
        missing,
        ...(shownSearch && { search: shownSearch }),
        runtime: {
          ...(version !== undefined && { version }),
          ...(failure && { reason: reasonText(language, failure.reason) }),
          ...(step && { 'next-step': step })
        }
      }
    })
  ]
}
