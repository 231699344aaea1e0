interface BadgeProps {
  /** A number, which the caller caps, or a sign. */
  count: number | '!'
  /** The counted thing, for screen readers. */
  label?: string
  /** Alarm colour, for counts of problems. */
  alarm?: boolean
}

/** A count beside a label. Renders nothing at 0. */
export function Badge({ count, label, alarm }: BadgeProps) {
  if (count === 0) return null
  return (
    <span className="badge" data-alarm={alarm || undefined}>
      {count}
      {label && <span className="unseen"> {label}</span>}
    </span>
  )
}
