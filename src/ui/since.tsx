import { dateTime, duration } from '../text/dates.ts'
import { $now, $skew } from './clock.ts'
import { useStore } from './use-store.ts'

export interface SinceProps {
  /** Milliseconds since the epoch, on the hub's clock. */
  at: number
  /** Says the length in a sentence: `lasting`, `ago`. The bare length otherwise. */
  say?: (seconds: number) => string
}

/** How long something lasts, going on by itself, with the exact time as tooltip. */
export function Since({ at, say = duration }: SinceProps) {
  const now = useStore($now) + useStore($skew)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable by keyboard
    <time className="num" dateTime={new Date(at).toISOString()} data-tip={dateTime(at)} tabIndex={0}>
      {say((now - at) / 1000)}
    </time>
  )
}
