// One channel: how it is and what to do about it, its input and outputs, and what happened to it.
import { useLayoutEffect } from 'react'
import type { Channel } from '../../../contract/channel.ts'
import { NOT_EXIST } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import { PROTOCOL_NAMES } from '../../../contract/protocols.ts'
import { Actions, verbOf } from '../../parts/actions.tsx'
import { atHub } from '../../parts/connect.tsx'
import { LivePicture } from '../../parts/device-facts.tsx'
import { livedSince } from '../../parts/lived.ts'
import { useInstead } from '../../parts/loaded.tsx'
import { LogLines } from '../../parts/log-lines.tsx'
import { useParams } from '../../state/location.ts'
import { $may } from '../../state/session.ts'
import { useTitle } from '../../state/title.ts'
import { codeText } from '../../text/codes.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { legWord } from '../../text/states.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/condition.tsx'
import { type FactLine, Facts } from '../../ui/facts.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { useStore } from '../../ui/use-store.ts'
import { addOutputTo, OPENS, REMOVE, START, STOP } from './actions.tsx'
import { Figures } from './figures.tsx'
import { Level } from './level.tsx'
import { OutputList } from './outputs.tsx'
import { PortFaults } from './ports.tsx'
import { inputName, isLive, wordOf } from './said.ts'
import { $channel, $id, $log, nameOf } from './store.ts'
import { TEXT } from './text.ts'
import { Clients, Ways } from './ways.tsx'

export function ChannelDetailScreen() {
  const id = Number(useParams().channelId)
  useLayoutEffect(() => $id.set(id))
  const { value, code } = useStore($channel)
  const channel = value?.channel.id === id ? value.channel : undefined
  const instead = useInstead($channel, !channel, null)
  useTitle(channel?.name)
  if (code === NOT_EXIST) return <Empty icon="channels" title={codeText(NOT_EXIST)} />
  if (!channel) return <>{instead}</>
  return (
    <div className="stack">
      <PortFaults />
      <div className="tools">
        <State {...wordOf(channel)} />
        {channel.config.enable && channel.input?.reason}
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
  const { input, 'next-edge': edge } = channel
  const live = isLive(channel)
  return (
    <div className="cards">
      {input?.['preview-id'] && (
        <Card title={t(TEXT.picture)}>
          <LivePicture device={{ 'preview-id': input['preview-id'], 'online-date': 1, name: input.name }} />
        </Card>
      )}
      <Card title={t(TEXT.input)}>
        <Facts
          lines={[
            [t(TEXT.name), inputName(channel)],
            [t(TEXT.protocol), input && PROTOCOL_NAMES[input.protocol]],
            [t(TEXT.address), input && atHub(input.addr)],
            [t(TEXT.rate), live && bitRate(channel.kbps)],
            [t(TEXT.upTime), live && <Since at={livedSince(channel)} />],
            [t(TEXT.state), channel['on-air']?.why],
            [verbOf(edge?.enable ? TEXT.start : TEXT.stop), edge && dateTime(edge.at * 1000)],
            ...(channel.backups ?? []).map(
              (backup): FactLine => [
                t(TEXT.of, t(TEXT.backup), backup.name),
                <State {...legWord(backup.state, backup['conn-state'])} tip={backup.reason} />
              ]
            )
          ]}
        />
        {live && <Level />}
      </Card>
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
