// Channels: reference 4.7, 5.4 and section 8 for the outputs of a channel.
import { call, type ListReply, type Page } from '../call.ts'
import { CHANNEL_CONTROL, CHANNEL_EDIT, CHANNEL_VIEW } from '../permissions.ts'
import type { LegReport } from './channel-history.ts'
import type { Schedule } from './schedule.ts'
import type { NdiOutput } from './source.ts'

export interface ChannelConfig {
  /** Read; changed by `channel/enable`. */
  enable: boolean
  /** Keys are answered only to who may edit channels. */
  'play-key'?: string
  'push-key'?: string
  /**
   * The NDI output that the channel has by itself, under its own name (reference 4.7). Once set it stands among the outputs, with the id of the
   * channel, until it is taken out there.
   */
  ndi?: ChannelNdi
  /** How the channel can be played at the hub's shared ports; what is absent in a write: as it is. */
  protocol?: { rtmp: boolean; srt: boolean }
  /**
   * Ours: IPv4 addresses, or ranges as `10.0.0.0/8`, from which it can be published and played, there and at its outputs that players come
   * to and that do not say so themselves; empty: from everywhere. At most 32.
   */
  'allow-ip'?: string[]
  /** Ours, as all below: node ids of the inputs that take over, in this order, when the one before them carries nothing. */
  backups?: number[]
  switch?: SwitchRule
  /** A still picture with the channel's name while no input carries anything. */
  slate?: boolean
  schedule?: Schedule
}

export interface ChannelNdi extends NdiOutput {
  enable: boolean
}

/** When inputs take over from each other. */
export interface SwitchRule {
  /** Seconds without a byte, 1-60, after which the next input that carries takes over. */
  'after-s': number
  /** `first`: back to the channel's input as soon as it has carried for `back-after-s` without a break. */
  back: 'never' | 'first'
  /** 5-3600. */
  'back-after-s': number
}

/** What the outputs are given now. */
export interface OnAir {
  /** Node id; null while no input carries and none has yet. */
  input: number | null
  /** The still picture, because no input carries. */
  slate: boolean
  /** Why, as a sentence in the language of who asks. */
  why: string
}

/** What is known of one leg now. `kbps` is what was carried in the last seconds, never an estimate. */
export interface Leg {
  id: number
  name: string
  /** Node type (reference 3.1). */
  type: number
  protocol: number
  /** Where it comes from or goes to, without secrets. */
  addr: string
  kbps: number
  /** Source state. */
  state: number
  /** Connection state. */
  'conn-state': number
  /** Seconds for which it has carried media without a break; 0 when it does not. */
  'living-time-s': number
  /** Ours: the engine's last word where something is wrong, in the language of who asks, without secrets. */
  reason?: string
  /** Ours: what to do about it, as a sentence in the same language. */
  'next-step'?: string
  /** Answered by `queryChannel`, not in lists. */
  report?: LegReport
}

export interface ChannelOutput extends Leg {
  /** Ours: its own switch; it carries while that and the channel are on. */
  enable: boolean
  /** SRT. */
  mode?: 'caller' | 'listener'
  /** Ours: how many take it now, where that can be counted. */
  'client-num'?: number
  /** Ours: of an `OUTPUT_DEVICE`. */
  sn?: string
  /** Ours: an `OUTPUT_DEVICE` that the caller may not see. Its name and address are empty then; serial and reason are left out. */
  hidden?: true
}

/** Who is connected: at the hub's shared ports, or at an output that players come to. */
export interface ChannelClient {
  id: number
  /** `INPUT_PUSHED` of who sends, `OUTPUT_PLAYED` of who plays. */
  type: number
  protocol: number
  /** IP address, with the port where it is known. Over HLS all behind one address are one. */
  addr: string
  /** Ours: id of the output that it takes; absent at the shared ports. */
  output?: number
  'living-time-s': number
  /** Over HLS of the last ten target durations: what it fetched. */
  kbps: number
}

/**
 * `preview-id` is that of a device, or `CHANNEL-<id>` for a channel that is on: what its outputs are given, for who may see all devices that
 * may be in it.
 *
 * Of `INPUT_PUSHED`, who comes with the push key of a channel without another input, the id is 0 and the name its address, which is empty while
 * nobody is there; it is told of a channel that is on.
 */
export type ChannelInput = Leg & { sn?: string; 'preview-id'?: string; hidden?: true }

