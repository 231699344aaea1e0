// One channel: how it is and what to do about it, its input and outputs, and what happened to it.
import { useLayoutEffect } from 'react'
import { NOT_EXIST } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { Actions, verbOf } from '../../parts/actions.tsx'
import { atHub } from '../../parts/connect-dialog.tsx'
import { LivePicture } from '../../parts/device/device-facts.tsx'
import { useInstead } from '../../parts/load-state.tsx'
import { LogLines } from '../../parts/log-lines.tsx'
import { livedSince } from '../../parts/uptime.ts'
import { useParams } from '../../state/location.ts'
import { $may } from '../../state/session.ts'
import { useTitle } from '../../state/title.ts'
import { codeText } from '../../text/codes.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Empty } from '../../ui/placeholder.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { useStore } from '../../ui/use-store.ts'
import { addOutputTo, OPENS, REMOVE, START, STOP } from './actions.tsx'
import { Backups } from './backups.tsx'
import { Clients, Ways } from './ingest-keys.tsx'
import { Level } from './level.tsx'
import { OutputList } from './outputs.tsx'
import { PortFaults } from './ports.tsx'
import { Figures } from './statistics.tsx'
import { inputName, inputWord, wordOf } from './status.ts'
import { $channel, $id, $log, nameOf } from './store.ts'
import { TEXT } from './text.ts'

export function ChannelDetailScreen() {
  const id = Number(useParams().channelId)
  useLayoutEffect(() => $id.set(id))
  const { value, code } = useStore($channel)
  const channel = value?.channel.id === id ? value.channel : undefined
  const instead = useInstead($channel, !channel, null)
  useTitle(channel?.name)
  const edge = channel?.['next-edge']
  if (code === NOT_EXIST) return <Empty icon="channels" title={codeText(NOT_EXIST)} />
  if (!channel) return <>{instead}</>
  return (
    <div className="stack">
      <PortFaults />
      <div className="tools">
        <State {...wordOf(channel)} />
        {edge && (
          <>
            {t(TEXT.of, verbOf(edge.enable ? TEXT.start : TEXT.stop), dateTime(edge.at * 1000))}
            <small>{t(TEXT.byHand)}</small>
          </>
        )}
        <span className="push" />
        <Actions
          actions={[START, STOP].filter(({ fits }) => fits?.(channel))}
          more={[...OPENS, REMOVE]}
          rows={[channel]}
          nameOf={nameOf}
          these={TEXT.these}
        />
      </div>
      <Cards channel={channel} />
    </div>
  )
}

function Cards({ channel }: { channel: Channel }) {
  const may = useStore($may)
  const { input } = channel
  const live = input && input['living-time-s'] > 0
  return (
    <div className="cards">
      {input?.['preview-id'] && (
        <Card title={t(TEXT.picture)}>
          <LivePicture device={{ 'preview-id': input['preview-id'], 'online-date': 1, name: input.name }} />
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
        <Facts
          lines={[
            [t(TEXT.name), inputName(input)],
            [t(TEXT.state), input && <State {...inputWord(channel, input)} />],
            [t(TEXT.protocol), input && PROTOCOL_NAMES[input.protocol]],
            [t(TEXT.address), input && atHub(input.addr)],
            [t(TEXT.rate), live && bitRate(input.kbps)],
            [t(TEXT.upTime), live && <Since at={livedSince(input)} />],
            [t(TEXT.onAir), channel['on-air']?.why]
          ]}
        />
        {channel['living-time-s'] > 0 && <Level />}
      </Card>
      <Backups channel={channel} />
      <Card title={t(TEXT.outputs)} span>
        <OutputList channel={channel} onAdd={() => addOutputTo(channel)} />
      </Card>
      {channel.config['push-key'] && <Ways channel={channel} />}
      {channel.clients.total > 0 && <Clients channel={channel} />}
      <Figures channel={channel} />
      {may(listLog) && (
        <Card title={t(TEXT.log)} span>
          <LogLines of={$log} />
        </Card>
      )}
    </div>
  )
}
