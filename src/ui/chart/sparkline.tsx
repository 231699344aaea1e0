// A small chart without axes that shows the trend of a value. `Chart` shows single values and their times.
import { t } from '../../text/language.ts'
import * as TEXT from '../text.ts'
import { Curve, Plot } from './curve.tsx'

interface SparklineProps {
  label: string
  /** Oldest first. */
  values: readonly number[]
  /** The value at the top edge. */
  max: number
  /** Formats a value with its unit. */
  format: (value: number) => string
  /** Selects the colour: 0 or 1. */
  series?: number
}

export function Sparkline({ label, values, max, format, series = 0 }: SparklineProps) {
  const last = values.at(-1)
  if (last === undefined) return null
  return (
    <div className="chart meter">
      <span>{label}</span>
      <b className="num">{format(last)}</b>
      <Plot
        intervals={values.length - 1 || 1}
        max={max || 1}
        height={32}
        aria-label={t(TEXT.currentAndMax, label, format(last), format(Math.max(...values)))}
      >
        <Curve values={values} series={series} />
      </Plot>
    </div>
  )
}
