// A line and area chart: series over time, an axis with units, and single values under the pointer or by arrow keys.
import { useId, useState } from 'react'
import { timeOfDay } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import * as TEXT from '../text.ts'
import { Curve, Plot } from './curve.tsx'
import { scaleTo } from './scale.ts'

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
}

export function Chart({ label, series, count, step, end, format }: ChartProps) {
  const [cursor, setCursor] = useState<number>()
  const id = useId()
  const last = count - 1
  const { top, steps } = scaleTo(Math.max(0, ...series.flatMap(({ values }) => values)))
  const longest = Math.max(...series.map(({ values }) => values.length))
  const time = (place: number) => timeOfDay(end - (last - place) * step)

  const read = (place: number) => setCursor(Math.max(count - longest, Math.min(last, place)))
  const leave = () => setCursor(undefined)

  function point({ clientX, currentTarget }: { clientX: number; currentTarget: Element }): void {
    const { left, width } = currentTarget.getBoundingClientRect()
    read(Math.round(((clientX - left) / width) * last))
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
    <div className="chart">
      <div className="legend span" aria-live={cursor === undefined ? undefined : 'polite'}>
        {series.map(({ label: name, values }, index) => (
          <span key={name} data-series={index} className="num">
            {name} <b>{longest > 0 ? format(values.at(shown - count) ?? 0) : '–'}</b>
          </span>
        ))}
        {cursor !== undefined && <time className="num muted push">{time(cursor)}</time>}
      </div>
      <small className="num" aria-hidden="true">
        {steps.map((one) => (
          <span key={one}>{format(one)}</span>
        ))}
      </small>
      <Plot
        steps={last}
        top={top}
        height={260}
        tabIndex={0}
        aria-label={label}
        aria-describedby={id}
        onPointerMove={point}
        onPointerLeave={leave}
        onBlur={leave}
        onKeyDown={press}
      >
        <desc id={id}>{`${summary.join('. ')}. ${t(TEXT.move)}`}</desc>
        <path className="grid" d={steps.map((one) => `M0 ${-one}H${last}`).join('')} />
        {series.map(({ label: name, values }, index) => (
          <Curve key={name} values={values.slice(-count)} from={Math.max(0, count - values.length)} series={index} />
        ))}
        {cursor !== undefined && longest > 0 && <path className="cursor" d={`M${cursor} 0V${-top}`} />}
      </Plot>
      <small className="num" aria-hidden="true">
        {[0, last / 2, last].map((place) => (
          <span key={place}>{time(place)}</span>
        ))}
      </small>
    </div>
  )
}
