/** The highest number shown; what is beyond is shown as 9999+. */
const CAP = 9999

export interface BadgeProps {
  count: number
  /** What is counted, for who does not see where it stands. */
  label?: string
  /** Something is wrong, rather than so many wait. */
  alarm?: boolean
}

/** A count beside a word; nothing at 0. */
export function Badge({ count, label, alarm }: BadgeProps) {
  if (count <= 0) return null
  return (
    <span className="badge" data-alarm={alarm || undefined}>
      {count > CAP ? `${CAP}+` : count}
      {label && <span className="unseen"> {label}</span>}
    </span>
  )
}
