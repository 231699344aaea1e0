// Presets: saved NDI sources (docs/wire.md, "NDI"). A preset is an input with an `ntkndi:` URL: it has the id of that input, so a channel can use it
// at once, and a change of one is a change of the other.
import { INPUT_OUTPUT_EDIT, INPUT_OUTPUT_VIEW, NDI_VIEW } from '../access/permissions.ts'
import { declareCall, type ListResponse, type PageRequest } from '../call.ts'
import type { NDI_SOURCE_OFFLINE, NDI_SOURCE_ONLINE } from '../codes.ts'
import type { NdiUrl } from '../stream/ndi-url.ts'

/** Where a source is found, and how it is received. Empty text, empty lists and `false` mean the same as an absent field. */
export interface NdiPresetSource {
  /** NDI name: `MACHINE (Source)`. */
  name: string
  /** Host with an optional port, for a source that discovery does not find. */
  url?: string
  /** Groups, separated by commas; absent: those of the hub. */
  group?: string
  /** `transport.ts`; absent: what the NDI runtime prefers. */
  'transport-mode'?: number
  /** Stored for other devices: the sender of multicast chooses the address, mask and time to live. */
  'mcast-ip'?: string
  'mcast-sub-mask'?: string
  'mcast-time-to-live'?: number
  /** IPv4 addresses of machines on other networks, at most 16. */
  'extra-ips'?: string[]
  /** Receives the preview with low resolution. */
  'low-bw'?: boolean
  /** Host with an optional port, at most 2; absent: those of the hub. */
  'discovery-server'?: string[]
  /** Playback buffer in milliseconds, 1-2000. */
  'buffer-ms'?: number
}

export interface NdiPresetFields {
  /** Alias: the name of the input. */
  name: string
  ndi: NdiPresetSource
}

export interface NdiPreset extends NdiPresetFields {
  id: number
  /** The URL of the input. */
  url: string
  /**
   * Whether discovery finds the source now, and its port answers. Absent if that is unknown: the port was not probed yet, or the preset searches
   * in other places than the hub.
   */
  state?: typeof NDI_SOURCE_ONLINE | typeof NDI_SOURCE_OFFLINE
  /** As those of an input. */
  'owner-i'?: string[]
  'owner-i-d'?: number[]
  'owner-hidden'?: true
}

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

export interface NdiPresetListRequest extends PageRequest {
  /** Substring of the alias or of the NDI name. */
  key?: string
}

/** Lists the presets by alias. */
export const listNdiPresets = declareCall<NdiPresetListRequest, ListResponse<NdiPreset>>(
  'GET',
  '/ndi/preset/list',
  INPUT_OUTPUT_VIEW | NDI_VIEW
)

/**
 * Returns the id. 1003 if an input has the name: with `owner-i` if it is a preset, which `force` overwrites and which keeps its id.
 * Other inputs are not overwritten.
 */
export const addNdiPreset = declareCall<NdiPresetFields & { force?: boolean }, { id: number }>(
  'POST',
  '/ndi/preset/add',
  INPUT_OUTPUT_EDIT
)

/** 16; 1003 if another input has the name; 1005 with `same-host` if a channel that uses it sends to the new host; `force` overrides. */
export const setNdiPreset = declareCall<NdiPresetFields & { id: number; force?: boolean }>(
  'POST',
  '/ndi/preset/set',
  INPUT_OUTPUT_EDIT
)

/** Deletes all of the presets, or none: 16; 1005 if a channel uses one; `force` overrides. */
export const deleteNdiPresets = declareCall<{ id: number | number[]; force?: boolean }>(
  'POST',
  '/ndi/preset/del',
  INPUT_OUTPUT_EDIT
)
