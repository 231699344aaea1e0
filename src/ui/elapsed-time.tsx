import { dateTime, duration } from '../text/dates.ts'
import { $clockOffset, $now } from './clock.ts'
import { useStore } from './use-store.ts'

interface ElapsedTimeProps {
  /** Milliseconds since the epoch, on the hub's clock. */
  since: number
  /** Formats the elapsed seconds as a sentence: `lasting`, `ago`. The default is the bare duration. */
  format?: (seconds: number) => string
}

/** The time elapsed since an event, updated every second. The tooltip shows the time of the event. */
export function ElapsedTime({ since, format = duration }: ElapsedTimeProps) {
  const now = useStore($now) + useStore($clockOffset)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable by keyboard
    <time className="num" dateTime={new Date(since).toISOString()} data-tip={dateTime(since)} tabIndex={0}>
      {format((now - since) / 1000)}
    </time>
  )
}
