import { linkTo } from '../paths.ts'
import { t } from '../text/language.ts'
import { EmptyState } from '../ui/placeholder.tsx'
import { TEXT } from './text.ts'

/** Shown for paths that match no route. */
export function NotFound() {
  return (
    <EmptyState isPage icon="search" title={t(TEXT.notFound)}>
      <a href={`#${linkTo('dashboard')}`}>{t(TEXT.toDashboard)}</a>
    </EmptyState>
  )
}
