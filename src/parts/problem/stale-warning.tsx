import { $freshness } from '../../state/freshness.ts'
import { duration } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { $now } from '../../ui/clock.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import * as TEXT from './text.ts'

/** Says that nothing on the page is current. Without it a list of no problems would look healthy. */
export function StaleWarning() {
  const { stale, since } = useStore($freshness)
  const now = useStore($now)
  if (!stale) return null
  return (
    <p className="problem-note" role="alert">
      <StatusLabel tone="bad" text={t(TEXT.staleTitle)} /> {t(TEXT.staleText, duration((now - since) / 1000))}
    </p>
  )
}
