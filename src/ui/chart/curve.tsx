// The drawing area of charts. In SVG units a value is one unit apart from the next on the x axis, and the y axis points
// up from 0 to the maximum. The area is stretched to the space on the page.
import type { SVGAttributes } from 'react'

interface PlotProps extends SVGAttributes<SVGSVGElement> {
  /** Intervals between the first and the last value. */
  intervals: number
  /** The value at the top edge. */
  max: number
}

export function Plot({ intervals, max, ...svg }: PlotProps) {
  return <svg role="img" viewBox={`0 ${-max} ${intervals} ${max}`} preserveAspectRatio="none" {...svg} />
}

interface CurveProps {
  /** null = not measured: a gap in the curve. */
  values: readonly (number | null)[]
  /** Index of the first value on the x axis. */
  firstIndex?: number
  /** Selects the colour: 0 or 1. */
  series: number
}

/** Consecutive values without a gap. */
interface Run {
  start: number
  values: number[]
}

function runsOf(values: readonly (number | null)[]): Run[] {
  const runs: Run[] = []
  let current: Run | undefined
  for (const [index, value] of values.entries()) {
    if (value === null) {
      current = undefined
      continue
    }
    if (!current) {
      current = { start: index, values: [] }
      runs.push(current)
    }
    current.values.push(value)
  }
  return runs
}

/** A line with the area below it. A value between two gaps is a dot. */
export function Curve({ values, firstIndex = 0, series }: CurveProps) {
  const runs = runsOf(values).map((run) => {
    const x = firstIndex + run.start
    const line = `M${run.values.map((value, index) => `${x + index} ${-value}`).join('L')}`
    return { line: run.values.length > 1 ? line : `${line}h0`, area: `${line}V0H${x}Z` }
  })
  return (
    runs.length > 0 && (
      <g data-series={series}>
        <path className="area" d={runs.map(({ area }) => area).join('')} />
        <path className="curve" d={runs.map(({ line }) => line).join('')} />
      </g>
    )
  )
}
