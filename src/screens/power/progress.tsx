import { type ReactNode, useEffect, useState } from 'react'
import { duration } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Icon } from '../../ui/icon.tsx'
import { FullPage } from './full-page.tsx'
import { TEXT } from './text.ts'

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
