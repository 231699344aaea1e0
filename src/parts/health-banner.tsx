// A verdict above the page of a channel or a device: its shape and word, for how long, why, and what to do.
import type { ReactNode } from 'react'
import type { Health } from '../../contract/health.ts'
import { lasting } from '../text/dates.ts'
import { healthLabel, healthSentence, type Verdict } from '../text/health.ts'
import { ElapsedTime } from '../ui/elapsed-time.tsx'
import { StatusLabel } from '../ui/status-label.tsx'

interface HealthBannerProps {
  health: Health<Verdict>
  /** The cause. Default: that of the verdict. */
  why?: ReactNode
  /** The actions. */
  children: ReactNode
}

export function HealthBanner({ health, why, children }: HealthBannerProps) {
  const { since } = health
  const label = healthLabel(health)
  const sentence = healthSentence(health)
  return (
    <div className="verdict" data-tone={label.tone}>
      <span>
        <StatusLabel {...label} /> {since !== undefined && <ElapsedTime since={since} format={lasting} />}
      </span>
      {/* Without the time, which would be announced every second. */}
      <p role="status">
        <span className="unseen">{label.text}</span>
        {why ?? sentence.why} <small>{sentence.todo}</small>
      </p>
      <span className="row push">{children}</span>
    </div>
  )
}
