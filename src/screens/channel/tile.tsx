import type { ReactNode } from 'react'
import type { Channel } from '../../../contract/stream/channel.ts'
import { LivePicture } from '../../parts/device/device-facts.tsx'
import { link } from '../../paths.ts'
import { bitRate } from '../../text/numbers.ts'
import { State } from '../../ui/state.tsx'
import { inputName, isLive, wordOf } from './status.ts'

export const ChannelLink = ({ channel: { id, name } }: { channel: Channel }) => (
  <a href={`#${link('channelDetail', { channelId: String(id) })}`}>{name}</a>
)

/** A channel in its tile: the live picture of its input, where that has one. */
export function ChannelTile({ channel, children }: { channel: Channel; children: ReactNode }) {
  return (
    <>
      <LivePicture device={{ 'preview-id': channel.input?.['preview-id'], 'online-date': 1, name: channel.name }} />
      <State {...wordOf(channel)} pill />
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
