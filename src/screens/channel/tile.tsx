import type { ReactNode } from 'react'
import type { Channel } from '../../../contract/stream/channel.ts'
import { AudioMeters } from '../../parts/channel/audio-meters.tsx'
import { ChannelPicture } from '../../parts/channel/channel-picture.tsx'
import { WatchLink } from '../../parts/channel/watch-link.tsx'
import { linkTo } from '../../paths.ts'
import { bitRate } from '../../text/numbers.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import { channelState, inputName, isLive, nextChangeText } from './status.ts'

export const ChannelLink = ({ channel: { id, name } }: { channel: Channel }) => (
  <a href={`#${linkTo('channelDetail', { channelId: String(id) })}`}>{name}</a>
)

/** The tile of a channel, with the picture and the audio level on air. */
export function ChannelTile({ channel, children }: { channel: Channel; children: ReactNode }) {
  return (
    <>
      <ChannelPicture channel={channel} />
      {isLive(channel) && <AudioMeters id={channel.id} small />}
      <StatusLabel {...channelState(channel)} pill />
      <footer>
        <span className="tile-name">
          <strong className="cut" data-tip="">
            <ChannelLink channel={channel} />
          </strong>
          <small className="cut muted">
            {isLive(channel) ? bitRate(channel.kbps) : (nextChangeText(channel) ?? inputName(channel.input))}
          </small>
        </span>
        <WatchLink channel={channel} iconOnly />
        {children}
      </footer>
    </>
  )
}
