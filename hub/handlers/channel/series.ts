// Handlers for the time series of a channel: columns for charts, and a CSV file.
import { INVALID_ARG } from '../../../contract/codes.ts'
import {
  type ChannelSeries,
  channelSeries,
  exportChannelSeries,
  SERIES_FIELDS,
  SERIES_POINTS,
  SERIES_SPAN
} from '../../../contract/stream/channel-series.ts'
import type { Gate } from '../../auth/gate.ts'
import type { ChannelHistories, HistoryPart } from '../../history/history.ts'
import type { Slot } from '../../history/slot.ts'
import { CallError, type Handler, handle } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { requireChannel } from './changes.ts'
import { measurementsFile } from './csv-file.ts'

interface ChannelSeriesParts {
  store: Store
  gate: Gate
  histories: Pick<ChannelHistories, 'read' | 'pauseOf'>
}

interface SeriesRequest {
  from?: number
  to?: number
  span?: number
}

/** Rows of a file at most: a day by 10 s, a week by minute. */
const FILE_ROWS = 10_080

type SeriesField = (typeof SERIES_FIELDS)[number]

/** The value of each field, NaN if it was not measured. */
const VALUES: Readonly<Record<SeriesField, (slot: Slot) => number>> = {
  'kbps-in': (slot) => Math.round(slot.in),
  'kbps-in-min': (slot) => Math.round(slot.inMin),
  'kbps-in-max': (slot) => Math.round(slot.inMax),
  'kbps-out': (slot) => Math.round(slot.out),
  'kbps-out-min': (slot) => Math.round(slot.outMin),
  'kbps-out-max': (slot) => Math.round(slot.outMax),
  lost: (slot) => Math.round(slot.lost * (slot.observed - slot.stopped)),
  errors: (slot) => Math.round(slot.errors * (slot.observed - slot.stopped)),
  viewers: (slot) => slot.viewers,
  observed: (slot) => slot.observed,
  'on-air': (slot) => slot.onAir,
  degraded: (slot) => slot.degraded,
  down: (slot) => slot.down,
  stopped: (slot) => slot.stopped
}

/** Column headings of the file, with units. */
const HEADINGS: Readonly<Record<SeriesField, string>> = {
  'kbps-in': 'input (kbps)',
  'kbps-in-min': 'input lowest (kbps)',
  'kbps-in-max': 'input highest (kbps)',
  'kbps-out': 'outputs (kbps)',
  'kbps-out-min': 'outputs lowest (kbps)',
  'kbps-out-max': 'outputs highest (kbps)',
  lost: 'lost (packets)',
  errors: 'continuity errors (count)',
  viewers: 'viewers (highest)',
  observed: 'recorded (s)',
  'on-air': 'on air (s)',
  degraded: 'degraded (s)',
  down: 'down (s)',
  stopped: 'stopped (s)'
}

/**
 * The period of a request in seconds since the epoch.
 * @throws CallError 7 if it is empty or longer than `SERIES_SPAN.max`
 */
function periodOf({ from, to = Date.now(), span = SERIES_SPAN.default }: SeriesRequest): { from: number; to: number } {
  const start = from ?? Math.max(0, to - span * 1000)
  if (start >= to) throw new CallError(INVALID_ARG, { field: 'to' })
  if (to - start > SERIES_SPAN.max * 1000) throw new CallError(INVALID_ARG, { field: 'from' })
  return { from: Math.floor(start / 1000), to: Math.ceil(to / 1000) }
}

function measuredValue(field: SeriesField, slot: Slot | undefined): number | null {
  const value = slot ? VALUES[field](slot) : Number.NaN
  return Number.isFinite(value) ? value : null
}

function columnsOf(slots: HistoryPart['slots']): ChannelSeries['columns'] {
  const columns: ChannelSeries['columns'] = {}
  for (const field of SERIES_FIELDS) {
    const column = slots.map((slot) => measuredValue(field, slot))
    if (column.some((value) => value !== null)) columns[field] = column
  }
  return columns
}

/** The intervals as a CSV file, from the first one that was recorded. */
function fileResponse(id: number, { start, step, slots }: HistoryPart): Response {
  const rows = slots.map((slot, index) => ({
    time: (start + index * step) * 1000,
    values: SERIES_FIELDS.map((field) => measuredValue(field, slot))
  }))
  const first = slots.findIndex((slot) => slot !== undefined)
  return measurementsFile(
    SERIES_FIELDS.map((field) => HEADINGS[field]),
    first < 0 ? [] : rows.slice(first),
    `channel-${id}-history`
  )
}

export function channelSeriesHandlers(parts: ChannelSeriesParts): Handler[] {
  const { histories } = parts
  return [
    handle(channelSeries, async (context, request) => {
      const { id } = requireChannel(parts, context, request.id)
      const { from, to } = periodOf(request)
      const { start, step, slots } = await histories.read(id, from, to, request.points ?? SERIES_POINTS.default)
      const pause = histories.pauseOf(id)
      return { start: start * 1000, step: step * 1000, columns: columnsOf(slots), ...(pause && { pause }) }
    }),
    handle(exportChannelSeries, async (context, request) => {
      const { id } = requireChannel(parts, context, request.id)
      const { from, to } = periodOf(request)
      return fileResponse(id, await histories.read(id, from, to, FILE_ROWS))
    })
  ]
}
