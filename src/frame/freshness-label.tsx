import { $freshness } from '../state/freshness.ts'
import { duration } from '../text/dates.ts'
import { t } from '../text/language.ts'
import { $now } from '../ui/clock.ts'
import { StatusLabel } from '../ui/status-label.tsx'
import { useStore } from '../ui/use-store.ts'
import * as TEXT from './text.ts'

/**
 * Shows whether the data on the page is live, and if not, since when it is stale. The style sheet dims the content of
 * `[data-stale]`.
 */
export function FreshnessLabel() {
  const { stale, since } = useStore($freshness)
  return (
    <span role="status" className="push">
      {stale ? <StaleFor since={since} /> : <StatusLabel pill tone="good" text={t(TEXT.connected)} />}
    </span>
  )
}

function StaleFor({ since }: { since: number }) {
  const seconds = Math.max(0, (useStore($now) - since) / 1000)
  return <StatusLabel pill tone="bad" text={t(TEXT.stale, duration(seconds))} />
}
