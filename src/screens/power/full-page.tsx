import { type ReactNode, useEffect } from 'react'
import { linkTo } from '../../paths.ts'
import { t } from '../../text/language.ts'
import { Icon } from '../../ui/icon.tsx'
import { TEXT } from './text.ts'

interface FullPageProps {
  title: string
  /** Whether the page has a link back to the settings. */
  hasBack?: boolean
  children: ReactNode
}

/** A page that fills the window. */
export function FullPage({ title, hasBack, children }: FullPageProps) {
  useEffect(() => {
    document.title = `${title} · Headend`
  }, [title])
  return (
    <main className="alone wide">
      <div className="card">
        <h1>{title}</h1>
        {children}
        {hasBack && (
          <p>
            <a href={`#${linkTo('general')}`}>{t(TEXT.back)}</a>
          </p>
        )}
      </div>
    </main>
  )
}

/** The lines of an error. */
export function FaultText({ lines }: { lines: readonly string[] }) {
  return (
    <p role="alert" className="fault">
      {lines.length > 0 && <Icon name="warning" />}
      {lines.join(' ')}
    </p>
  )
}
