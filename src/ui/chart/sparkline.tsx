// A few values in a row, to see at a glance where they go. For single ones and their times there is the chart.
import { t } from '../../text/language.ts'
import * as TEXT from '../text.ts'
import { Curve, Plot } from './curve.tsx'

export interface SparklineProps {
  label: string
  /** Oldest first. */
  values: readonly number[]
  /** What fills the height. */
  top: number
  /** A value with its unit. */
  format: (value: number) => string
  /** Which colour: 0 or 1. */
  series?: number
}

export function Sparkline({ label, values, top, format, series = 0 }: SparklineProps) {
  const last = values.at(-1)
  if (last === undefined) return null
  return (
    <div className="chart meter">
      <span>{label}</span>
      <b className="num">{format(last)}</b>
      <Plot
        steps={values.length - 1 || 1}
        top={top || 1}
        height={32}
        aria-label={t(TEXT.now, label, format(last), format(Math.max(...values)))}
      >
        <Curve values={values} series={series} />
      </Plot>
    </div>
  )
}
