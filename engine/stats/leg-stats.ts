// Statistics of one leg: totals since a reset, and the past hour by the second. They are kept when the leg restarts.
import type { ChannelHistory, HistoryField, LegReport, TransportReport } from '../../contract/stream/channel-history.ts'
import { TRANSPORT_ERRORS } from '../../contract/stream/transport.ts'
import type { LegCounters } from '../interfaces/legs.ts'
import type { TransportCounts } from '../interfaces/relay.ts'
import type { HistoryQuery } from '../interfaces/wire.ts'
import { createRingBuffer } from './ring-buffer.ts'
import { TransportTotals } from './transport-totals.ts'

type Count = Exclude<keyof LegCounters, 'rtt' | 'transport'>

/** Counters that are stored by the second, and their history fields. */
const COUNT_FIELDS = {
  lost: 'pkt-loss',
  dropped: 'pkt-drop',
  retransmitted: 'pkt-retrans',
  recovered: 'pkt-recovered',
  gaps: 'ts-cc-errors'
} as const satisfies { [count in Count]?: HistoryField }
const STORED_COUNTS = Object.keys(COUNT_FIELDS) as (keyof typeof COUNT_FIELDS)[]
const TOTAL_COUNTS = ['bytes', 'packets', ...STORED_COUNTS] as const

/** Fields whose seconds are averaged when they are combined; counts are added. */
const GAUGES: ReadonlySet<HistoryField> = new Set(['kbps', 'rtt-ms', 'pcr-jitter-ms'])

/** Seconds without a measurement, up to this number, get the average rate of the measurement after them. */
const LATE_MAX = 5

/** Milliseconds: an interval shorter than this does not count for the peak rate. */
const PEAK_INTERVAL_MIN = 500

/** Totals since the last reset, and the past hour by the second. */
export class LegStats {
  readonly #ring = createRingBuffer<HistoryField>()
  readonly #lag: number
  #lastCounters: LegCounters = { bytes: 0 }
  #measuredAt = 0
  readonly #totals: { [count in Count]?: number } = { bytes: 0 }
  /** Values of the last measurement. */
  #last: Partial<Record<HistoryField, number>> = {}
  #rtt: number | undefined
  readonly #transport = new TransportTotals()
  /** Whether the last measurement had the errors of a transport stream. */
  #hasTransport = false
  /** Time of the last reset, in milliseconds since the epoch. */
  #since = Date.now()
  #peak = 0
  /** Milliseconds with traffic. */
  #activeMs = 0

  /** @param lag milliseconds by which the measured counters are behind */
  constructor(lag = 0) {
    this.#lag = lag
  }

  /** Starts measuring another leg; its counts so far are not added. */
  setBaseline(counters: LegCounters, time: number): void {
    this.#lastCounters = counters
    this.#measuredAt = time
    this.#rtt = undefined
    this.#transport.setBaseline(counters.transport)
  }

