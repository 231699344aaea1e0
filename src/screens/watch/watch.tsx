import { atom } from 'nanostores'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { TOO_MANY, TRY_AGAIN, WRONG_STATE } from '../../../contract/codes.ts'
import { WATCHERS_PER_USER_MAX } from '../../../contract/limits.ts'
import { queryChannel } from '../../../contract/stream/channel.ts'
import { watchChannel } from '../../../contract/stream/channel-watch.ts'
import { openStream } from '../../link/send.ts'
import { channelHealth } from '../../other-hubs.ts'
import { channelLink } from '../../paths.ts'
import { type PlayerState, playChannel } from '../../preview/channel-player.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { useParams } from '../../state/location.ts'
import { usePageTitle } from '../../state/title.ts'
import { codeText } from '../../text/codes.ts'
import { healthLabel, healthSentence } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  connecting: ['Connecting', '正在连接'],
  noStream: ['No stream at the moment. It plays as soon as it arrives.', '当前没有码流，到达后将自动播放。'],
  stopped: ['The channel is stopped. It plays as soon as it is started.', '频道已停止，启动后将自动播放。'],
  noPlace: [
    'You play channels in {0} other pages, or all places are in use. It plays as soon as a place is free.',
    '您已在 {0} 个其他页面中播放频道，或播放名额已用完。有空位后将自动播放。'
  ],
  noCodec: [
    'This browser does not play {0}. Use another browser, or change the codec at the encoder.',
    '此浏览器不支持 {0}。请更换浏览器，或在编码器上更改编码格式。'
  ],
  noSound: [
    'No sound: the audio ({0}) is missing or cannot be converted. Check it at the encoder, or set it to AAC.',
    '无声音：音频（{0}）缺失或无法转换。请检查编码器，或将音频格式设为 AAC。'
  ],
  muted: ['The browser has started without sound.', '浏览器已静音播放。'],
  mute: ['Mute', '静音'],
  fullScreen: ['Full screen', '全屏'],
  turnOnSound: ['Turn on sound', '打开声音'],
  toChannel: ['Open channel', '打开频道']
} as const

/** Names of codecs by the part of their MIME name before the first point. */
const CODEC_NAMES: Readonly<Record<string, string>> = { avc1: 'H.264', hvc1: 'HEVC', mp4a: 'AAC', opus: 'Opus' }
/** Names of codecs by the object type of `mp4v` (MP4 registration authority). */
const OBJECT_NAMES: Readonly<Record<string, string>> = { 20: 'MPEG-4', '6a': 'MPEG-1' }

/** @param codecs MIME names, separated by commas */
function codecNames(codecs: string): string {
  const names = codecs.split(',').map((codec) => {
    const [type = '', object = ''] = codec.split('.')
    return type === 'mp4v' ? (OBJECT_NAMES[object] ?? 'MPEG-2') : (CODEC_NAMES[type] ?? codec)
  })
  return names.join(', ')
}

/** What the user sees beside the video: empty while it plays with sound. */
function stateText({ phase, code = 0, codecs = '', missingAudio, isMutedByBrowser }: PlayerState): string {
  if (phase === 'unsupported') return t(TEXT.noCodec, codecNames(codecs))
  if (phase === 'waiting' && code === WRONG_STATE) return t(TEXT.stopped)
  if (phase === 'waiting' && code === TRY_AGAIN) return t(TEXT.noStream)
  if (phase === 'waiting' && code === TOO_MANY) return t(TEXT.noPlace, WATCHERS_PER_USER_MAX)
  if (phase === 'waiting' || phase === 'refused') return codeText(code)
  if (phase === 'connecting') return t(TEXT.connecting)
  if (missingAudio) return t(TEXT.noSound, missingAudio)
  return isMutedByBrowser ? t(TEXT.muted) : ''
}

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
        <a href={`#${channelLink(id)}`} className="push">
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
    // The hub knows this page by the number when its stream has given way to that of another page.
    const v = Date.now()
    const open = (signal: AbortSignal) => openStream(watchChannel, { id, v }, signal)
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
