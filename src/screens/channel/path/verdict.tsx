// The verdict on a channel: its shape and word, for how long, why, what to do, and the actions.
import type { ReactNode } from 'react'
import type { Channel } from '../../../../contract/stream/channel.ts'
import { channelHealth, isConnected } from '../../../../contract/stream/channel-health.ts'
import { AcknowledgeButton } from '../../../parts/problem/acknowledge-button.tsx'
import { useProblems } from '../../../parts/problem/problems.ts'
import { upSince } from '../../../parts/uptime.ts'
import { healthLabel, healthSentence } from '../../../text/health.ts'
import { t } from '../../../text/language.ts'
import { ElapsedTime } from '../../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../../ui/status-label.tsx'
import { SwitchButton } from './inputs.tsx'
import { lasting } from './node.tsx'
import { TEXT } from './text.ts'

/** @param children further actions */
export function VerdictBanner({ channel, children }: { channel: Channel; children: ReactNode }) {
  const { input, 'on-air': onAir } = channel
  const { items, canAcknowledge } = useProblems()
  const problem = items.find(({ id }) => id === `channel-${channel.id}`)
  const health = channelHealth(channel)
  const label = healthLabel(health)
  const { why, todo } = healthSentence(health)
  const since = health.since ?? (health.verdict === 'on-air' ? upSince(channel) : undefined)
  const isMainReady = channel.config.enable && isConnected(input) && (onAir?.slate || onAir?.input !== input?.id)
  return (
    <div className="verdict" data-tone={label.tone}>
      <span>
        <StatusLabel {...label} /> {since !== undefined && <ElapsedTime since={since} format={lasting} />}
      </span>
      {/* Without the time, which would be announced every second. */}
      <p role="status">
        <span className="unseen">{label.text}</span>
        {why} {onAir?.manual && t(TEXT.held)} <small>{todo}</small>
      </p>
      <span className="row push">
        {onAir && isMainReady && input && <SwitchButton channel={channel} input={input.id} label={TEXT.toMain} />}
        {onAir?.manual && <SwitchButton channel={channel} input="auto" label={TEXT.automatic} />}
        {problem && canAcknowledge && <AcknowledgeButton problem={problem} />}
        {children}
      </span>
    </div>
  )
}
