// The verdict on a channel: its shape and word, for how long, why, what to do, and the actions.
import type { ReactNode } from 'react'
import type { Channel } from '../../../../contract/stream/channel.ts'
import { isConnected } from '../../../../contract/stream/channel-health.ts'
import { channelHealth } from '../../../other-hubs.ts'
import { HealthBanner } from '../../../parts/health-banner.tsx'
import { AcknowledgeButton } from '../../../parts/problem/acknowledge-button.tsx'
import { useProblems } from '../../../parts/problem/problems.ts'
import { upSince } from '../../../parts/uptime.ts'
import { healthSentence } from '../../../text/health.ts'
import { t } from '../../../text/language.ts'
import { SwitchButton } from './inputs.tsx'
import { TEXT } from './text.ts'

/** @param children further actions */
export function VerdictBanner({ channel, children }: { channel: Channel; children: ReactNode }) {
  const { input, 'on-air': onAir } = channel
  const { items, canAcknowledge } = useProblems()
  const problem = items.find(({ id }) => id === `channel-${channel.id}`)
  const health = channelHealth(channel)
  const isMainReady = channel.config.enable && isConnected(input) && (onAir?.slate || onAir?.input !== input?.id)
  return (
    <HealthBanner
      health={health}
      since={health.since ?? (health.verdict === 'on-air' ? upSince(channel) : undefined)}
      why={
        onAir?.manual ? (
          <>
            {healthSentence(health).why} {t(TEXT.held)}
          </>
        ) : undefined
      }
    >
      {onAir && isMainReady && input && <SwitchButton channel={channel} input={input.id} label={TEXT.toMain} />}
      {onAir?.manual && <SwitchButton channel={channel} input="auto" label={TEXT.automatic} />}
      {problem && canAcknowledge && <AcknowledgeButton problem={problem} />}
      {children}
    </HealthBanner>
  )
}
