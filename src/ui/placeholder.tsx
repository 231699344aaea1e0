// Placeholders for content that is loading, empty, failed or not permitted.
import type { ReactNode } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import * as TEXT from './text.ts'

export interface EmptyStateProps {
  icon?: IconName
  title: string
  text?: string
  /** The title is the heading of the page. */
  isPage?: boolean
  children?: ReactNode
}

/** There is no content. `children` are the actions that create some. */
export function EmptyState({ icon = 'list', title, text, isPage, children }: EmptyStateProps) {
  return (
    <div className="note">
      <Icon name={icon} />
      {isPage ? <h1>{title}</h1> : <strong>{title}</strong>}
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}

/** Loading failed: shows the cause and a retry button. */
export function ErrorState({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <div role="alert">
      <EmptyState icon="warning" title={t(TEXT.loadFailed)} text={text}>
        {onRetry && <Button icon="retry" label={t(TEXT.retry)} onClick={onRetry} />}
      </EmptyState>
    </div>
  )
}

/** The user has no permission. */
export function AccessDenied({ text }: { text?: string }) {
  return <EmptyState icon="key" title={t(TEXT.accessDenied)} text={text ?? t(TEXT.deniedHint)} />
}

/** Grey lines shown while content is loading. */
export function Skeleton() {
  return (
    <div className="skeleton" role="status" aria-label={t(TEXT.loading)}>
      <i />
      <i />
      <i />
    </div>
  )
}
