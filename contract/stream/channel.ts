// Channels (docs/wire.md, "Channels").

import { CHANNEL_CONTROL, CHANNEL_EDIT, CHANNEL_VIEW } from '../access/permissions.ts'
import { declareCall, type ListResponse, type PageRequest } from '../call.ts'
import type { Health, InputVerdict } from '../health.ts'
import type { LegReport } from './channel-history.ts'
import type { ChannelSettings, ChannelSettingsRequest } from './channel-settings.schema.ts'
import type { ConfiguredFormat, StreamFormat } from './format.ts'

/**
 * The settings of a channel. Stream keys are returned only to callers that may edit channels. `ndi`, once enabled, is listed in `outputs` with
 * the id of the channel, until it is removed there.
 */
export interface ChannelConfig extends Partial<ChannelSettings> {
  /** Read-only; `enableChannel` changes it. */
  enable: boolean
}

/** Failover rule. */
export type SwitchRule = ChannelSettings['switch']

/** The stream that the outputs currently receive. */
export interface OnAir {
  /** Node id of the input; null while no input has had media yet. */
  input: number | null
  /** Whether the slate is on air because no input has media. */
  slate: boolean
  /** Reason as a sentence in the language of the request. */
  why: string
  /** An operator has chosen it with `switchChannelInput`, and the failover rule does not change it while it has media. */
  manual?: true
}

/** Status of a leg: an input or output of a running channel. `kbps` is measured over the last seconds. */
export interface Leg {
  id: number
  name: string
  /** Node type (`protocols.ts`). */
  type: number
  protocol: number
  /** Address of the source or target, without secrets. */
  addr: string
  kbps: number
  /** `SOURCE_STATE`. */
  state: number
  /** `CONNECTION_STATE`. */
  'conn-state': number
  /** Seconds with media without interruption; 0 without media. */
  'living-time-s': number
  /** Only in responses of `queryChannel`. */
  report?: LegReport
}

export interface ChannelOutput extends Leg {
  health?: Health
  /** Whether the output is enabled. It is active while both the output and the channel are enabled. */
  enable: boolean
  /** SRT. */
  mode?: 'caller' | 'listener'
  /** Number of connected players, if the protocol can count them. */
  'client-num'?: number
  /** Serial number of a device. */
  sn?: string
  /** A device that the caller may not see: name and address are empty, serial number and reason are absent. */
  hidden?: true
}

/** A client that is connected to a shared port or to a playback output. */
export interface ChannelClient {
  id: number
  /** `INPUT_PUBLISHER` or `OUTPUT_PLAYER`. */
  type: number
  protocol: number
  /** IP address, with the port if known. HLS players with the same address count as one client. */
  addr: string
  /** Id of the output; absent for the shared ports. */
  output?: number
  'living-time-s': number
  /** For HLS, measured over the last ten target durations. */
  kbps: number
}

/**
 * `preview-id` is that of the device, or `CHANNEL-<id>` for a running channel: a preview of its outputs, for callers that may see all devices that
 * can be its input.
 *
 * A running channel without a configured input has an input of type `INPUT_PUBLISHER`, for a client that publishes with its push key. Its id is 0
 * and its name is the address of the publisher, empty while none is connected.
 */
export interface ChannelInput extends Leg {
  sn?: string
  'preview-id'?: string
  hidden?: true
  health?: Health<InputVerdict>
  /** What arrives, read from the stream itself. Absent without media. The console's text for it is `formatText` in `src/text/format.ts`. */
  format?: StreamFormat
  /** Only with `format`. Absent if nothing is known. */
  configured?: ConfiguredFormat
}

export interface Channel {
  id: number
  name: string
  health?: Health
  config: ChannelConfig
  /** Visibility; included only for callers that may set it. */
  'is-inherit'?: number
  'group-mask'?: number
  'usr-mask'?: number
  /** `hidden`: a device that the caller may not see; name and address are empty, serial number, preview and reason are absent. */
  input: ChannelInput | null
  /** The inputs of `config.backups`. They are always connected, so that they can take over at once. */
  backups?: ChannelInput[]
  /** Absent if the channel is stopped or has no input. */
  'on-air'?: OnAir
  /** Next start or stop by the schedule, in seconds since the epoch. A manual start or stop is effective until then. */
  'next-edge'?: { at: number; enable: boolean }
  outputs: { start: number; total: number; list: ChannelOutput[] }
  /**
   * `CHANNEL-<id>`, the preview of what the outputs receive, for callers that may see all devices that can be its input. Absent if the channel is
   * stopped, or waits for a publisher without sending a slate.
   */
  'preview-id'?: string
  /** Oldest first. */
  clients: { start: number; total: number; list: ChannelClient[] }
  /** Pages that play the channel (`watchChannel`); absent if there are none. */
  watchers?: number
  /** State of the input on air, else of the first input; `SOURCE_STATE.initializing` if the channel is stopped or has no input. */
  state: number
  kbps: number
  /** Seconds for which the channel has been on air, also degraded, without interruption. An input may have had media longer. */
  'living-time-s': number
  /** Number of outputs with media. */
  'conn-num': number
}

