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
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width || 600))
    observer.observe(element.current as HTMLElement)
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
  const [inner, low] = [width - LEFT - RIGHT, height - BOTTOM]
  const last = count - 1
  /** A tenth of a pixel is enough. */
  const rounded = (pixels: number) => Math.round(pixels * 10) / 10
  const x = (place: number) => rounded(LEFT + (place / last) * inner)
  const y = (value: number) => rounded(low - (value / top) * (low - TOP))
  const time = (place: number) => timeOfDay(end - (last - place) * step)
  const longest = Math.max(...series.map(({ values }) => values.length))
  const times = Math.max(1, Math.floor(inner / TIME_GAP))

  const read = (place: number) => setCursor(Math.max(count - longest, Math.min(last, place)))

  function point({ clientX, currentTarget }: { clientX: number; currentTarget: Element }): void {
    read(Math.round(((clientX - currentTarget.getBoundingClientRect().left - LEFT) / inner) * last))
  }

  function press(event: { key: string; preventDefault(): void }): void {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (!step) return
    event.preventDefault()
    read((cursor ?? count) + step)
  }

  const shown = cursor ?? last
  const summary = series.map((one) =>
    t(TEXT.now, one.label, format(one.values.at(-1) ?? 0), format(Math.max(0, ...one.values)))
  )
  return (
    <div className="chart" ref={frame}>
      <div className="legend" aria-live={cursor === undefined ? undefined : 'polite'}>
        {series.map(({ label: name, values }, index) => (
          <span key={name} data-series={index} className="num">
            {name} <b>{longest > 0 ? format(values.at(shown - count) ?? 0) : '–'}</b>
          </span>
        ))}
        {cursor !== undefined && <time className="num muted push">{time(cursor)}</time>}
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
              {time(place)}
            </text>
          )
        })}
        {series.map(({ label: name, values }, index) => {
          const from = Math.max(0, count - values.length)
          const line = values.slice(-count).map((one, place) => `${x(from + place)} ${y(one)}`)
          if (line.length === 0) return null
          const curve = `M${line.join('L')}`
          return (
            <g key={name} data-series={index}>
              <path className="area" d={`${curve}V${low}H${x(from)}Z`} />
              <path className="curve" d={curve} />
            </g>
          )
        })}
        {cursor !== undefined && longest > 0 && (
          <line className="cursor" x1={x(cursor)} x2={x(cursor)} y1={TOP} y2={low} />
        )}
      </svg>
    </div>
  )
}
