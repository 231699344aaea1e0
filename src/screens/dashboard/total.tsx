import { number } from '../../text/numbers.ts'
import type { Tone } from '../../text/states.ts'

interface TotalProps {
  title: string
  /** A number, or a text in its place. */
  count: number | string
  /** The whole of which the count is a part. */
  note?: string
  tone?: Tone
  /** Link to the list; undefined for users without the permission to view it. */
  href?: string
}

/** A count, with a link to the list of the counted objects. */
export function Total({ title, count, note, tone, href }: TotalProps) {
  const content = (
    <>
      <span>{title}</span>
      <strong data-tone={tone}>{typeof count === 'number' ? number(count) : count}</strong>
      <small>{note}</small>
    </>
  )
  return href ? (
    <a className="figure" href={`#${href}`}>
      {content}
    </a>
  ) : (
    <div className="figure">{content}</div>
  )
}
