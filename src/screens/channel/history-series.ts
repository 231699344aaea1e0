// What the columns of a channel's time series say: states of intervals, sums, means, and the area of a bit rate.
import type { ChannelSeries } from '../../../contract/stream/channel-series.ts'
import { duration } from '../../text/dates.ts'
import { healthLabel } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import type { StateLabel } from '../../text/states.ts'
import type { BandPart } from '../../ui/chart/state-band.tsx'
import { TEXT } from './history-text.ts'

export type Columns = ChannelSeries['columns']
type Column = readonly (number | null)[]

/** The intervals of a chart. */
export interface Span {
  columns: Columns
  /** Number of intervals. */
  count: number
  /** Length of each interval. */
  seconds: number
}

interface State {
  name: 'on-air' | 'degraded' | 'down' | 'other' | 'stopped'
  /** Share of the height of the band. */
  height: number
  /** Seconds in this state: of one interval, or of all. */
  seconds(columns: Columns, index?: number): number
}

export const sumOf = (column: Column = []): number => column.reduce<number>((sum, value) => sum + (value ?? 0), 0)

/** The value of an interval, or the sum of all. */
const secondsIn = (column: Column | undefined, index?: number) =>
  index === undefined ? sumOf(column) : (column?.[index] ?? 0)

const recorded = (name: Exclude<State['name'], 'other'>, height: number): State => ({
  name,
  height,
  seconds: (columns, index) => secondsIn(columns[name], index)
})

const KNOWN = [recorded('on-air', 0.5), recorded('degraded', 0.7), recorded('down', 1)] as const
const STOPPED = recorded('stopped', 0.2)

/** All states, in the order of the summary. The rest of the recorded seconds is `other`: waiting or starting. */
export const STATES: readonly State[] = [
  ...KNOWN,
  {
    name: 'other',
    height: 0.35,
    seconds: (columns, index) =>
      secondsIn(columns.observed, index) -
      [...KNOWN, STOPPED].reduce((sum, state) => sum + state.seconds(columns, index), 0)
  },
  STOPPED
]

export const stateLabel = ({ name }: State): StateLabel =>
  name === 'other' ? { tone: 'busy', text: t(TEXT.other) } : healthLabel({ verdict: name })

/** The state of most of an interval, and that of its fault; undefined: nothing was recorded. */
function statesAt(columns: Columns, index: number): { most: State; fault: State | undefined } | undefined {
  if (!secondsIn(columns.observed, index)) return undefined
  const secondsOf = (state: State) => state.seconds(columns, index)
  const [most] = STATES.toSorted((a, b) => secondsOf(b) - secondsOf(a))
  const fault = KNOWN.toReversed().find((state) => state.name !== 'on-air' && secondsOf(state) > 0)
  return most && { most, fault: fault === most ? undefined : fault }
}

/** A fault that is shorter than this share of an interval is drawn as high as this. */
const FAULT_MIN = 0.35

/** The band of states. A fault is drawn over the state of most of its interval, as high as its share. */
export function bandOf({ columns, count }: Span): BandPart[][] {
  return Array.from({ length: count }, (_, index) => {
    const states = statesAt(columns, index)
    if (!states) return []
    const { most, fault } = states
    const share = (state: State) => state.seconds(columns, index) / secondsIn(columns.observed, index)
    return [
      { tone: stateLabel(most).tone, height: most.height },
      ...(fault ? [{ tone: stateLabel(fault).tone, height: Math.max(FAULT_MIN, share(fault)) }] : [])
    ]
  })
}

/** The state of an interval in words. */
export function stateText({ columns, seconds }: Span, index: number): string {
  const states = statesAt(columns, index)
  if (!states) return t(TEXT.unrecorded)
  const { most, fault } = states
  if (!fault) return stateLabel(most).text
  return t(TEXT.partly, stateLabel(fault).text, duration(fault.seconds(columns, index)), duration(seconds))
}

/** Unrecorded seconds that are not worth a word: samples that were late. */
const UNRECORDED_MIN = 60

/** Seconds that were not recorded, without those of the last interval, which may not be over. */
export function unrecordedSeconds({ columns, count, seconds }: Span): number {
  const missing = seconds * (count - 1) - sumOf(columns.observed?.slice(0, -1))
  return missing < UNRECORDED_MIN ? 0 : missing
}

/** The mean of a bit rate over the seconds in which the channel was switched on. */
export function meanOf({ columns }: Span, field: 'kbps-in' | 'kbps-out'): number | undefined {
  let [sum, weight] = [0, 0]
  for (const [index, value] of (columns[field] ?? []).entries()) {
    if (value === null) continue
    const seconds = secondsIn(columns.observed, index) - secondsIn(columns.stopped, index)
    sum += value * seconds
    weight += seconds
  }
  return weight > 0 ? sum / weight : undefined
}

/** The path of the area between the lowest and the highest values, in the units of a plot. Gaps stay gaps. */
export function areaBetween(lows: Column, highs: Column): string {
  const path: string[] = []
  let run: { x: number; low: number; high: number }[] = []
  const close = () => {
    const upper = run.map(({ x, high }) => `${x} ${-high}`)
    const lower = run.toReversed().map(({ x, low }) => `${x} ${-low}`)
    if (run.length > 1) path.push(`M${[...upper, ...lower].join('L')}Z`)
    run = []
  }
  for (const [x, high] of highs.entries()) {
    const low = lows[x]
    if (high === null || low === null || low === undefined) close()
    else run.push({ x, low, high })
  }
  close()
  return path.join('')
}
