// The picture on air with its meters and figures.
import type { Channel } from '../../../../contract/stream/channel.ts'
import { OUTPUT_PLAYER } from '../../../../contract/stream/protocols.ts'
import { AudioMeters } from '../../../parts/channel/audio-meters.tsx'
import { ChannelPicture, inputOnAir } from '../../../parts/channel/channel-picture.tsx'
import { isOnAir } from '../../../parts/channel/channel-state.ts'
import { t } from '../../../text/language.ts'
import { bitRate, number } from '../../../text/numbers.ts'
import { useStore } from '../../../ui/use-store.ts'
import { $discontinuities } from '../store.ts'
import { TEXT } from './text.ts'

export function OnAirColumn({ channel }: { channel: Channel }) {
  const live = isOnAir(channel)
  return (
    <section className="path-column path-air" aria-label={t(TEXT.picture)} data-flow={live ? 'live' : 'idle'}>
      <h2>{t(live ? TEXT.picture : TEXT.offAir)}</h2>
      <ChannelPicture channel={channel} tagged />
      {live && <AudioMeters id={channel.id} />}
      {channel.config.enable && <Figures channel={channel} isLive={live} />}
    </section>
  )
}

function Figures({ channel, isLive: live }: { channel: Channel; isLive: boolean }) {
  const counts = useStore($discontinuities).value?.columns['ts-cc-errors']?.filter((count) => count !== null)
  const keyInterval = inputOnAir(channel)?.format?.video?.['key-interval-s']
  const { clients } = channel
  const publishers = clients.list.filter(({ type }) => type !== OUTPUT_PLAYER).length
  const figures = [
    [TEXT.rate, live && bitRate(channel.kbps)],
    [TEXT.keyFrames, keyInterval !== undefined && t(TEXT.everySeconds, number(keyInterval, 1))],
    [TEXT.discontinuities, counts?.length && number(counts.reduce((sum, count) => sum + count, 0))],
    [TEXT.clients, number(clients.total - publishers)]
  ] as const
  return (
    <dl className="path-figures">
      {figures.map(([title, value]) => (
        <div key={title[0]}>
          <dt>{t(title)}</dt>
          <dd className="num">{value || t(TEXT.unknown)}</dd>
        </div>
      ))}
    </dl>
  )
}
