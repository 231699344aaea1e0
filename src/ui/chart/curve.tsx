// The drawing area of charts. In SVG units a value is one unit apart from the next on the x axis, and the y axis points up from 0 to the
// maximum. The area is stretched to the space on the page.
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
  values: readonly number[]
  /** Index of the first value on the x axis. */
  firstIndex?: number
  /** Selects the colour: 0 or 1. */
  series: number
}

/** A line with the area below it. */
export function Curve({ values, firstIndex = 0, series }: CurveProps) {
  const line = `M${values.map((value, index) => `${firstIndex + index} ${-value}`).join('L')}`
  return (
    values.length > 0 && (
      <g data-series={series}>
        <path className="area" d={`${line}V0H${firstIndex}Z`} />
        <path className="curve" d={line} />
      </g>
    )
  )
}
