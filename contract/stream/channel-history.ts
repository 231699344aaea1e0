// Statistics of channel legs: totals since a baseline, and one hour of history with one sample per second.

import { CHANNEL_CONTROL, CHANNEL_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

/**
 * Statistics of one leg. A value is absent if the protocol does not have it; for example, RTMP has no packet loss.
 * Values without `-total` are for the last second, values with `-total` since `since`.
 */
export interface LegReport {
  /** Start of counting in milliseconds since the epoch: when the leg was created, or its baseline was set. */
  since: number
  /** Average bit rate of the last 2 seconds, like `kbps` of the leg. */
  kbps: number
  /** Average bit rate of the time with media. */
  'kbps-avg': number
  /** Highest bit rate of one second. */
  'kbps-peak': number
  bytes: number
  /** SRT: unique packets, without retransmissions. */
  packets?: number
  /** Round-trip time in milliseconds. */
  'rtt-ms'?: number
  /** SRT, RTP and RTSP: packets lost before retransmission, as counted here or reported by the peer. */
  'pkt-loss'?: number
  'pkt-loss-total'?: number
  /** SRT: packets that did not arrive in time. */
  'pkt-drop'?: number
  'pkt-drop-total'?: number
  /** SRT, sender: retransmitted packets. */
  'pkt-retrans'?: number
  'pkt-retrans-total'?: number
  /** SRT, receiver: lost packets that arrived in time by retransmission. */
  'pkt-recovered'?: number
  'pkt-recovered-total'?: number
  /** Inputs that are passed through: continuity counter errors of MPEG-TS packets. */
  'ts-cc-errors'?: number
  'ts-cc-errors-total'?: number
  /** Input on air, with `level` in the request: peak level of each audio channel in the last half second, in dBFS; -120 is silence. */
  level?: number[]
}

/** Values that the history has for each second. */
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

/** Length of the history in seconds, and the shortest span of a request. */
export const HISTORY_MAX = 3600
export const HISTORY_MIN = 60

export interface ChannelHistoryRequest {
  id: number
  /** Id of an output or backup; default: the first input. */
  leg?: number
  /** Length in seconds up to now; default 3600. */
  span?: number
  /** Comma-separated names of `HISTORY_FIELDS`; default `kbps`. */
  fields?: string
  /** Maximum number of values; the hub aggregates seconds to stay within it. */
  points?: number
  /** Aggregation: `mean` is the mean of gauges and the sum of counters, `max` the highest second. */
  by?: 'mean' | 'max'
}

export interface ChannelHistory {
  /** Start of the first value's interval in milliseconds since the epoch. */
  start: number
  /** Interval of each value in milliseconds. */
  step: number
  /** Values of each requested field, oldest first; null = not measured. All arrays have the same length. */
  columns: { [field in HistoryField]?: (number | null)[] }
}

/** 16 unknown channel or leg. */
export const channelHistory = declareCall<ChannelHistoryRequest, ChannelHistory>(
  'GET',
  '/channel/history',
  CHANNEL_VIEW
)
/** Exports the history of one leg as CSV, one row per second. */
export const exportChannelHistory = declareCall<{ id: number; leg?: number }, never>(
  'GET',
  '/channel/history/file',
  CHANNEL_VIEW
)
/** Resets average, peak and totals of one leg; without `leg`, of all legs of the channel. */
export const setBaseline = declareCall<{ id: number; leg?: number }>('POST', '/channel/baseline', CHANNEL_CONTROL)
