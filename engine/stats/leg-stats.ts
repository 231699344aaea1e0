// What is measured of one leg: totals since a baseline, and the past hour by the second. It outlives the process that carries the leg.
import type { ChannelHistory, HistoryField, LegReport } from '../../contract/stream/channel-history.ts'
import { createRing } from './ring-buffer.ts'

/** Counted since a leg was made; what its protocol does not count is absent. */
export interface Counted {
  bytes: number
  packets?: number
  lost?: number
  dropped?: number
  retransmitted?: number
  recovered?: number
  /** Gaps in the counters of MPEG-TS packets. */
  gaps?: number
  /** Milliseconds, now. */
  rtt?: number
}

type Count = Exclude<keyof Counted, 'rtt'>

/** Packets by the second, and their names outside. */
const COUNTS = {
  lost: 'pkt-loss',
  dropped: 'pkt-drop',
  retransmitted: 'pkt-retrans',
  recovered: 'pkt-recovered',
  gaps: 'ts-cc-errors'
} as const satisfies { [count in Count]?: HistoryField }
const COUNT_NAMES = Object.keys(COUNTS) as (keyof typeof COUNTS)[]

/** Of these the mean is told where seconds are put together; what is counted is added up. */
const GAUGES: ReadonlySet<HistoryField> = new Set(['kbps', 'rtt-ms'])

/** Seconds without a measurement that are taken for a late one, and shown with what came after them. */
const LATE = 5

/** Milliseconds: what was measured over less says nothing of a second. */
const WHOLE = 500

export interface HistoryAsked {
  /** Seconds. */
  span: number
  fields: readonly HistoryField[]
  points?: number | undefined
  by?: 'mean' | 'max' | undefined
}

export interface Figures {
  /** From now on another leg is measured. What it has counted so far is none of ours. */
  begin(counted: Counted, at: number): void
  /** Call once a second while there is a leg. */
  measure(counted: Counted, at: number): void
  /** @param kbps as the leg itself says it */
  report(kbps: number): LegReport
  /** Begins to count anew; the hour stays. */
  reset(): void
  history(asked: HistoryAsked, at: number): ChannelHistory
  /** What was ever measured. */
  fields(): HistoryField[]
  /** Each second that is kept, oldest first: its time in milliseconds since the epoch, and a value per field or NaN. */
  rows(fields: readonly HistoryField[], at: number): Generator<{ time: number; values: number[] }>
}

/** @param lag milliseconds by which what is measured is behind */
export function createFigures(lag = 0): Figures {
  const ring = createRing<HistoryField>()
  let before: Counted = { bytes: 0 }
  let measured = 0
  const totals: { [count in Count]?: number } = { bytes: 0 }
  let last: Partial<Record<HistoryField, number>> = {}
  let rtt: number | undefined
  let since = Date.now()
  let peak = 0
  /** Milliseconds in which something was carried. */
  let carried = 0

  /** When a second of the ring began, as a clock on the wall would have it now. */
  const timeOf = (second: number, at: number) => Math.round(Date.now() - at + (second - 1) * 1000 - lag)

  return {
    begin(counted, at) {
      before = counted
      measured = at
      rtt = undefined
    },
    measure(counted, at) {
      const passed = at - measured
      if (passed <= 0) return
      const values: Partial<Record<HistoryField, number>> = {}
      const grown = (count: Count) => Math.max(0, (counted[count] ?? 0) - (before[count] ?? 0))
      const bytes = grown('bytes')
      const kbps = (bytes * 8) / passed
      values.kbps = kbps
      rtt = counted.rtt
      if (rtt !== undefined) values['rtt-ms'] = rtt
      for (const count of COUNT_NAMES) if (counted[count] !== undefined) values[COUNTS[count]] = grown(count)
      for (const count of ['bytes', 'packets', ...COUNT_NAMES] as const)
        if (counted[count] !== undefined) totals[count] = (totals[count] ?? 0) + grown(count)
      if (bytes > 0) carried += passed
      if (passed >= WHOLE) peak = Math.max(peak, kbps)
      const second = Math.floor(at / 1000)
      const missed = second - Math.floor(measured / 1000)
      // What was measured late is a mean of more than one second.
      if (missed > 1 && missed <= LATE)
        for (let each = second - missed + 1; each < second; each++) ring.put(each, { kbps })
      ring.put(second, values)
      last = values
      before = counted
      measured = at
    },
    report(kbps) {
      const { bytes = 0, packets } = totals
      const report: LegReport = {
        since,
        kbps,
        'kbps-avg': carried === 0 ? 0 : Math.round((bytes * 8) / carried),
        'kbps-peak': Math.round(peak),
        bytes: Math.round(bytes)
      }
      if (packets !== undefined) report.packets = packets
      if (rtt !== undefined) report['rtt-ms'] = tenth(rtt)
      for (const count of COUNT_NAMES) {
        const total = totals[count]
        if (total === undefined) continue
        report[COUNTS[count]] = last[COUNTS[count]] ?? 0
        report[`${COUNTS[count]}-total`] = total
      }
      return report
    },
    reset() {
      for (const count of Object.keys(totals) as Count[]) totals[count] = 0
      since = Date.now()
      peak = 0
      carried = 0
    },
    history({ span, fields, points = span, by = 'mean' }, at) {
      const step = Math.max(1, Math.ceil(span / points))
      const now = Math.floor(at / 1000)
      // Steps begin at fixed times, so that values do not change while they grow old.
      const end = Math.floor(now / step) + 1
      const begin = end - Math.ceil(span / step)
      const columns: ChannelHistory['columns'] = {}
      for (const field of fields) {
        const column: (number | null)[] = []
        for (let each = begin; each < end; each++) {
          const seconds: number[] = []
          for (let second = each * step; second < (each + 1) * step; second++) {
            const value = ring.at(field, second)
            if (!Number.isNaN(value)) seconds.push(value)
          }
          column.push(seconds.length === 0 ? null : together(seconds, field, by))
        }
        columns[field] = column
      }
      return { start: timeOf(begin * step, at), step: step * 1000, columns }
    },
    fields: ring.fields,
    *rows(fields, at) {
      const [oldest, newest] = [ring.oldest(), ring.newest()]
      if (oldest === undefined || newest === undefined) return
      for (let second = oldest; second <= newest; second++)
        yield {
          time: timeOf(second, at),
          values: fields.map((field) => rounded(ring.at(field, second), field))
        }
    }
  }
}

function together(seconds: readonly number[], field: HistoryField, by: 'mean' | 'max'): number {
  if (by === 'max') return rounded(Math.max(...seconds), field)
  const sum = seconds.reduce((total, value) => total + value, 0)
  return rounded(GAUGES.has(field) ? sum / seconds.length : sum, field)
}

const tenth = (value: number) => Math.round(value * 10) / 10
/** As much as can be said of it, in as few bytes. */
const rounded = (value: number, field: HistoryField) => (field === 'rtt-ms' ? tenth(value) : Math.round(value))
