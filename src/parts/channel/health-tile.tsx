// A channel as a tile or a line: picture, verdict with shape and word, what it sends, cause, next start or stop.
import type { ReactNode } from 'react'
import { CHANNEL_VERDICTS } from '../../../contract/health.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { channelHealth } from '../../other-hubs.ts'
import { healthLabel, healthSentence } from '../../text/health.ts'
import { bitRate } from '../../text/numbers.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { sortByName } from '../../ui/table/sorting.ts'
import { AudioMeters } from './audio-meters.tsx'
import { ChannelLink } from './channel-link.tsx'
import { ChannelPicture } from './channel-picture.tsx'
import { isOnAir, nextChangeText, outputsText } from './channel-state.ts'

/** Worst first, equal ones by name: 'Channel 2' before 'Channel 10'. */
export function sortByTrouble(channels: readonly Channel[]): Channel[] {
  const rank = (channel: Channel) => CHANNEL_VERDICTS.indexOf(channelHealth(channel).verdict)
  return sortByName(channels).sort((a, b) => rank(a) - rank(b))
}

/** From the most to the least that is shown of each channel. */
export const DENSITIES = ['tiles', 'small', 'rows'] as const
export type Density = (typeof DENSITIES)[number]

interface HealthTileProps {
  channel: Channel
  /** Default: `tiles`. */
  density?: Density
  /** Actions on the channel. */
  children?: ReactNode
}

/** The content of a tile; its height below the picture is fixed. */
export function TileContent({ channel, density = 'tiles', children }: HealthTileProps) {
  const health = channelHealth(channel)
  const { since } = health
  const live = isOnAir(channel)
  const { why } = healthSentence(health)
  const traffic = live && `${bitRate(channel.kbps)} · ${outputsText(channel)}`
  const next = nextChangeText(channel)
  const lines = density === 'tiles' ? [why, traffic, next] : [density === 'small' ? why || traffic || next : why]
  return (
    <>
      {density !== 'rows' && <ChannelPicture channel={channel} />}
      {live && density === 'tiles' && <AudioMeters id={channel.id} small />}
      <div className="caption">
        <strong className="cut" data-tip="">
          <ChannelLink {...channel} />
        </strong>
        <span className="row">
          <StatusLabel {...healthLabel(health)} />
          {since !== undefined && <ElapsedTime since={since} />}
        </span>
        {lines.map(
          (line) =>
            line && (
              <span key={line} className="cut num" data-tip="">
                {line}
              </span>
            )
        )}
        {children && <span className="push row">{children}</span>}
      </div>
    </>
  )
}

/** A tile of its own, in the colour of its verdict. */
export const HealthTile = (props: HealthTileProps) => (
  <li className="tile health-tile" data-tone={healthLabel(channelHealth(props.channel)).tone}>
    <TileContent {...props} />
  </li>
)
