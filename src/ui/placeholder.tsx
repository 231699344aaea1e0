// The conditions every room knows besides 'all is well': loading, empty, failed, not allowed.
import type { ReactNode } from 'react'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import * as TEXT from './text.ts'

export interface EmptyProps {
  icon?: IconName
  title: string
  text?: string
  children?: ReactNode
}

/** Nothing there: says what to do next. */
export function Empty({ icon = 'list', title, text, children }: EmptyProps) {
  return (
    <div className="note">
      <Icon name={icon} />
      <strong>{title}</strong>
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}

/** What happened, and a way to try again. */
export function Failed({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <div role="alert">
      <Empty icon="warning" title={t(TEXT.failed)} text={text}>
        {onRetry && <Button icon="retry" label={t(TEXT.retry)} onClick={onRetry} />}
      </Empty>
    </div>
  )
}

/** Not for this user, and why. */
export function Denied({ text }: { text?: string }) {
  return <Empty icon="key" title={t(TEXT.denied)} text={text ?? t(TEXT.deniedWhy)} />
}

/** Grey lines in the place of what is on its way. */
export function Skeleton() {
  return (
    <div className="skeleton" role="status" aria-label={t(TEXT.loading)}>
      <i />
      <i />
      <i />
    </div>
  )
}