export interface ChannelDashboardRequest extends PageRequest {
  /** 1 = only live channels. */
  live?: number
  'output-start'?: number
  'output-count'?: number
  'client-start'?: number
  'client-count'?: number
  history?: number
  sort?: 'name'
  order?: 'ascending' | 'descending'
  since?: number
}

export interface ChannelDashboard extends ListResponse<Channel> {
  'enable-num': number
  'live-num': number
  /** Licence limits for enabled channels, and for channels; 0 = no limit. */
  'limit-num': number
  'limit-create-num': number
  /** Number of channels that the caller may see. */
  'used-num': number
  /** Active outputs and SRT listeners (enabled, on enabled channels) with their licence limits; 0 = no limit. The numbers are absent if the caller may not see all channels. */
  'output-num'?: number
  'limit-output-num'?: number
  'srt-num'?: number
  'limit-srt-num'?: number
  /** With `history` in the request, for callers that may see all channels: their traffic in Mbps, one value per second, one per minute, oldest first. */
  'mbps-s'?: number[]
  'mbps-m'?: number[]
}

export const channelDashboard = declareCall<ChannelDashboardRequest, ChannelDashboard>(
  'GET',
  '/channel/dashboard',
  CHANNEL_VIEW
)
export const queryChannel = declareCall<
  {
    id: number
    'output-start'?: number
    'output-count'?: number
    'client-start'?: number
    'client-count'?: number
    /** 1: the report of the input on air includes its audio level. The hub measures it while requests with this option arrive every few seconds. */
    level?: number
  },
  { channel: Channel }
>('GET', '/channel/query', CHANNEL_VIEW)

export interface ChannelLevel {
  id: number
  /** Peak level of each audio channel in the last half second, in dBFS; -120 is silence. Absent while there is no audio, or no measurement yet. */
  level?: number[]
}

/**
 * Audio levels of the inputs on air. `ids` are channel ids, separated by commas; unknown ones are left out. The hub measures a channel while it is
 * requested every few seconds.
 */
export const channelLevels = declareCall<{ ids: string }, { list: ChannelLevel[] }>(
  'GET',
  '/channel/levels',
  CHANNEL_VIEW
)

export interface AddChannelRequest {
  name: string
  /**
   * Absent or empty keys are generated: PULL-<UUID> and PUSH-<UUID>. With `setChannel` an absent field is not changed. A new schedule starts or
   * stops the channel at once.
   */
  config?: ChannelSettingsRequest
}

/** 1001, 1002 key in use; 1003 name in use; 16 unknown backup; 1006 licence limit, with `max` and `used`. Returns the id. */
export const addChannel = declareCall<AddChannelRequest, { id: number }>('POST', '/channel/add', CHANNEL_EDIT)
/** As `addChannel`. 1005 with `same-host` if a backup and an output would have the same host; `force` overrides. */
export const setChannel = declareCall<AddChannelRequest & { id: number; force?: boolean }>(
  'POST',
  '/channel/set',
  CHANNEL_EDIT
)

/** 1006 if the licence allows no more active channels, outputs or SRT listeners: `of` is the limit, with `max` and `used`. */
export const enableChannel = declareCall<{ id: number; enable: boolean }>('POST', '/channel/enable', CHANNEL_CONTROL)

/** Disconnects publishers and players. They may reconnect, over HLS after a minute. 16 unknown client. */
export const dropChannelClients = declareCall<{ id: number; clients: number[] }>(
  'POST',
  '/channel/client/drop',
  CHANNEL_CONTROL
)
export const deleteChannels = declareCall<{ id: number | number[] }>('POST', '/channel/del', CHANNEL_EDIT)

/**
 * `input` is the node id of a device or an input source; 0 = none. 16 if it does not exist or the caller may not see it. 1005 with `same-host` if an
 * output of the channel sends to its host; `force` overrides.
 */
export const setChannelInput = declareCall<{ id: number; input: number; force?: boolean }>(
  'POST',
  '/channel/input/set',
  CHANNEL_EDIT
)

/**
 * `outputs` are node ids of outputs and of devices that can play. 16 if one does not exist or the caller may not see it; 38 if one belongs to a
 * channel already; 17 for more than 16 outputs; 1006 see `enableChannel`; 1005 with `same-host` if one sends to the host of an input of the channel,
 * which `force` overrides.
 */
export const addChannelOutputs = declareCall<{ id: number; outputs: number[]; force?: boolean }>(
  'POST',
  '/channel/output/add',
  CHANNEL_EDIT
)
export const deleteChannelOutputs = declareCall<{ id: number; outputs: number[] }>(
  'POST',
  '/channel/output/del',
  CHANNEL_EDIT
)

/** Enables or disables the listed outputs. 16 if one does not belong to the channel; 1006 see `enableChannel`. */
export const enableChannelOutputs = declareCall<{ id: number; outputs: number[]; enable: boolean }>(
  'POST',
  '/channel/output/enable',
  CHANNEL_CONTROL
)
