// What charts draw in: as wide as values are many, as high as the highest, upwards, and stretched to the room there is.
import type { SVGAttributes } from 'react'

interface PlotProps extends SVGAttributes<SVGSVGElement> {
  /** Steps from the first value to the last. */
  steps: number
  /** What fills the height. */
  top: number
}

export function Plot({ steps, top, ...svg }: PlotProps) {
  return <svg role="img" viewBox={`0 ${-top} ${steps} ${top}`} preserveAspectRatio="none" {...svg} />
}

/** A line with the area below it. @param from where its first value stands. @param series which colour: 0 or 1 */
export function Curve({ values, from = 0, series }: { values: readonly number[]; from?: number; series: number }) {
  const line = `M${values.map((value, at) => `${from + at} ${-value}`).join('L')}`
  return (
    values.length > 0 && (
      <g data-series={series}>
        <path className="area" d={`${line}V0H${from}Z`} />
        <path className="curve" d={line} />
      </g>
    )
  )
}
