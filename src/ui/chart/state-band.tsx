// States over time as a band. The height of a state tells it apart without its colour, too.
import type { Tone } from '../../text/states.ts'

export interface BandPart {
  tone: Tone
  /** Share of the height, 0-1. */
  height: number
}

interface StateBandProps {
  /** The parts of each interval, each drawn over the one before it. Without parts: a gap. */
  intervals: readonly (readonly BandPart[])[]
}

interface Run extends BandPart {
  start: number
  length: number
}

/** Neighbouring intervals with the same part are one rectangle. */
function runsOf(intervals: StateBandProps['intervals'], layer: number): Run[] {
  const runs: Run[] = []
  for (const [index, parts] of intervals.entries()) {
    const part = parts[layer]
    const last = runs.at(-1)
    if (!part) continue
    if (last && last.start + last.length === index && last.tone === part.tone && last.height === part.height)
      last.length++
    else runs.push({ ...part, start: index, length: 1 })
  }
  return runs
}

export function StateBand({ intervals }: StateBandProps) {
  return (
    <svg
      className="band"
      viewBox={`0 -1 ${intervals.length} 1`}
      preserveAspectRatio="none"
      height={16}
      aria-hidden="true"
    >
      {[0, 1].map((layer) =>
        runsOf(intervals, layer).map(({ start, length, tone, height }) => (
          <rect key={`${layer} ${start}`} data-tone={tone} x={start} y={-height} width={length} height={height} />
        ))
      )}
    </svg>
  )
}
