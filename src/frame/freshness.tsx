import { $fresh } from '../state/freshness.ts'
import { duration } from '../text/dates.ts'
import { t } from '../text/language.ts'
import { $now } from '../ui/clock.ts'
import { State } from '../ui/state.tsx'
import { useStore } from '../ui/use-store.ts'
import { TEXT } from './text.ts'

/** Says whether what is on the page can be vouched for, and when not, for how long. Everything below `[data-stale]` is dimmed. */
export function Freshness() {
  const { stale, since } = useStore($fresh)
  return (
    <span role="status" className="push">
      {stale ? <StaleFor since={since} /> : <State pill tone="good" text={t(TEXT.live)} />}
    </span>
  )
}

function StaleFor({ since }: { since: number }) {
  const seconds = Math.max(0, (useStore($now) - since) / 1000)
  return <State pill tone="bad" text={t(TEXT.stale, duration(seconds))} />
}
