import { t } from '../../text/language.ts'
import { Button } from '../button.tsx'
import * as TEXT from '../text.ts'

interface Paging {
  /** Index of the page's first row, from 0, and rows per page: the parameters of list calls. */
  start: number
  count: number
  goTo: (start: number) => void
}

/**
 * The footer of a list that the hub pages. Renders nothing when all rows fit on one page. @param total rows in the
 * whole list
 */
export function Pager({ start, count, goTo, total }: Paging & { total: number }) {
  // The list may have become so short that this page no longer exists: goes to the last page.
  if (start > 0 && start >= total) queueMicrotask(() => goTo(Math.max(0, Math.ceil(total / count) - 1) * count))
  if (total <= count) return null
  const end = Math.min(total, start + count)
  const label = t(TEXT.rowRange, start + 1, end, total)
  return (
    <nav className="pager" aria-label={label}>
      <span className="num">{label}</span>
      <Button
        iconOnly
        icon="back"
        label={t(TEXT.previousPage)}
        disabled={start === 0}
        onClick={() => goTo(Math.max(0, start - count))}
      />
      <Button
        iconOnly
        icon="right"
        label={t(TEXT.nextPage)}
        disabled={end >= total}
        onClick={() => goTo(start + count)}
      />
    </nav>
  )
}
