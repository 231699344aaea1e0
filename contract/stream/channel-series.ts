// Time series of a channel: values that the hub measured in the last year (docs/architecture/history.md).
import { CHANNEL_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { ChannelSeries, HistoryPause } from './channel-series.schema.ts'

/** Values of each interval. */
export const SERIES_FIELDS = [
  'kbps-in',
  'kbps-in-min',
  'kbps-in-max',
  'kbps-out',
  'kbps-out-min',
  'kbps-out-max',
  'lost',
  'errors',
  'viewers',
  'observed',
  'on-air',
  'degraded',
  'down',
  'stopped'
] as const

/** Span of a request in seconds: the shortest, the longest (366 days), and the one without `from` and `span`. */
export const SERIES_SPAN = { min: 60, max: 31_622_400, default: 86_400 } as const

/** Intervals of a response: at most, and without `points`. */
export const SERIES_POINTS = { max: 2000, default: 500 } as const

/** Channels whose history is recorded, at most. */
export const HISTORY_CHANNELS_MAX = 400

export const channelSeries = declareCall('GET /channel/series', CHANNEL_VIEW)
export const exportChannelSeries = declareCall('GET /channel/series/file', CHANNEL_VIEW)