  /** Adds a measurement. Call once a second while the leg runs. */
  measure(counters: LegCounters, time: number): void {
    const interval = time - this.#measuredAt
    if (interval <= 0) return
    const values: Partial<Record<HistoryField, number>> = {}
    const increase = (count: Count) => Math.max(0, (counters[count] ?? 0) - (this.#lastCounters[count] ?? 0))
    const bytes = increase('bytes')
    const kbps = (bytes * 8) / interval
    values.kbps = kbps
    this.#rtt = counters.rtt
    if (this.#rtt !== undefined) values['rtt-ms'] = this.#rtt
    this.#hasTransport = counters.transport !== undefined
    if (counters.transport) {
      const { pcrJitterMs } = counters.transport
      values['ts-errors'] = this.#transport.add(counters.transport)
      if (pcrJitterMs !== undefined) values['pcr-jitter-ms'] = pcrJitterMs
    }
    for (const count of STORED_COUNTS) if (counters[count] !== undefined) values[COUNT_FIELDS[count]] = increase(count)
    for (const count of TOTAL_COUNTS)
      if (counters[count] !== undefined) this.#totals[count] = (this.#totals[count] ?? 0) + increase(count)
    if (bytes > 0) this.#activeMs += interval
    if (interval >= PEAK_INTERVAL_MIN) this.#peak = Math.max(this.#peak, kbps)
    this.#store(Math.floor(time / 1000), values, kbps)
    this.#last = values
    this.#lastCounters = counters
    this.#measuredAt = time
  }

  /** @param kbps current rate of the leg */
  report(kbps: number): LegReport {
    const { bytes = 0, packets } = this.#totals
    const report: LegReport = {
      since: this.#since,
      kbps,
      'kbps-avg': this.#activeMs === 0 ? 0 : Math.round((bytes * 8) / this.#activeMs),
      'kbps-peak': Math.round(this.#peak),
      bytes: Math.round(bytes)
    }
    if (packets !== undefined) report.packets = packets
    if (this.#rtt !== undefined) report['rtt-ms'] = roundToTenth(this.#rtt)
    for (const count of STORED_COUNTS) {
      const total = this.#totals[count]
      if (total === undefined) continue
      report[COUNT_FIELDS[count]] = this.#last[COUNT_FIELDS[count]] ?? 0
      report[`${COUNT_FIELDS[count]}-total`] = total
    }
    if (this.#hasTransport) report.transport = describeTransport(this.#transport.counts())
    return report
  }

  /** Sets the totals to 0 and keeps the past hour. */
  reset(): void {
    for (const count of Object.keys(this.#totals) as Count[]) this.#totals[count] = 0
    this.#transport.reset()
    this.#since = Date.now()
    this.#peak = 0
    this.#activeMs = 0
  }

  history({ span, fields, points = span, aggregate = 'mean' }: HistoryQuery, time: number): ChannelHistory {
    const step = Math.max(1, Math.ceil(span / points))
    // Steps are aligned to multiples of their length, so that a point keeps its value as time passes.
    const end = Math.floor(Math.floor(time / 1000) / step) + 1
    const begin = end - Math.ceil(span / step)
    const columns: ChannelHistory['columns'] = {}
    for (const field of fields) {
      const column: (number | null)[] = []
      for (let index = begin; index < end; index++) {
        const values = this.#valuesOf(field, index * step, step)
        column.push(values.length === 0 ? null : combine(values, field, aggregate))
      }
      columns[field] = column
    }
    return { start: this.#timeOf(begin * step, time), step: step * 1000, columns }
  }

  /** Fields that have been measured at least once. */
  fields(): HistoryField[] {
    return this.#ring.fields()
  }

  /**
   * Each stored second, oldest first: its time in milliseconds since the epoch, and one value per field, NaN if there
   * is none.
   */
  *rows(fields: readonly HistoryField[], time: number): Generator<{ time: number; values: number[] }> {
    const [oldest, newest] = [this.#ring.oldest(), this.#ring.newest()]
    if (oldest === undefined || newest === undefined) return
    for (let second = oldest; second <= newest; second++)
      yield {
        time: this.#timeOf(second, time),
        values: fields.map((field) => roundField(this.#ring.valueAt(field, second), field))
      }
  }

  /** Stores a second. If measurements were late, the rate is an average that also fills the seconds before. */
  #store(second: number, values: Partial<Record<HistoryField, number>>, kbps: number): void {
    const passed = second - Math.floor(this.#measuredAt / 1000)
    if (passed > 1 && passed <= LATE_MAX)
      for (let late = second - passed + 1; late < second; late++) this.#ring.put(late, { kbps })
    this.#ring.put(second, values)
  }

  #valuesOf(field: HistoryField, from: number, count: number): number[] {
    const values: number[] = []
    for (let second = from; second < from + count; second++) {
      const value = this.#ring.valueAt(field, second)
      if (!Number.isNaN(value)) values.push(value)
    }
    return values
  }

  /** Wall-clock time at which a second of the ring buffer began. */
  #timeOf(second: number, time: number): number {
    return Math.round(Date.now() - time + (second - 1) * 1000 - this.#lag)
  }
}

function combine(values: readonly number[], field: HistoryField, aggregate: 'mean' | 'max'): number {
  if (aggregate === 'max') return roundField(Math.max(...values), field)
  const sum = values.reduce((total, value) => total + value, 0)
  return roundField(GAUGES.has(field) ? sum / values.length : sum, field)
}

function describeTransport({ errors, pcrJitterMs }: TransportCounts): TransportReport {
  const report: TransportReport = { errors: {} }
  TRANSPORT_ERRORS.forEach((name, index) => {
    const { count = 0, at = 0 } = errors[index] ?? {}
    if (count > 0) report.errors[name] = { count, at: Math.round(at) }
  })
  if (pcrJitterMs !== undefined) report['pcr-jitter-ms'] = roundToTenth(pcrJitterMs)
  return report
}

const roundToTenth = (value: number) => Math.round(value * 10) / 10
const roundField = (value: number, field: HistoryField) =>
  field.endsWith('-ms') ? roundToTenth(value) : Math.round(value)
