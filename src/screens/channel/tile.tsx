import type { ReactNode } from 'react'
import type { Channel } from '../../../contract/stream/channel.ts'
import { LivePreview } from '../../parts/device/device-facts.tsx'
import { linkTo } from '../../paths.ts'
import { bitRate } from '../../text/numbers.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import { channelState, inputName, isLive } from './status.ts'

export const ChannelLink = ({ channel: { id, name } }: { channel: Channel }) => (
  <a href={`#${linkTo('channelDetail', { channelId: String(id) })}`}>{name}</a>
)

/** The tile of a channel, with the live preview of its input. */
export function ChannelTile({ channel, children }: { channel: Channel; children: ReactNode }) {
  return (
    <>
      <LivePreview device={{ 'preview-id': channel.input?.['preview-id'], 'online-date': 1, name: channel.name }} />
      <StatusLabel {...channelState(channel)} pill />
      <footer>
        <span className="tile-name">
          <strong className="cut" data-tip="">
            <ChannelLink channel={channel} />
          </strong>
          <small className="cut muted">{isLive(channel) ? bitRate(channel.kbps) : inputName(channel.input)}</small>
        </span>
        {children}
      </footer>
    </>
  )
}
