// Statistics of channel legs: totals since a baseline, and one hour of history with one sample per second.

import { CHANNEL_CONTROL, CHANNEL_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { ChannelHistory, LegReport, TransportReport } from './channel-history.schema.ts'

/** Values that the history has for each second. */
export const HISTORY_FIELDS = [
  'kbps',
  'rtt-ms',
  'pkt-loss',
  'pkt-drop',
  'pkt-retrans',
  'pkt-recovered',
  'ts-cc-errors',
  'ts-errors',
  'pcr-jitter-ms'
] as const
export type HistoryField = (typeof HISTORY_FIELDS)[number]

/** Length of the history in seconds, and the shortest span of a request. */
export const HISTORY_MAX = 3600
export const HISTORY_MIN = 60

export const channelHistory = declareCall('GET /channel/history', CHANNEL_VIEW)
export const exportChannelHistory = declareCall('GET /channel/history/file', CHANNEL_VIEW)
export const setBaseline = declareCall('POST /channel/baseline', CHANNEL_CONTROL)
