// Handlers for NDI presets, which are the inputs with an `ntkndi:` URL.
import { INVALID_ARG, NAME_EXISTS, NDI_SOURCE_OFFLINE, NDI_SOURCE_ONLINE } from '../../../contract/codes.ts'
import {
  addNdiPreset,
  deleteNdiPresets,
  listNdiPresets,
  type NdiPreset,
  type NdiPresetFields,
  presetSourceOf,
  setNdiPreset,
  urlOfPresetSource
} from '../../../contract/ndi/preset.ts'
import { formatNdiUrl, isSearchedElsewhere, type NdiUrl, ndiUrl, parseNdiUrl } from '../../../contract/ndi/url.ts'
import { NDI } from '../../../contract/stream/protocols.ts'
import type { AddInputRequest } from '../../../contract/stream/source.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { NdiSources } from '../../../engine/interfaces/ndi.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import { answerState } from '../../ndi/source-use.ts'
import type { InputRow } from '../../store/sources.ts'
import type { Store } from '../../store/store.ts'
import { compareText, paginate } from '../list.ts'
import { addOrReplaceInput, removeInputs, replaceInput } from '../stream/input.ts'
import type { PortsInUse } from '../stream/ports-in-use.ts'
import { requireAllowedHost, requireSource, visibleOwners } from '../stream/source-checks.ts'

interface NdiPresetParts {
  store: Store
  gate: Gate
  engine: EngineClient
  portsInUse: PortsInUse
  applyChannel: (id: number) => Promise<void>
}

const isPreset = (row: InputRow): boolean => row.protocol === NDI

/**
 * Whether discovery, which searches where the settings of the hub say, finds the source of a preset, and whether it
 * answers.
 */
function stateOf(url: NdiUrl, found: NdiSources): NdiPreset['state'] {
  const { sources, failure } = found
  const state = answerState(url.name, found)
  if (state === NDI_SOURCE_ONLINE) return state
  if (sources.has(url.name)) return isSearchedElsewhere(url) ? undefined : state
  return failure || isSearchedElsewhere(url) ? undefined : NDI_SOURCE_OFFLINE
}

function serializePreset(
  parts: { store: Store; gate: Gate },
  context: Context,
  row: InputRow,
  found: NdiSources
): NdiPreset {
  const { channels, mayView, hasHidden } = visibleOwners(parts, context, parts.store.channels.byInput(row.id))
  const parsed = parseNdiUrl(row.url)
  const url = 'fault' in parsed ? { name: '' } : parsed
  const state = stateOf(url, found)
  return {
    id: row.id,
    name: row.name,
    ndi: presetSourceOf(url),
    url: row.url,
    ...(state && { state }),
    ...(mayView && { 'owner-i': channels.map(({ name }) => name), 'owner-i-d': channels.map(({ id }) => id) }),
    ...(hasHidden && { 'owner-hidden': true })
  }
}

/**
 * The input that stands for a preset.
 * @throws CallError 7 if the URL would be too long; 32 if the address policy forbids a host
 */
function inputOf(parts: { store: Store }, { name, ndi }: NdiPresetFields): AddInputRequest {
  const hosts: readonly (readonly [field: keyof typeof ndi, addresses: readonly (string | undefined)[]])[] = [
    ['url', [ndi.url]],
    ['extra-ips', ndi['extra-ips'] ?? []],
    ['discovery-server', ndi['discovery-server'] ?? []]
  ]
  for (const [field, addresses] of hosts)
    for (const address of addresses) requireAllowedHost(parts, address?.split(':')[0], `ndi.${field}`)
  const url = formatNdiUrl(urlOfPresetSource(ndi))
  const fault = ndiUrl(url)
  if (fault) throw new CallError(INVALID_ARG, { field: 'ndi', fault: fault.name })
  return { name, config: { type: 1, url } }
}

/**
 * Checks that these are presets that the caller may see.
 * @throws CallError 16 if there is no such input, or it is no preset
 */
function requirePresets(parts: { store: Store; gate: Gate }, context: Context, ids: readonly number[]): void {
  for (const id of ids) {
    const row = parts.store.sources.input(id)
    requireSource(parts, context, 'input', id, row && isPreset(row) ? row : undefined)
  }
}

export function ndiPresetHandlers(parts: NdiPresetParts): Handler[] {
  const { sources } = parts.store
  return [
    handle(listNdiPresets, async (context, request) => {
      const found = await parts.engine.findNdiSources()
      const key = request.key?.toLowerCase() ?? ''
      const isVisible = parts.gate.sourcesVisibleTo(requireCaller(context))
      const matching = sources
        .inputs()
        .filter((row) => isPreset(row) && isVisible(row.id))
        .map((row) => serializePreset(parts, context, row, found))
        .filter(({ name, ndi }) => [name, ndi.name].some((text) => text.toLowerCase().includes(key)))
        .sort((a, b) => compareText(a.name, b.name))
      return { ...paginate(matching, request), rev: parts.store.changes.rev }
    }),
    handleChange(addNdiPreset, (context, request) => {
      const existing = sources.inputByName(request.name)
      if (existing && !isPreset(existing)) throw new CallError(NAME_EXISTS, { field: 'name' })
      const { force } = request
      return { id: addOrReplaceInput(parts, context, { ...inputOf(parts, request), ...(force && { force }) }) }
    }),
    handleChange(setNdiPreset, (context, request) => {
      requirePresets(parts, context, [request.id])
      const { id, force } = request
      replaceInput(parts, context, id, { ...inputOf(parts, request), ...(force && { force }) })
      return {}
    }),
    handleChange(deleteNdiPresets, (context, request) => {
      requirePresets(parts, context, [request.id].flat())
      return { trash: removeInputs(parts, context, request) }
    })
  ]
}
