// The page of a channel: the verdict, the signal path, and below it statistics, log, ingest keys and clients.
import { type ReactNode, useLayoutEffect } from 'react'
import { NOT_EXIST } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { isConnected } from '../../../contract/stream/channel-health.ts'
import { channelHealth } from '../../other-hubs.ts'
import { Actions } from '../../parts/actions.tsx'
import { nextChangeText } from '../../parts/channel/channel-state.ts'
import { WatchLink } from '../../parts/channel/watch-link.tsx'
import { DeletedState, leadingTo, useWasSeen } from '../../parts/deleted-state.tsx'
import { HealthBanner } from '../../parts/health-banner.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { LogLines } from '../../parts/log-lines.tsx'
import { AcknowledgeButton } from '../../parts/problem/acknowledge-button.tsx'
import { useProblems } from '../../parts/problem/problems.ts'
import { upSince } from '../../parts/uptime.ts'
import { linkTo } from '../../paths.ts'
import { useParams } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { usePageTitle } from '../../state/title.ts'
import { healthSentence } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { DIALOG_ACTIONS, REMOVE, START, STOP } from './actions.tsx'
import { TEXT as DIALOG_TEXT } from './dialog-text.ts'
import { ClientsCard, IngestKeys } from './ingest-keys.tsx'
import { SwitchButton } from './inputs.tsx'
import { TEXT as PATH_TEXT } from './path-text.ts'
import { PortFaults } from './ports.tsx'
import { SignalPath } from './signal-path.tsx'
import { StatisticsCard } from './statistics.tsx'
import { $channel, $channelId, $log, nameOf } from './store.ts'
import * as TEXT from './text.ts'
import { TimelineCard } from './timeline.tsx'

const REMOVE_HERE = leadingTo(linkTo('channels'), REMOVE)

export function ChannelDetailScreen() {
  const id = Number(useParams().channelId)
  useLayoutEffect(() => $channelId.set(id))
  const { value, code } = useStore($channel)
  const channel = value?.channel.id === id ? value.channel : undefined
  const placeholder = usePlaceholder($channel, !channel, null)
  usePageTitle(code === NOT_EXIST ? undefined : channel?.name)
  const wasSeen = useWasSeen(channel !== undefined)
  if (code === NOT_EXIST && wasSeen) return <DeletedState icon="channels" list={linkTo('channels')} />
  if (code === NOT_EXIST) return <EmptyState icon="channels" title={t(TEXT.unknown)} />
  if (!channel) return <>{placeholder}</>
  const nextChange = nextChangeText(channel)
  return (
    <div className="stack">
      <PortFaults />
      <VerdictBanner channel={channel}>
        <WatchLink channel={channel} />
        <Actions
          actions={[START, STOP].filter(({ isApplicable }) => isApplicable?.(channel))}
          menuActions={[...DIALOG_ACTIONS, REMOVE_HERE]}
          rows={[channel]}
          nameOf={nameOf}
          countText={TEXT.itemCount}
        />
      </VerdictBanner>
      {nextChange && (
        <p>
          {nextChange}. <small className="muted">{t(TEXT.byHand)}</small>
        </p>
      )}
      <SignalPath channel={channel} />
      <LowerCards channel={channel} />
    </div>
  )
}

/** The cards below the signal path. */
function LowerCards({ channel }: { channel: Channel }) {
  const isAllowed = useStore($isAllowed)
  return (
    <div className="cards">
      <StatisticsCard channel={channel} />
      <TimelineCard key={channel.id} channel={channel} />
      {isAllowed(listLog) && (
        <Card title={t(DIALOG_TEXT.log)} fullWidth>
          <LogLines store={$log} />
        </Card>
      )}
      {channel.config['push-key'] && <IngestKeys channel={channel} />}
      {channel.clients.total > 0 && <ClientsCard channel={channel} />}
    </div>
  )
}

/** The verdict, for how long, why and what to do. @param children further actions */
function VerdictBanner({ channel, children }: { channel: Channel; children: ReactNode }) {
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
            {healthSentence(health).why} {t(PATH_TEXT.held)}
          </>
        ) : undefined
      }
    >
      {onAir && isMainReady && input && <SwitchButton channel={channel} input={input.id} label={PATH_TEXT.toMain} />}
      {onAir?.manual && <SwitchButton channel={channel} input="auto" label={PATH_TEXT.automatic} />}
      {problem && canAcknowledge && <AcknowledgeButton problem={problem} />}
      {children}
    </HealthBanner>
  )
}
