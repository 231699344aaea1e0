import type { Channel } from '../../../contract/stream/channel.ts'
import { LoadState } from '../../parts/load-state.tsx'
import { upSince } from '../../parts/uptime.ts'
import { linkTo } from '../../paths.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $activeChannels } from './store.ts'
import { TEXT } from './text.ts'

/** Channels whose input carries media. */
export function ActiveChannels() {
  const list = useStore($activeChannels)
  return (
    <Card title={t(TEXT.channelsLive)} action={<a href={`#${linkTo('channels')}`}>{t(TEXT.all)}</a>}>
      <LoadState store={$activeChannels} isEmpty={list.items.length === 0} emptyText={t(TEXT.none)}>
        <ul className="lines">
          {list.items.map((channel) => (
            <ChannelLine key={channel.id} channel={channel} />
          ))}
        </ul>
      </LoadState>
    </Card>
  )
}

function ChannelLine({ channel }: { channel: Channel }) {
  const { name, input, kbps, outputs } = channel
  return (
    <li>
      <a className="cut" href={`#${linkTo('channels', { key: name })}`} data-tip="">
        {name}
      </a>
      <span className="cut muted" data-tip="">
        {input?.name}
      </span>
      <span className="muted num">{t(TEXT.outputsLive, channel['conn-num'], outputs.total)}</span>
      <span className="num">{bitRate(kbps)}</span>
      <ElapsedTime since={upSince(channel)} />
    </li>
  )
}
