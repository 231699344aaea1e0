export interface BadgeProps {
  count: number
  /** What is counted, for who does not see where it stands. */
  label?: string
  /** Something is wrong, rather than so many wait. */
  alarm?: boolean
}

/** A count beside a word, capped by who counts; nothing at 0. */
export function Badge({ count, label, alarm }: BadgeProps) {
  if (count <= 0) return null
  return (
    <span className="badge" data-alarm={alarm || undefined}>
      {count}
      {label && <span className="unseen"> {label}</span>}
    </span>
  )
}