export interface Channel {
  id: number
  name: string
  config: ChannelConfig
  /** `hidden`: a device that the caller may not see. Its name and address are empty then; serial, picture and reason are left out. */
  input: ChannelInput | null
  /** Ours: the inputs of `config.backups`. They are connected all the time, so that it is known whether they could take over. */
  backups?: ChannelInput[]
  /** Ours: absent when the channel is stopped or has no input. */
  'on-air'?: OnAir
  /** Ours: when the schedule starts or stops it next, in seconds since the epoch. A start or stop by hand holds until then. */
  'next-edge'?: { at: number; enable: boolean }
  outputs: { start: number; total: number; list: ChannelOutput[] }
  /** Oldest first. */
  clients: { start: number; total: number; list: ChannelClient[] }
  /** The channel as a whole: that of the input that is on air, else of its first; `SOURCE.initializing` when it is stopped or has none. */
  state: number
  kbps: number
  'living-time-s': number
  /** Outputs that carry now. */
  'conn-num': number
}

export interface ChannelDashboardRequest extends Page {
  /** 1 = only live ones. */
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

export interface ChannelDashboard extends ListReply<Channel> {
  'enable-num': number
  'live-num': number
  /** What the licence allows: channels that are enabled, and channels; 0 = no limit. */
  'limit-num': number
  'limit-create-num': number
  /** Channels. */
  'used-num': number
  /** Ours: active outputs and SRT servers, which are those that are on, of enabled channels: how many, and how many the licence allows; 0 = no limit. */
  'output-num'?: number
  'limit-output-num'?: number
  'srt-num'?: number
  'limit-srt-num'?: number
  /** Traffic of all channels, Mbps, with `history`: one value a second, one a minute, oldest first. */
  'mbps-s'?: number[]
  'mbps-m'?: number[]
}

export const channelDashboard = call<ChannelDashboardRequest, ChannelDashboard>(
  'GET',
  '/channel/dashboard',
  CHANNEL_VIEW
)
export const queryChannel = call<
  {
    id: number
    'output-start'?: number
    'output-count'?: number
    'client-start'?: number
    'client-count'?: number
    /** 1: the report of the input on air has its audio level. The hub listens to it for as long as this is asked every few seconds. */
    level?: number
  },
  { channel: Channel }
>('GET', '/channel/query', CHANNEL_VIEW)

export interface AddChannelRequest {
  name: string
  /**
   * Keys that are absent or empty are made: PULL-<UUID> and PUSH-<UUID>. Of a channel that exists, what is absent stays as it is. A schedule that
   * is set starts or stops the channel at once, as it says.
   */
  config?: Partial<Omit<ChannelConfig, 'enable' | 'protocol'>> & { protocol?: Partial<ChannelConfig['protocol']> }
}
/**
 * 1001, 1002 for keys in use, 1003 for the name, 16 for a backup that does not exist, 1006 with `max` and `used` for the licence. Ours
 * besides: answers the id.
 */
export const addChannel = call<AddChannelRequest, { id: number }>('POST', '/channel/add', CHANNEL_EDIT)
export const setChannel = call<AddChannelRequest & { id: number }>('POST', '/channel/set', CHANNEL_EDIT)
/** 1006 when the licence allows no more channels, outputs or SRT servers to be active: `of` names which, `max` and `used` how many. */
export const enableChannel = call<{ id: number; enable: boolean }>('POST', '/channel/enable', CHANNEL_CONTROL)
/** Throws publishers and players out; they may come back, over HLS after a minute. 16 for one that is not there. */
export const dropChannelClients = call<{ id: number; clients: number[] }>(
  'POST',
  '/channel/client/drop',
  CHANNEL_CONTROL
)
export const deleteChannels = call<{ id: number | number[] }>('POST', '/channel/del', CHANNEL_EDIT)
/** `input` is a node id, of a device or an input source; 0 clears. 16 for one that does not exist, or that the caller may not see. */
export const setChannelInput = call<{ id: number; input: number }>('POST', '/channel/input/set', CHANNEL_EDIT)
/**
 * `outputs` are node ids, of outputs and of devices that can play. 16 for one that does not exist, or that the caller may not see; 38 for one that
 * belongs to a channel already, 17 beyond 16 outputs, 1006 as of `enableChannel`.
 */
export const addChannelOutputs = call<{ id: number; outputs: number[] }>('POST', '/channel/output/add', CHANNEL_EDIT)
export const deleteChannelOutputs = call<{ id: number; outputs: number[] }>('POST', '/channel/output/del', CHANNEL_EDIT)
/** Switches outputs on and off: the others are left alone. 16 for one that is not the channel's, 1006 as of `enableChannel`. */
export const enableChannelOutputs = call<{ id: number; outputs: number[]; enable: boolean }>(
  'POST',
  '/channel/output/enable',
  CHANNEL_CONTROL
)
