// Plays a channel in a video element: receives endless fragmented MP4 and appends it to a MediaSource. It opens the
// stream again when it ends, which it also does when its format changes.
import { NOT_EXIST, NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../contract/codes.ts'
import { MISSING_AUDIO_HEADER } from '../../contract/stream/channel-watch.ts'
import { LiveEdge } from './live-edge.ts'

/** Milliseconds before a stream that has ended, or could not be opened, is opened again; longer each time. */
const RETRY_MIN = 250
const RETRY_MAX = 5000
/** Milliseconds without data after which a connection is considered broken. */
const SILENCE_MAX = 10_000
/** Seconds of played media that are kept in the buffer, and seconds above which more is removed. */
const KEPT = 3
const KEPT_MAX = 10
/** Milliseconds between two checks of the live edge. */
const CHECK_INTERVAL = 250

/** Results after which another attempt is useless until the user opens the page again. */
const FINAL_CODES: readonly number[] = [NOT_EXIST, NOT_LOGGED_IN, NOT_PERMITTED]

export interface PlayerState {
  phase: 'connecting' | 'playing' | 'waiting' | 'unsupported' | 'refused'
  /** With `waiting` and `refused`: a result code. */
  code?: number
  /** With `unsupported`: the codecs that the browser does not play, as in the content type. */
  codecs?: string
  /** Name of the codec of audio that is left out. */
  missingAudio?: string
  /** The browser plays without sound until the user turns it on. */
  isMutedByBrowser?: boolean
}

export interface ChannelPlayer {
  stop(): void
}

/**
 * @param open opens the stream
 * @param onState receives each change of the state
 */
export function playChannel(
  video: HTMLVideoElement,
  open: (signal: AbortSignal) => Promise<Response>,
  onState: (state: PlayerState) => void
): ChannelPlayer {
  return new MediaSourcePlayer(video, open, onState)
}

class MediaSourcePlayer implements ChannelPlayer {
  readonly #video: HTMLVideoElement
  readonly #open: (signal: AbortSignal) => Promise<Response>
  readonly #onState: (state: PlayerState) => void
  readonly #listeners = new AbortController()
  /** Ends the current connection. */
  #connection = new AbortController()
  #retryDelay = RETRY_MIN
  #missingAudio: string | undefined
  #isMutedByBrowser = false
  #isStopped = false
  /** The user has paused the video. */
  #isPaused = false
  /** The player itself has paused the video, because nobody sees it. */
  #isPausing = false
  #wake = () => {}

  constructor(
    video: HTMLVideoElement,
    open: (signal: AbortSignal) => Promise<Response>,
    onState: (state: PlayerState) => void
  ) {
    this.#video = video
    this.#open = open
    this.#onState = onState
    const { signal } = this.#listeners
    document.addEventListener('visibilitychange', () => this.#checkPause(), { signal })
    video.addEventListener('play', () => this.#setPaused(false), { signal })
    video.addEventListener('pause', () => this.#handlePause(), { signal })
    video.addEventListener('volumechange', () => this.#handleVolume(), { signal })
    void this.#run()
  }

  stop(): void {
    this.#isStopped = true
    this.#listeners.abort()
    this.#connection.abort()
    this.#wake()
    this.#setSource('')
  }

  /**
   * The previous URL is valid until the video has another one: revoking it while it is being loaded would be an error.
   */
  #setSource(url: string): void {
    const video = this.#video
    const previous = video.src
    if (url) video.src = url
    else {
      video.removeAttribute('src')
      video.load()
    }
    URL.revokeObjectURL(previous)
  }

  /** Whether nothing is played, and nothing received. */
  get #isIdle(): boolean {
    return this.#isPaused || document.hidden
  }

  #setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#checkPause()
  }

  #handlePause(): void {
    if (!this.#isPausing) this.#setPaused(true)
    this.#isPausing = false
  }

  #checkPause(): void {
    if (this.#isIdle) this.#connection.abort()
    if (document.hidden && !this.#video.paused) {
      this.#isPausing = true
      this.#video.pause()
    }
    this.#wake()
  }

  #handleVolume(): void {
    if (!this.#isMutedByBrowser || this.#video.muted) return
    this.#isMutedByBrowser = false
    this.#report({ phase: 'playing' })
  }

  #report(state: PlayerState): void {
    if (this.#isStopped) return
    this.#onState({
      ...state,
      ...(this.#missingAudio !== undefined && { missingAudio: this.#missingAudio }),
      ...(this.#isMutedByBrowser && { isMutedByBrowser: true })
    })
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#isIdle) {
        await this.#sleep()
        continue
      }
      this.#connection = new AbortController()
      const isFinal = await this.#playOnce(this.#connection.signal).catch(() => false)
      this.#connection.abort()
      if (isFinal) return
      if (this.#isStopped || this.#isIdle) continue
      await this.#sleep(this.#retryDelay)
      this.#retryDelay = Math.min(RETRY_MAX, 2 * this.#retryDelay)
    }
  }

  /** Waits until something changes, or for some milliseconds. */
  async #sleep(milliseconds?: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (milliseconds !== undefined) timer = setTimeout(resolve, milliseconds)
    })
    clearTimeout(timer)
  }

  /** Plays one stream to its end. Returns whether another attempt is useless. Rejects when the connection breaks. */
  async #playOnce(signal: AbortSignal): Promise<boolean> {
    this.#report({ phase: 'connecting' })
    const response = await this.#open(signal)
    const type = response.headers.get('content-type') ?? ''
    if (!type.startsWith('video/')) {
      const { result } = await response.json()
      const isFinal = FINAL_CODES.includes(result)
      if (result !== SUCCESS) this.#report({ phase: isFinal ? 'refused' : 'waiting', code: result })
      return isFinal
    }
    this.#missingAudio = response.headers.get(MISSING_AUDIO_HEADER) ?? undefined
    if (!MediaSource.isTypeSupported(type)) {
      // The codec can be changed at the encoder, so the stream is tried again from time to time.
      this.#retryDelay = RETRY_MAX
      this.#report({ phase: 'unsupported', codecs: unsupportedCodecs(type) })
      return false
    }
    if (response.body) await this.#play(response.body, type, signal)
    return false
  }

  async #play(body: ReadableStream<Uint8Array<ArrayBuffer>>, type: string, signal: AbortSignal): Promise<void> {
    const video = this.#video
    const source = new MediaSource()
    const edge = new LiveEdge(video)
    const follow = () => edge.follow(performance.now())
    const timer = setInterval(follow, CHECK_INTERVAL)
    video.addEventListener('waiting', () => video.seeking || edge.noteInterruption(), { signal })
    try {
      this.#setSource(URL.createObjectURL(source))
      await once(source, 'sourceopen', signal)
      const buffer = source.addSourceBuffer(type)
      const reader = body.getReader()
      signal.addEventListener('abort', () => void reader.cancel().catch(() => {}))
      for (let isFirst = true; ; ) {
        const { value, done } = await readWithin(reader, SILENCE_MAX)
        if (done || signal.aborted) return
        buffer.appendBuffer(value)
        await once(buffer, 'updateend', signal)
        follow()
        await removePlayed(buffer, video.currentTime, signal)
        if (!isFirst || buffer.buffered.length === 0) continue
        isFirst = false
        this.#retryDelay = RETRY_MIN
        // It may need more media to start.
        void this.#start(signal)
      }
    } finally {
      clearInterval(timer)
    }
  }

  /** Starts to play: without sound if the browser demands that the user turns it on. */
  async #start(signal: AbortSignal): Promise<void> {
    const video = this.#video
    const isAllowed = await play(video)
    if (!isAllowed && !video.muted) {
      this.#isMutedByBrowser = true
      video.muted = true
      await play(video)
    }
    if (!signal.aborted) this.#report({ phase: 'playing' })
  }
}

