// The page of a channel: state and actions, inputs and outputs, ingest keys, clients, statistics, log.
import { useLayoutEffect } from 'react'
import { NOT_EXIST } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { Actions, verbText } from '../../parts/actions.tsx'
import { reachableAddress } from '../../parts/connect-dialog.tsx'
import { LivePreview } from '../../parts/device/device-facts.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { LogLines } from '../../parts/log-lines.tsx'
import { upSince } from '../../parts/uptime.ts'
import { useParams } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { usePageTitle } from '../../state/title.ts'
import { codeText } from '../../text/codes.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { DIALOG_ACTIONS, openOutputDialog, REMOVE, START, STOP } from './actions.tsx'
import { AudioLevel } from './audio-level.tsx'
import { BackupsCard } from './backups.tsx'
import { ClientsCard, IngestKeys } from './ingest-keys.tsx'
import { OutputList } from './outputs.tsx'
import { PortFaults } from './ports.tsx'
import { StatisticsCard } from './statistics.tsx'
import { channelState, inputName, inputState } from './status.ts'
import { $channel, $channelId, $log, nameOf } from './store.ts'
import { TEXT } from './text.ts'

export function ChannelDetailScreen() {
  const id = Number(useParams().channelId)
  useLayoutEffect(() => $channelId.set(id))
  const { value, code } = useStore($channel)
  const channel = value?.channel.id === id ? value.channel : undefined
  const placeholder = usePlaceholder($channel, !channel, null)
  usePageTitle(channel?.name)
  const nextChange = channel?.['next-edge']
  if (code === NOT_EXIST) return <EmptyState icon="channels" title={codeText(NOT_EXIST)} />
  if (!channel) return <>{placeholder}</>
  return (
    <div className="stack">
      <PortFaults />
      <div className="tools">
        <StatusLabel {...channelState(channel)} />
        {nextChange && (
          <>
            {t(TEXT.of, verbText(nextChange.enable ? TEXT.start : TEXT.stop), dateTime(nextChange.at * 1000))}
            <small>{t(TEXT.byHand)}</small>
          </>
        )}
        <span className="push" />
        <Actions
          actions={[START, STOP].filter(({ isApplicable }) => isApplicable?.(channel))}
          menuActions={[...DIALOG_ACTIONS, REMOVE]}
          rows={[channel]}
          nameOf={nameOf}
          countText={TEXT.itemCount}
        />
      </div>
      <Cards channel={channel} />
    </div>
  )
}

function Cards({ channel }: { channel: Channel }) {
  const isAllowed = useStore($isAllowed)
  const { input } = channel
  const isLive = input && input['living-time-s'] > 0
  return (
    <div className="cards">
      {input?.['preview-id'] && (
        <Card title={t(TEXT.picture)}>
          <LivePreview device={{ 'preview-id': input['preview-id'], 'online-date': 1, name: input.name }} />
        </Card>
      )}
      <Card title={t(TEXT.input)}>
        {input?.reason && (
          <p className="fault">
            {input.reason}
            <br />
            {input['next-step']}
          </p>
        )}
        <DescriptionList
          items={[
            [t(TEXT.name), inputName(input)],
            [t(TEXT.state), input && <StatusLabel {...inputState(channel, input)} />],
            [t(TEXT.protocol), input && PROTOCOL_NAMES[input.protocol]],
            [t(TEXT.address), input && reachableAddress(input.addr)],
            [t(TEXT.rate), isLive && bitRate(input.kbps)],
            [t(TEXT.upTime), isLive && <ElapsedTime since={upSince(input)} />],
            [t(TEXT.onAir), channel['on-air']?.why]
          ]}
        />
        {channel['living-time-s'] > 0 && <AudioLevel />}
      </Card>
      <BackupsCard channel={channel} />
      <Card title={t(TEXT.outputs)} fullWidth>
        <OutputList channel={channel} onAdd={() => openOutputDialog(channel)} />
      </Card>
      {channel.config['push-key'] && <IngestKeys channel={channel} />}
      {channel.clients.total > 0 && <ClientsCard channel={channel} />}
      <StatisticsCard channel={channel} />
      {isAllowed(listLog) && (
        <Card title={t(TEXT.log)} fullWidth>
          <LogLines store={$log} />
        </Card>
      )}
    </div>
  )
}
