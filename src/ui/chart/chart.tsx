// A line and area chart of series over time, with a value axis. The pointer or the arrow keys select a single point in
// time.
import { type ReactNode, useId, useState } from 'react'
import { timeOfDay } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import * as TEXT from '../text.ts'
import { Curve, Plot } from './curve.tsx'

export interface Series {
  label: string
  /** Oldest first; null = not measured. The last value belongs to `end`. */
  values: readonly (number | null)[]
  /** The highest value within each interval, if `values` are means. */
  highs?: readonly (number | null)[] | undefined
}

interface ChartProps {
  label: string
  series: readonly Series[]
  /** Number of values that fill the time axis. A series with fewer values starts further right. */
  count: number
  /** Milliseconds between two values. */
  interval: number
  /** Time of the last value, in milliseconds since the epoch. */
  end: number
  /** Formats a value with its unit. */
  format: (value: number) => string
  /** Formats a time; by default its time of day with seconds. */
  timeText?: (ms: number) => string
  /** Labels only whole numbers on the axis. */
  whole?: boolean
  /** Height of the plot in pixels; 260 by default. */
  height?: number
  /** Drawn over the curves: one unit is an interval on the x axis, and `max` is at the top of the y axis, at -max. */
  overlay?: (max: number) => ReactNode
  /** Drawn between the plot and the times. */
  band?: ReactNode
  /** Further facts about the selected interval, after its values. */
  detail?: (index: number) => ReactNode
}

const highestOf = (values: readonly (number | null)[]) => Math.max(0, ...values.map((value) => value ?? 0))

/** The interval that a key selects; undefined for other keys. @param count number of intervals */
function indexForKey(key: string, index: number, count: number): number | undefined {
  const page = Math.ceil(count / 10)
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -page, PageDown: page }
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return steps[key] === undefined ? undefined : index + steps[key]
}

/**
 * The interval that the pointer or the keys have selected, and the properties of the element that they act on.
 * @param first the first interval with a value
 */
function useCursor(count: number, first: number) {
  const [cursor, setCursor] = useState<number>()
  const moveCursor = (index: number) => setCursor(Math.max(first, Math.min(count - 1, index)))
  const clearCursor = () => setCursor(undefined)

  function handlePointerMove({ clientX, currentTarget }: { clientX: number; currentTarget: Element }): void {
    const { left, width } = currentTarget.getBoundingClientRect()
    moveCursor(Math.round(((clientX - left) / width) * (count - 1)))
  }

  function handleKeyDown(event: { key: string; preventDefault(): void }): void {
    const next = indexForKey(event.key, cursor ?? count, count)
    if (next === undefined) return
    event.preventDefault()
    moveCursor(next)
  }

  const cursorProps = {
    onPointerDown: handlePointerMove,
    onPointerMove: handlePointerMove,
    // A finger that is lifted leaves the value that it has selected.
    onPointerLeave: ({ pointerType }: { pointerType: string }) => pointerType !== 'touch' && clearCursor(),
    onBlur: clearCursor,
    onKeyDown: handleKeyDown
  }
  return { cursor, cursorProps }
}

export function Chart(props: ChartProps) {
  const { label, series, count, interval, end, format, timeText = timeOfDay, whole, height = 260 } = props
  const id = useId()
  const lastIndex = count - 1
  const { max, ticks } = niceAxis(highestOf(series.flatMap(({ values, highs = [] }) => [...values, ...highs])), whole)
  const longest = Math.max(...series.map(({ values }) => values.length))
  const timeAt = (index: number) => timeText(end - (lastIndex - index) * interval)

  const { cursor, cursorProps } = useCursor(count, count - longest)
  const shownIndex = cursor ?? lastIndex
  const textOf = (value: number | null | undefined) => (typeof value === 'number' ? format(value) : '–')
  const summary = series.map(({ label: name, values }) =>
    t(TEXT.currentAndMax, name, textOf(values.at(-1)), format(highestOf(values)))
  )
  return (
    <div className="chart">
      <div className="legend span" aria-live={cursor === undefined ? undefined : 'polite'}>
        {series.map(({ label: name, values }, index) => (
          <span key={name} data-series={index} className="num">
            {name} <b>{textOf(values.at(shownIndex - count))}</b>
          </span>
        ))}
        {cursor !== undefined && props.detail?.(cursor)}
        {cursor !== undefined && <time className="num muted push">{timeAt(cursor)}</time>}
      </div>
      <small className="num" aria-hidden="true">
        {ticks.map((tick) => (
          // An axis of nothing but 0 has an end that reads as 0 too.
          <span key={tick}>{tick > 0 && format(tick) === format(0) ? '' : format(tick)}</span>
        ))}
      </small>
      <Plot
        intervals={lastIndex}
        max={max}
        height={height}
        tabIndex={0}
        aria-label={label}
        aria-describedby={id}
        {...cursorProps}
      >
        <desc id={id}>{`${summary.join('. ')}. ${t(TEXT.arrowKeysHint)}`}</desc>
        <path className="grid" d={ticks.map((tick) => `M0 ${-tick}H${lastIndex}`).join('')} />
        {series.map(({ label: name, values }, index) => (
          <Curve
            key={name}
            values={values.slice(-count)}
            firstIndex={Math.max(0, count - values.length)}
            series={index}
          />
        ))}
        {props.overlay?.(max)}
        {cursor !== undefined && longest > 0 && <path className="cursor" d={`M${cursor} 0V${-max}`} />}
      </Plot>
      {props.band}
      <small className="num" aria-hidden="true">
        {[0, lastIndex / 2, lastIndex].map((index) => (
          <span key={index}>{timeAt(index)}</span>
        ))}
      </small>
    </div>
  )
}

/**
 * Chooses an axis from 0 with at most four intervals of a round length: 1, 2, 2.5 or 5 times a power of ten.
 * @param whole rounds the length up to a whole number
 * @returns the end of the axis, which is not below `highestValue`, and the values to label
 */
export function niceAxis(highestValue: number, whole = false): { max: number; ticks: number[] } {
  const minInterval = highestValue / 4
  // The logarithm of 0 is not finite: an axis of nothing but 0 ends at 1.
  const power = 10 ** Math.floor(Math.log10(minInterval || 0.25))
  const length = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= minInterval) ?? 10)
  const interval = whole ? Math.ceil(length) : length
  const count = Math.max(1, Math.ceil(highestValue / interval))
  return { max: interval * count, ticks: Array.from({ length: count + 1 }, (_, index) => interval * index) }
}
