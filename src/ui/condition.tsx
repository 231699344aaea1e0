// The conditions every room knows besides 'all is well': loading, empty, failed, old, not allowed.
import type { ReactNode } from 'react'
import { duration } from '../text/dates.ts'
import { t } from '../text/language.ts'
import { Button } from './button.tsx'
import { $now } from './clock.ts'
import { Icon, type IconName } from './icon.tsx'
import * as TEXT from './text.ts'
import { useStore } from './use-store.ts'

interface NoteProps {
  icon: IconName
  title: string
  text?: string
  children?: ReactNode
}

function Note({ icon, title, text, children }: NoteProps) {
  return (
    <div className="note">
      <Icon name={icon} />
      <strong>{title}</strong>
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}

/** Nothing there: says what to do next. */
export function Empty({ icon = 'list', ...props }: Omit<NoteProps, 'icon'> & { icon?: IconName }) {
  return <Note icon={icon} {...props} />
}

/** What happened, and a way to try again. */
export function Failed({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <div role="alert">
      <Note icon="warning" title={t(TEXT.failed)} text={text}>
        {onRetry && <Button icon="retry" label={t(TEXT.retry)} onClick={onRetry} />}
      </Note>
    </div>
  )
}

/** Not for this user, and why. */
export function Denied({ text }: { text?: string }) {
  return <Note icon="key" title={t(TEXT.denied)} text={text ?? t(TEXT.deniedWhy)} />
}

/** Grey lines in the place of what is on its way. @param rows how many */
export function Skeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div className="skeleton" role="status" aria-label={t(TEXT.loading)}>
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  )
}

/** Says that what is shown is old, and how old. @param since milliseconds since the epoch of the hub's last word */
export function Stale({ since }: { since: number }) {
  const now = useStore($now)
  return (
    <p className="stale" role="status">
      <Icon name="warning" />
      {t(TEXT.stale, duration((now - since) / 1000))}
    </p>
  )
}
