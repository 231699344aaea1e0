// What is measured of the legs of channels: the figures since a baseline, and an hour of them by the second (reference 4.7, `report`).
import { call } from '../call.ts'
import { CHANNEL_CONTROL, CHANNEL_VIEW } from '../permissions.ts'

/**
 * What was measured of one leg. What its protocol does not know is absent, which is not the same as 0: RTMP has no packets to lose.
 * Names without `-total` are those of the last second, names with it count since `since`.
 */
export interface LegReport {
  /** Where counting began, in milliseconds since the epoch: the leg was made then, or the baseline was set. */
  since: number
  /** As the leg's own: carried in the last 2 seconds. */
  kbps: number
  /** Of the time in which it carried. */
  'kbps-avg': number
  /** The highest of one second. */
  'kbps-peak': number
  bytes: number
  /** SRT: each packet once, however often it was sent. */
  packets?: number
  /** Round trip, in milliseconds. */
  'rtt-ms'?: number
  /** SRT, RTP and RTSP: did not come, or were reported as such by the other end, at first. */
  'pkt-loss'?: number
  'pkt-loss-total'?: number
  /** SRT: never came, or too late to be of use. */
  'pkt-drop'?: number
  'pkt-drop-total'?: number
  /** SRT, of what is sent: sent once more. */
  'pkt-retrans'?: number
  'pkt-retrans-total'?: number
  /** SRT, of what is received: lost at first, and there in time after all. */
  'pkt-recovered'?: number
  'pkt-recovered-total'?: number
  /** Of an input that is passed on as it comes: gaps in the counters of its MPEG-TS packets. */
  'ts-cc-errors'?: number
  'ts-cc-errors-total'?: number
  /** Of the input on air, when asked for: how loud each audio channel was at its loudest moment in the last half second, in dBFS; -120 is silence. */
  level?: number[]
}

/** What is kept of each second. */
export const HISTORY_FIELDS = [
  'kbps',
  'rtt-ms',
  'pkt-loss',
  'pkt-drop',
  'pkt-retrans',
  'pkt-recovered',
  'ts-cc-errors'
] as const
export type HistoryField = (typeof HISTORY_FIELDS)[number]

/** Seconds that are kept, and the fewest that can be asked for. */
export const HISTORY_MAX = 3600
export const HISTORY_MIN = 60

export interface ChannelHistoryRequest {
  id: number
  /** The id of an output or a backup; absent or 0 is the first input. */
  leg?: number
  /** Seconds up to now; 3600 unless given. */
  span?: number
  /** Names from `HISTORY_FIELDS` between commas; `kbps` unless given. */
  fields?: string
  /** About as many values as a chart has room for: seconds are put together until there are no more than these. */
  points?: number
  /** How seconds are put together: a mean of what goes up and down and a sum of what is counted, or the highest second. */
  by?: 'mean' | 'max'
}

export interface ChannelHistory {
  /** When the first value's time began, in milliseconds since the epoch. */
  start: number
  /** Milliseconds for which each value stands. */
  step: number
  /** Values of each field that was asked for, oldest first; null where nothing was measured. All are of the same length. */
  columns: { [field in HistoryField]?: (number | null)[] }
}

/** 16 for a channel that does not exist, or a leg that is none of its. */
export const channelHistory = call<ChannelHistoryRequest, ChannelHistory>('GET', '/channel/history', CHANNEL_VIEW)
/** All that is kept of one leg as CSV, a row a second. */
export const exportChannelHistory = call<{ id: number; leg?: number }, never>(
  'GET',
  '/channel/history/file',
  CHANNEL_VIEW
)
/** Average, peak and totals begin anew: of one leg, or without one of all of the channel. */
export const setBaseline = call<{ id: number; leg?: number }>('POST', '/channel/baseline', CHANNEL_CONTROL)
