// The interface to the statistics of one input or output.
import type { ChannelHistory, HistoryField, LegReport } from '../../contract/stream/channel-history.ts'

/** Counters of a leg since it was created. A counter that the protocol does not have is absent. */
export interface LegCounters {
  bytes: number
  packets?: number
  lost?: number
  dropped?: number
  retransmitted?: number
  recovered?: number
  /** Gaps in the continuity counters of MPEG-TS packets. */
  gaps?: number
  /** Current round-trip time in milliseconds. */
  rtt?: number
}

export interface HistoryQuery {
  /** Length in seconds. */
  span: number
  fields: readonly HistoryField[]
  /** Maximum number of points. Default: one per second. */
  points?: number | undefined
  /** How the seconds of one point are combined. Default: `mean`. */
  aggregate?: 'mean' | 'max' | undefined
}

/** Totals since the last reset, and the past hour by the second. */
export interface LegStats {
  /** Starts measuring another leg; its counts so far are not added. */
  setBaseline(counters: LegCounters, time: number): void
  /** Adds a measurement. Call once a second while the leg runs. */
  measure(counters: LegCounters, time: number): void
  /** @param kbps current rate of the leg */
  report(kbps: number): LegReport
  /** Sets the totals to 0 and keeps the past hour. */
  reset(): void
  history(query: HistoryQuery, time: number): ChannelHistory
  /** Fields that have been measured at least once. */
  fields(): HistoryField[]
  /** Each stored second, oldest first: its time in milliseconds since the epoch, and one value per field, NaN if there is none. */
  rows(fields: readonly HistoryField[], time: number): Generator<{ time: number; values: number[] }>
}
