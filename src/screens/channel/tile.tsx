import type { ReactNode } from 'react'
import type { Channel } from '../../../contract/stream/channel.ts'
import { AudioMeters } from '../../parts/channel/audio-meters.tsx'
import { ChannelPicture } from '../../parts/channel/channel-picture.tsx'
import { WatchLink } from '../../parts/channel/watch-link.tsx'
import { linkTo } from '../../paths.ts'
import { bitRate } from '../../text/numbers.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import { activeInput, channelState, inputName, isInTrouble, isLive, nextChangeText } from './status.ts'

export const ChannelLink = ({ channel: { id, name } }: { channel: Channel }) => (
  <a href={`#${linkTo('channelDetail', { channelId: String(id) })}`}>{name}</a>
)

/** The tile of a channel, with the picture and the audio level on air. */
export function ChannelTile({ channel, children }: { channel: Channel; children: ReactNode }) {
  const state = channelState(channel)
  return (
    <>
      <ChannelPicture channel={channel} />
      {isLive(channel) && <AudioMeters id={channel.id} small />}
      <StatusLabel {...state} pill />
      <footer>
        <span className="tile-name">
          <strong className="cut" data-tip="">
            <ChannelLink channel={channel} />
          </strong>
          {isInTrouble(channel) && (
            <small className="cut fault" data-tip="">
              {state.tooltip}
            </small>
          )}
          <small className="cut muted">
            {isLive(channel) && `${bitRate(channel.kbps)} · `}
            {(!isLive(channel) && nextChangeText(channel)) || inputName(activeInput(channel))}
          </small>
        </span>
        <WatchLink channel={channel} iconOnly />
        {children}
      </footer>
    </>
  )
}
