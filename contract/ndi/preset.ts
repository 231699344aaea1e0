// Presets: saved NDI sources (docs/wire.md, "NDI"). A preset is an input with an `ntkndi:` URL: it has the id of that
// input, so a channel can use it at once, and a change of one is a change of the other.
import { INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW, NDI_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import type { NdiPresetSource } from './preset.schema.ts'
import type { NdiUrl } from './url.ts'

export type { NdiPreset, NdiPresetFields, NdiPresetSource } from './preset.schema.ts'

/** Names in the URL of an input and on the wire. */
const FIELD_NAMES = {
  name: 'name',
  address: 'url',
  buffer: 'buffer-ms',
  group: 'group',
  transport: 'transport-mode',
  multicastAddress: 'mcast-ip',
  multicastMask: 'mcast-sub-mask',
  multicastTtl: 'mcast-time-to-live',
  extraIps: 'extra-ips',
  lowBandwidth: 'low-bw',
  discoveryServers: 'discovery-server'
} as const satisfies Record<keyof NdiUrl, keyof NdiPresetSource>

/** The source of a preset whose input has this URL. */
export const presetSourceOf = (url: NdiUrl): NdiPresetSource =>
  Object.fromEntries(
    Object.entries(url).map(([field, value]) => [FIELD_NAMES[field as keyof NdiUrl], value])
  ) as unknown as NdiPresetSource

/** The parts of the URL for the source of a preset. */
export const urlOfPresetSource = (source: NdiPresetSource): NdiUrl =>
  Object.fromEntries(Object.entries(FIELD_NAMES).map(([field, name]) => [field, source[name]])) as unknown as NdiUrl

export const listNdiPresets = declareCall('GET /ndi/preset/list', INPUT_OUTPUT_VIEW | NDI_VIEW)

export const addNdiPreset = declareCall('POST /ndi/preset/add', INPUT_OUTPUT_EDIT, { interrupts: true })

export const setNdiPreset = declareCall('POST /ndi/preset/set', INPUT_OUTPUT_EDIT, { interrupts: true })

export const deleteNdiPresets = declareCall('POST /ndi/preset/del', INPUT_OUTPUT_EDIT, { interrupts: true })
