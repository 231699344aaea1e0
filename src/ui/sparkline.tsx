// A few values in a row, to see at a glance where they go. For single ones and their times there is the chart.
import { t } from '../text/language.ts'
import * as TEXT from './text.ts'

export interface SparklineProps {
  label: string
  /** Oldest first. */
  values: readonly number[]
  /** What fills the height; the highest value where nothing is said. */
  top?: number
  /** A value with its unit. */
  format: (value: number) => string
  /** Which colour: 0 or 1. */
  series?: number
}

const HEIGHT = 32

export function Sparkline({ label, values, top = 0, format, series = 0 }: SparklineProps) {
  const last = values.at(-1)
  if (last === undefined) return null
  const highest = Math.max(...values)
  const most = Math.max(top, highest) || 1
  const y = (value: number) => Math.round((1 - value / most) * (HEIGHT - 2) * 10) / 10 + 1
  const width = Math.max(1, values.length - 1)
  const curve = `M${values.map((value, at) => `${at} ${y(value)}`).join('L')}`
  return (
    <div className="chart spark">
      <span>{label}</span>
      <b className="num">{format(last)}</b>
      <svg
        role="img"
        aria-label={t(TEXT.now, label, format(last), format(highest))}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        preserveAspectRatio="none"
        data-series={series}
      >
        <path className="area" d={`${curve}V${HEIGHT}H0Z`} />
        <path className="curve" d={curve} vector-effect="non-scaling-stroke" />
      </svg>
    </div>
  )
}
