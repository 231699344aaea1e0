// Plays a channel with sound, on a page of its own, so that its link can be shared.
import { useEffect, useRef, useState } from 'react'
import { queryChannel } from '../../../contract/stream/channel.ts'
import { watchChannel } from '../../../contract/stream/channel-watch.ts'
import { openStream, send } from '../../link/send.ts'
import { linkTo } from '../../paths.ts'
import { type PlayerState, playChannel } from '../../preview/channel-player.ts'
import { useParams } from '../../state/location.ts'
import { usePageTitle } from '../../state/title.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { stateText } from './state-text.ts'
import { TEXT } from './text.ts'

export function WatchScreen() {
  const { channelId = '' } = useParams()
  const [name, setName] = useState('')
  usePageTitle(name || undefined)
  useEffect(() => {
    const abort = new AbortController()
    send(queryChannel, { id: Number(channelId) }, abort).then(
      ({ channel }) => setName(channel?.name ?? ''),
      () => {}
    )
    return () => abort.abort()
  }, [channelId])
  return (
    <div className="stack watch">
      <ChannelVideo key={channelId} id={Number(channelId)} name={name} />
      <a href={`#${linkTo('channelDetail', { channelId })}`}>{t(TEXT.toChannel)}</a>
    </div>
  )
}

/** The player. The browser's own controls can be used with the keyboard and are in the user's language. */
function ChannelVideo({ id, name }: { id: number; name: string }) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<PlayerState>({ phase: 'connecting' })
  useEffect(() => {
    const element = video.current as HTMLVideoElement
    const open = (signal: AbortSignal) => openStream(watchChannel, { id, v: Date.now() }, signal)
    const player = playChannel(element, open, setState)
    return () => player.stop()
  }, [id])
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the hub has no captions of live streams. */}
      <video
        ref={video}
        className="picture"
        controls
        playsInline
        disableRemotePlayback
        controlsList="nodownload noplaybackrate"
        aria-label={name}
      />
      <div className="tools" role="status">
        {stateText(state)}
        {state.isMutedByBrowser && (
          <Button
            kind="main"
            label={t(TEXT.turnOnSound)}
            onClick={() => {
              if (video.current) video.current.muted = false
            }}
          />
        )}
      </div>
    </>
  )
}
