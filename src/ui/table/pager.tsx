import { t } from '../../text/language.ts'
import { Button } from '../button.tsx'
import * as TEXT from '../text.ts'

export interface Paging {
  /** First index from 0, and how many: as list calls take them. */
  start: number
  count: number
  go: (start: number) => void
}

/** The foot of a list of the hub; nothing where all is on one page. @param total rows in all */
export function Pager({ start, count, go, total }: Paging & { total: number }) {
  // Rows may have gone meanwhile, and with them this page.
  if (start > 0 && start >= total) queueMicrotask(() => go(Math.max(0, Math.ceil(total / count) - 1) * count))
  if (total <= count) return null
  const end = Math.min(total, start + count)
  const said = t(TEXT.rows, start + 1, end, total)
  return (
    <nav className="pager" aria-label={said}>
      <span className="num">{said}</span>
      <Button
        bare
        icon="back"
        label={t(TEXT.previous)}
        disabled={start === 0}
        onClick={() => go(Math.max(0, start - count))}
      />
      <Button bare icon="right" label={t(TEXT.next)} disabled={end >= total} onClick={() => go(start + count)} />
    </nav>
  )
}
