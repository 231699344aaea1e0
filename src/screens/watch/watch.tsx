// Plays a channel with sound, on a page of its own, so that its link can be shared.
import { atom } from 'nanostores'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { queryChannel } from '../../../contract/stream/channel.ts'
import { watchChannel } from '../../../contract/stream/channel-watch.ts'
import { openStream } from '../../link/send.ts'
import { channelHealth } from '../../other-hubs.ts'
import { linkTo } from '../../paths.ts'
import { type PlayerState, playChannel } from '../../preview/channel-player.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { useParams } from '../../state/location.ts'
import { usePageTitle } from '../../state/title.ts'
import { healthLabel, healthSentence } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { stateText } from './state-text.ts'
import { TEXT } from './text.ts'

const $request = atom({ id: 0 })
const $watched = createLiveValue({ call: queryChannel, request: $request, pace: 'slower', topic: 'channel' })

export function WatchScreen() {
  const id = Number(useParams().channelId)
  // Set before the store is subscribed to, so that it does not first request the previous channel.
  useLayoutEffect(() => $request.set({ id }), [id])
  const { channel } = useStore($watched).value ?? {}
  const shown = channel?.id === id ? channel : undefined
  const health = shown && channelHealth(shown)
  usePageTitle(shown?.name)
  return (
    <div className="stack watch">
      <ChannelVideo key={id} id={id} name={shown?.name ?? ''}>
        {health && (
          <>
            <StatusLabel {...healthLabel(health)} /> <span className="muted">{healthSentence(health).why}</span>
          </>
        )}
        <a href={`#${linkTo('channelDetail', { channelId: String(id) })}`} className="push">
          {t(TEXT.toChannel)}
        </a>
      </ChannelVideo>
    </div>
  )
}

interface ChannelVideoProps {
  id: number
  name: string
  /** Shown beside the buttons. */
  children: ReactNode
}

/**
 * The player. The browser hides its own controls while the pointer rests, so sound and full screen also have buttons
 * below the video.
 */
function ChannelVideo({ id, name, children }: ChannelVideoProps) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<PlayerState>({ phase: 'connecting' })
  const [isMuted, setIsMuted] = useState(false)
  useEffect(() => {
    const element = video.current as HTMLVideoElement
    const open = (signal: AbortSignal) => openStream(watchChannel, { id, v: Date.now() }, signal)
    const player = playChannel(element, open, setState)
    return () => player.stop()
  }, [id])
  const toggleSound = () => {
    if (video.current) video.current.muted = !isMuted
  }
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
        onVolumeChange={({ currentTarget: { muted } }) => setIsMuted(muted)}
      />
      <div className="row">
        <Button
          kind={isMuted ? 'main' : undefined}
          label={t(isMuted ? TEXT.turnOnSound : TEXT.mute)}
          onClick={toggleSound}
        />
        {document.fullscreenEnabled && (
          <Button icon="screen" label={t(TEXT.fullScreen)} onClick={() => void video.current?.requestFullscreen()} />
        )}
        <span role="status">{stateText(state)}</span>
        {children}
      </div>
    </>
  )
}
