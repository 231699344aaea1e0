// A line and area chart in SVG: series over time, an axis with units, and single values under the pointer or by arrow keys.
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { timeOfDay } from '../text/dates.ts'
import { t } from '../text/language.ts'
import { scaleTo } from './scale.ts'
import * as TEXT from './text.ts'

export interface Series {
  label: string
  /** Oldest first; the last belongs to `end`. */
  values: readonly number[]
}

export interface ChartProps {
  label: string
  series: readonly Series[]
  /** Values that a whole axis holds. With fewer the curve begins later. */
  count: number
  /** Milliseconds between two values. */
  step: number
  /** Milliseconds since the epoch of the last value. */
  end: number
  /** A value with its unit. */
  format: (value: number) => string
  /** Pixels. */
  height?: number
}

const LEFT = 64
const RIGHT = 8
const TOP = 8
const BOTTOM = 20
/** Pixels between two times on the axis. */
const TIME_GAP = 140

/** The width of an element, followed. */
function useWidth(): [{ current: HTMLDivElement | null }, number] {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(600)
  useLayoutEffect(() => {
    if (!element.current || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width || 600))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}

export function Chart({ label, series, count, step, end, format, height = 200 }: ChartProps) {
  const [frame, width] = useWidth()
  const [cursor, setCursor] = useState<number>()
  const id = useId()
  const highest = Math.max(0, ...series.flatMap(({ values }) => values))
  const { top, steps } = scaleTo(highest)
  const [inner, low] = [Math.max(1, width - LEFT - RIGHT), height - BOTTOM]
  const last = count - 1
  const x = (place: number) => LEFT + (place / Math.max(1, last)) * inner
  const y = (value: number) => low - (value / top) * (low - TOP)
  const at = (place: number) => end - (last - place) * step
  const value = ({ values }: Series, place: number) => values[place - count + values.length]
  const longest = Math.max(0, ...series.map(({ values }) => values.length))
  const times = Math.max(1, Math.floor(inner / TIME_GAP))

  const curve = ({ values }: Series) =>
    values
      .slice(-count)
      .map(
        (one, index, { length }) => `${index ? 'L' : 'M'}${x(count - length + index).toFixed(1)} ${y(one).toFixed(1)}`
      )
      .join('')

  function point({ clientX, currentTarget }: { clientX: number; currentTarget: Element }): void {
    const place = Math.round(((clientX - currentTarget.getBoundingClientRect().left - LEFT) / inner) * last)
    setCursor(Math.max(count - longest, Math.min(last, place)))
  }

  function press(event: { key: string; preventDefault(): void }): void {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (!step) return
    event.preventDefault()
    setCursor(Math.max(count - longest, Math.min(last, (cursor ?? last + 1) + step)))
  }

  const shown = cursor ?? last
  const summary = series.map((one) =>
    t(TEXT.now, one.label, format(one.values.at(-1) ?? 0), format(Math.max(0, ...one.values)))
  )
  return (
    <div className="chart" ref={frame}>
      <div className="legend" aria-live={cursor === undefined ? undefined : 'polite'}>
        {series.map((one, index) => (
          <span key={one.label} data-series={index} className="num">
            {one.label} <b>{longest > 0 ? format(value(one, shown) ?? 0) : '–'}</b>
          </span>
        ))}
        {cursor !== undefined && <time className="num muted push">{timeOfDay(at(cursor))}</time>}
      </div>
      <svg
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read single values
        tabIndex={0}
        aria-label={label}
        aria-describedby={id}
        width={width}
        height={height}
        onPointerMove={point}
        onPointerLeave={() => setCursor(undefined)}
        onBlur={() => setCursor(undefined)}
        onKeyDown={press}
      >
        <desc id={id}>{`${summary.join('. ')}. ${t(TEXT.move)}`}</desc>
        {steps.map((one) => (
          <g key={one}>
            <line x1={LEFT} x2={width - RIGHT} y1={y(one)} y2={y(one)} />
            <text x={LEFT - 8} y={y(one) + 4} text-anchor="end">
              {format(one)}
            </text>
          </g>
        ))}
        {Array.from({ length: times + 1 }, (_, index) => {
          const place = (last * index) / times
          return (
            <text
              key={place}
              x={x(place)}
              y={height - 2}
              text-anchor={index === 0 ? 'start' : index === times ? 'end' : 'middle'}
            >
              {timeOfDay(at(place))}
            </text>
          )
        })}
        {series.map((one, index) => {
          const line = curve(one)
          const from = x(count - Math.min(count, one.values.length)).toFixed(1)
          return (
            line && (
              <g key={one.label} data-series={index}>
                <path className="area" d={`${line}V${low}H${from}Z`} />
                <path className="curve" d={line} />
              </g>
            )
          )
        })}
        {cursor !== undefined && longest > 0 && (
          <line className="cursor" x1={x(cursor)} x2={x(cursor)} y1={TOP} y2={low} />
        )}
      </svg>
    </div>
  )
}
