import { number } from '../../text/numbers.ts'
import type { Tone } from '../../text/states.ts'

interface SumProps {
  title: string
  count: number
  /** What the count is part of. */
  note?: string
  tone?: Tone
  /** Where to see more; absent for who may not. */
  to?: string
}

/** A number that matters, and the way to what it counts. */
export function Sum({ title, count, note, tone, to }: SumProps) {
  const inside = (
    <>
      <span>{title}</span>
      <strong data-tone={tone}>{number(count)}</strong>
      <small>{note}</small>
    </>
  )
  return to ? (
    <a className="figure" href={`#${to}`}>
      {inside}
    </a>
  ) : (
    <div className="figure">{inside}</div>
  )
}