/** Returns whether the browser allows it. */
async function play(video: HTMLVideoElement): Promise<boolean> {
  try {
    await video.play()
    return true
  } catch (error) {
    return (error as DOMException).name !== 'NotAllowedError'
  }
}

/** Codecs of a MIME type that the browser does not play, each on its own. */
function unsupportedCodecs(type: string): string {
  const [, codecs = ''] = /codecs="([^"]*)"/.exec(type) ?? []
  const missing = codecs.split(',').filter((codec) => !MediaSource.isTypeSupported(`video/mp4; codecs="${codec}"`))
  return missing.join() || codecs
}

/** Removes played media, so that the buffer does not grow. */
async function removePlayed(buffer: SourceBuffer, time: number, signal: AbortSignal): Promise<void> {
  if (buffer.buffered.length === 0 || time - buffer.buffered.start(0) < KEPT_MAX) return
  buffer.remove(0, time - KEPT)
  await once(buffer, 'updateend', signal)
}

/** Rejects if the signal aborts. */
function once(target: EventTarget, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    target.addEventListener(event, () => resolve(), { once: true, signal })
  })
}

/** Reads the next bytes. Rejects if there are none for a time: a broken connection may report nothing. */
async function readWithin<Value>(reader: ReadableStreamDefaultReader<Value>, milliseconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('silence')), milliseconds)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}
