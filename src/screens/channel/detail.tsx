// The page of a channel: the verdict with the actions, and below it the tabs.
import { type ComponentType, type ReactNode, useLayoutEffect } from 'react'
import { NOT_EXIST } from '../../../contract/codes.ts'
import type { ChannelRecording } from '../../../contract/recording/recording.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { isConnected } from '../../../contract/stream/channel-health.ts'
import { channelHealth } from '../../other-hubs.ts'
import * as ACCESS_TEXT from '../../parts/access/text.ts'
import { Actions } from '../../parts/actions.tsx'
import { nextChangeText } from '../../parts/channel/channel-state.ts'
import { WatchLink } from '../../parts/channel/watch-link.tsx'
import { DeletedState, leadingTo, useWasSeen } from '../../parts/deleted-state.tsx'
import { HealthBanner } from '../../parts/health-banner.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { AcknowledgeButton } from '../../parts/problem/acknowledge-button.tsx'
import { useProblems } from '../../parts/problem/problems.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { TagChips } from '../../parts/tag/tag-chips.tsx'
import { linkTo } from '../../paths.ts'
import { setQuery, useParams, useQuery } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { usePageTitle } from '../../state/title.ts'
import { healthSentence } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { bytes as formatBytes } from '../../text/numbers.ts'
import { recording } from '../../text/recording.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { AccessTab } from './access-tab.tsx'
import { ACCESS, DIALOG_ACTIONS, RECORD, REMOVE, START, STOP, STOP_RECORDING } from './actions.tsx'
import { TEXT as DIALOG_TEXT } from './dialog-text.ts'
import { HistoryTab } from './history-tab.tsx'
import { ClientsCard, IngestKeys } from './ingest-keys.tsx'
import { SwitchButton } from './inputs.tsx'
import { TEXT as PATH_TEXT } from './path-text.ts'
import { PortFaults } from './ports.tsx'
import { ScheduleTab } from './schedule-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { SignalPath } from './signal-path.tsx'
import { $channel, $channelId, nameOf } from './store.ts'
import { isOnMain } from './switch-actions.ts'
import * as TEXT from './text.ts'

const REMOVE_HERE = leadingTo(linkTo('channels'), REMOVE)

/** A tab whose content needs the channel, which has loaded. */
const ofChannel = (Content: ComponentType<{ channel: Channel }>) => () => {
  const channel = useStore($channel).value?.channel
  return channel && <Content key={channel.id} channel={channel} />
}

const TABS = [
  { title: DIALOG_TEXT.path, Content: ofChannel(PathTab) },
  { tab: 'schedule', title: DIALOG_TEXT.schedule, Content: ofChannel(ScheduleTab) },
  { tab: 'history', title: DIALOG_TEXT.history, Content: ofChannel(HistoryTab) },
  { tab: 'access', title: ACCESS_TEXT.access, Content: ofChannel(AccessTab) },
  { tab: 'settings', title: TEXT.settings, Content: ofChannel(SettingsTab) }
]

/** Query values of the history. Links without a tab that have one of them were made before there were tabs. */
const HISTORY_QUERY = ['kinds', 'from', 'to', 'leg', 'period', 'until']

export function ChannelDetailScreen() {
  const { channelId = '' } = useParams()
  const id = Number(channelId)
  const query = useQuery()
  const isAllowed = useStore($isAllowed)
  useLayoutEffect(() => $channelId.set(id))
  useLayoutEffect(() => {
    if (!query.has('tab') && HISTORY_QUERY.some((name) => query.has(name))) setQuery({ tab: 'history' })
  }, [query])
  const { value, code } = useStore($channel)
  const channel = value?.channel.id === id ? value.channel : undefined
  const placeholder = usePlaceholder($channel, !channel, null)
  usePageTitle(code === NOT_EXIST ? undefined : channel?.name)
  const wasSeen = useWasSeen(channel !== undefined)
  if (code === NOT_EXIST && wasSeen) return <DeletedState icon="channels" list={linkTo('channels')} />
  if (code === NOT_EXIST) return <EmptyState icon="channels" title={t(TEXT.unknown)} />
  if (!channel) return <>{placeholder}</>
  // Who may not set the access sees its tab only after a link to it, with the reason.
  const tabs = TABS.filter(({ tab }) => tab !== 'access' || isAllowed(ACCESS.call) || query.get('tab') === tab)
  return (
    <div className="stack">
      <PortFaults />
      <TagChips ids={channel.tags} />
      <VerdictBanner channel={channel}>
        <WatchLink channel={channel} />
        <Actions
          actions={[START, STOP, RECORD, STOP_RECORDING].filter(({ isApplicable }) => isApplicable?.(channel))}
          menuActions={[...DIALOG_ACTIONS, REMOVE_HERE]}
          rows={[channel]}
          nameOf={nameOf}
          countText={TEXT.itemCount}
        />
      </VerdictBanner>
      {channel.recording && <RecordingState recording={channel.recording} />}
      <Tabs route="channelDetail" params={{ channelId }} label={DIALOG_TEXT.tabs} tabs={tabs} />
    </div>
  )
}

/** The signal path, and below it the ingest keys and the clients. */
function PathTab({ channel }: { channel: Channel }) {
  const nextChange = nextChangeText(channel)
  return (
    <>
      {nextChange && (
        <p>
          {nextChange}. <small className="muted">{t(TEXT.byHand)}</small>
        </p>
      )}
      <SignalPath channel={channel} />
      <div className="cards">
        {channel.config['push-key'] && <IngestKeys channel={channel} />}
        {channel.clients.total > 0 && <ClientsCard channel={channel} />}
      </div>
    </>
  )
}

/** For how long the channel is recorded, and how much that is; or why it is not recorded. */
function RecordingState({ recording: { since, bytes, fault } }: { recording: ChannelRecording }) {
  return (
    <p>
      <StatusLabel tone={fault ? 'warn' : 'good'} text={fault ?? t(recording)} />{' '}
      <small className="muted">
        <ElapsedTime since={since} />, {formatBytes(bytes)}
      </small>
    </p>
  )
}

/** The verdict, for how long, why and what to do. @param children further actions */
function VerdictBanner({ channel, children }: { channel: Channel; children: ReactNode }) {
  const { input, 'on-air': onAir } = channel
  const { items, canAcknowledge } = useProblems()
  const problem = items.find(({ id }) => id === `channel-${channel.id}`)
  const health = channelHealth(channel)
  const isMainReady = channel.config.enable && isConnected(input) && !isOnMain(channel)
  return (
    <HealthBanner
      health={health}
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
