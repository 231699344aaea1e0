import type { Channel } from '../../../contract/stream/channel.ts'
import { Loaded } from '../../parts/load-state.tsx'
import { livedSince } from '../../parts/uptime.ts'
import { link } from '../../paths.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Since } from '../../ui/since.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $active } from './store.ts'
import { TEXT } from './text.ts'

/** Channels whose input carries media now. */
export function ActiveChannels() {
  const list = useStore($active)
  return (
    <Card title={t(TEXT.channelsLive)} more={<a href={`#${link('channels')}`}>{t(TEXT.all)}</a>}>
      <Loaded of={$active} empty={list.items.length === 0} says={t(TEXT.none)}>
        <ul className="lines">
          {list.items.map((channel) => (
            <Line key={channel.id} channel={channel} />
          ))}
        </ul>
      </Loaded>
    </Card>
  )
}

function Line({ channel }: { channel: Channel }) {
  const { name, input, kbps, outputs } = channel
  return (
    <li>
      <a className="cut" href={`#${link('channels', { key: name })}`} data-tip="">
        {name}
      </a>
      <span className="cut muted" data-tip="">
        {input?.name}
      </span>
      <span className="muted num">{t(TEXT.outputsLive, channel['conn-num'], outputs.total)}</span>
      <span className="num">{bitRate(kbps)}</span>
      <Since at={livedSince(channel)} />
    </li>
  )
}
