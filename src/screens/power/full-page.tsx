import { type ReactNode, useEffect, useState } from 'react'
import type { PowerState } from '../../../contract/machine/power.ts'
import { linkTo } from '../../paths.ts'
import { duration } from '../../text/dates.ts'
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

/** A paragraph with a heading of its own. Nothing without text. */
export function Fact({ title, text }: { title: string; text: string }) {
  if (!text) return null
  return (
    <p>
      <strong>{title}</strong>
      <br />
      {text}
    </p>
  )
}

/** What a restart, a shutdown or a reset interrupts, as the hub says. */
export function Interrupted({ state }: { state: PowerState }) {
  const { channels, uploads, 'has-other-channels': hasOthers, inhibitors = [] } = state
  const running = [...channels, ...(hasOthers ? [t(TEXT.someOthers)] : [])]
  return (
    <>
      <Fact title={t(TEXT.stopping)} text={running.join(', ') || t(TEXT.nothing)} />
      <Fact title={t(TEXT.uploads)} text={uploads.join(', ')} />
      <Fact title={t(TEXT.inhibited)} text={inhibitors.map(({ who, why }) => `${who}: ${why}`).join(', ')} />
    </>
  )
}

/** Seconds after which a restart takes longer than usual. */
const LONG = 180

interface ProgressProps {
  title: string
  text: string
  /** Added when it takes longer than usual. */
  longText?: string
  /** The action is complete. The page still comes back when the hub answers. */
  isEnded?: boolean
  children?: ReactNode
}

/** What happens to the hub, and for how long, without its clock: the hub may be away. */
export function Progress({ title, text, longText, isEnded, children }: ProgressProps) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const start = performance.now()
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - start) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <FullPage title={title}>
      <div role="status">
        <p>
          <Icon name={isEnded ? 'stop' : 'retry'} /> {text}
        </p>
        {longText && seconds > LONG && <p className="fault">{longText}</p>}
      </div>
      <p className="muted num">{t(TEXT.since, duration(seconds))}</p>
      {children}
    </FullPage>
  )
}
