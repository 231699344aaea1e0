import { link } from '../paths.ts'
import { t } from '../text/language.ts'
import { Empty } from '../ui/placeholder.tsx'
import { TEXT } from './text.ts'

/** What any path without a place shows (specification 2). */
export function NotFound() {
  return (
    <Empty icon="search" title={t(TEXT.notFound)}>
      <a href={`#${link('dashboard')}`}>{t(TEXT.toDashboard)}</a>
    </Empty>
  )
}
