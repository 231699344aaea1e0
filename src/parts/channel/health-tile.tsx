// A channel as a tile for the dashboard and for screens on a wall: picture, verdict with shape and word, cause.
import type { ReactNode } from 'react'
import { CHANNEL_VERDICTS } from '../../../contract/health.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { channelHealth } from '../../../contract/stream/channel-health.ts'
import { linkTo } from '../../paths.ts'
import { healthLabel, healthSentence } from '../../text/health.ts'
import { type Translation, t } from '../../text/language.ts'
import { bitRate, number } from '../../text/numbers.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { AudioMeters } from './audio-meters.tsx'
import { ChannelPicture } from './channel-picture.tsx'

const TEXT = {
  outputs: ['{0} of {1} outputs on air', '{1} 个输出中 {0} 个播出中'],
  noOutputs: ['No outputs', '无输出']
} as const satisfies Record<string, Translation>

const isOnAir = (channel: Channel) => ['on-air', 'degraded'].includes(channelHealth(channel).verdict)

/** Worst first, equal ones by name. */
export function sortByTrouble(channels: readonly Channel[]): Channel[] {
  const rank = (channel: Channel) => CHANNEL_VERDICTS.indexOf(channelHealth(channel).verdict)
  return [...channels].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}

/** What a channel sends: bit rate, and the outputs that receive it. */
function trafficText({ kbps, outputs, 'conn-num': connected }: Channel): string {
  const wanted = outputs.list.filter(({ enable }) => enable).length
  const outputText = wanted === 0 ? t(TEXT.noOutputs) : t(TEXT.outputs, number(connected), number(wanted))
  return [bitRate(kbps), outputText].join(' · ')
}

/** @param children actions on the channel */
export function HealthTile({ channel, children }: { channel: Channel; children?: ReactNode }) {
  const { id, name } = channel
  const health = channelHealth(channel)
  const label = healthLabel(health)
  const { why } = healthSentence(health)
  return (
    <li className="tile health-tile" data-tone={label.tone}>
      <ChannelPicture channel={channel} />
      {isOnAir(channel) && <AudioMeters id={id} small />}
      <div className="caption">
        <strong className="cut" data-tip="">
          <a href={`#${linkTo('channelDetail', { channelId: String(id) })}`}>{name}</a>
        </strong>
        <span className="row">
          <StatusLabel {...label} />
          {health.since !== undefined && <ElapsedTime since={health.since} />}
          {children}
        </span>
        {isOnAir(channel) && <span className="cut num">{trafficText(channel)}</span>}
        {why && (
          <span className="cut" data-tip="">
            {why}
          </span>
        )}
      </div>
    </li>
  )
}
