// Pictures of NDI sources, while a client watches. A process receives the preview of a source, which has a low
// resolution, and passes some of its frames to an ffmpeg that encodes JPEG. At most `RUNNING_MAX` sources are received
// at once: further ones take turns with them.
import { formatNdiUrl, isSearchedElsewhere, type NdiUrl } from '../../contract/ndi/url.ts'
import type { PreviewSize } from '../interfaces/channel.ts'
import type { Process } from '../interfaces/launcher.ts'
import type { HostLookup, Processes } from '../interfaces/leg-parts.ts'
import type { Ndi, NdiSources } from '../interfaces/ndi.ts'
import { createJpegSplitter } from '../process/jpeg-splitter.ts'
import { receiveOptions } from './ndi-input.ts'

/** Sources that are received at the same time. */
export const RUNNING_MAX = 16
/** Milliseconds between two looks at what must run. */
const TICK = 1000
/**
 * Milliseconds after which a source gives way to one that waits: when it has delivered a picture, and when it has not.
 */
const TURN = 3000
const TURN_WITHOUT_PICTURE = 6000
/** Milliseconds after the end of a process before the next one for the same source. */
const RETRY_AFTER = 2000

type OnImage = (jpeg: Uint8Array) => void

interface Picture {
  source: NdiUrl
  size: PreviewSize
  listeners: Set<OnImage>
  /** Address of the source in the current turn, as discovery announced it. */
  address: string | undefined
  process?: Process
  /** Whether a process is being started. */
  isStarting: boolean
  startedAt: number
  /** When its last turn ended. */
  endedAt: number
  hasImage: boolean
}

interface PicturesOptions {
  context: Processes & HostLookup & { ndi: Ndi }
  /** Lists the announced sources, and keeps discovery running. */
  findSources(): Promise<NdiSources>
}

const encodeArgs = ({ width }: PreviewSize) => [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'error', '-threads', '1'],
  ...['-probesize', '32', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0', '-map', '0:v:0'],
  ...[
    '-vf',
    `scale=${width}:trunc(ow/dar/2)*2`,
    '-fps_mode',
    'passthrough',
    '-c:v',
    'mjpeg',
    '-q:v',
    '5',
    '-threads',
    '1'
  ],
  ...['-flush_packets', '1', '-f', 'mpjpeg', 'pipe:1']
]

export class NdiPictures {
  readonly #options: PicturesOptions
  readonly #pictures = new Map<string, Picture>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(options: PicturesOptions) {
    this.#options = options
  }

  /**
   * Watches a source, also while it does not exist.
   * @returns a function that ends the subscription
   */
  watch(source: NdiUrl, size: PreviewSize, onImage: OnImage): () => void {
    const key = `${size.width} ${formatNdiUrl(source)}`
    const picture = this.#pictures.get(key) ?? {
      source,
      size,
      listeners: new Set(),
      address: undefined,
      isStarting: false,
      startedAt: 0,
      endedAt: Number.NEGATIVE_INFINITY,
      hasImage: false
    }
    this.#pictures.set(key, picture)
    // A new function, so that a callback that subscribes twice counts twice.
    const listener: OnImage = (jpeg) => onImage(jpeg)
    picture.listeners.add(listener)
    this.#timer ??= setInterval(() => void this.#update(), TICK).unref()
    void this.#update()
    return () => {
      if (!picture.listeners.delete(listener) || picture.listeners.size > 0) return
      this.#pictures.delete(key)
      this.#end(picture)
      if (this.#pictures.size === 0) this.#stopTimer()
      else void this.#update()
    }
  }

  close(): void {
    for (const picture of this.#pictures.values()) this.#end(picture)
    this.#pictures.clear()
    this.#stopTimer()
  }

  #stopTimer(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Starts the sources that have waited longest, and ends the turns of others if more wait than there is room for. */
  async #update(): Promise<void> {
    // Discovery cannot start, for example, while the disk is full. The next tick tries again.
    const found = await this.#options.findSources().catch(() => undefined)
    if (!found || found.failure) return
    const { sources } = found
    const now = this.#options.context.now()
    const all = [...this.#pictures.values()]
    const isPresent = ({ source }: Picture) => isSearchedElsewhere(source) || sources.has(source.name)
    // A source that was restarted has another address. The runtime would take many seconds to find that by itself.
    for (const picture of all.filter(isRunning))
      if (!isSearchedElsewhere(picture.source) && sources.get(picture.source.name) !== picture.address)
        this.#end(picture, Number.NEGATIVE_INFINITY)
    const waiting = all
      .filter((picture) => !isRunning(picture) && isPresent(picture) && now - picture.endedAt > RETRY_AFTER)
      .sort((a, b) => a.endedAt - b.endedAt)
    const running = all.filter(isRunning).sort((a, b) => a.startedAt - b.startedAt)
    const ended = running
      .filter(({ hasImage, startedAt }) => now - startedAt > (hasImage ? TURN : TURN_WITHOUT_PICTURE))
      .slice(0, Math.max(0, running.length + waiting.length - RUNNING_MAX))
    for (const picture of ended) this.#end(picture)
    for (const picture of waiting.slice(0, RUNNING_MAX - running.length + ended.length))
      void this.#start(picture, sources.get(picture.source.name))
  }

  /** @param endedAt from when on the next turn is counted */
  #end(picture: Picture, endedAt = this.#options.context.now()): void {
    const { process } = picture
    delete picture.process
    picture.isStarting = false
    picture.endedAt = endedAt
    void process?.stop()
  }

  /** @param address where discovery found the source */
  async #start(picture: Picture, address: string | undefined): Promise<void> {
    const { ndi, launcher, now } = this.#options.context
    Object.assign(picture, { isStarting: true, startedAt: now(), hasImage: false, address })
    try {
      const { source, size } = picture
      const options = await receiveOptions(source, this.#options.context)
      const target = isSearchedElsewhere(source) ? '' : (address ?? '')
      const { library, program, ffmpeg } = await ndi.findRuntime()
      if (!picture.isStarting) return
      const split = createJpegSplitter((jpeg) => {
        picture.hasImage = true
        for (const listener of picture.listeners) listener(jpeg)
      })
      const interval = String(Math.round(1000 / size.fps))
      const process = launcher.run({
        program,
        args: ['picture', library, source.name, target, interval, ffmpeg, ...encodeArgs(size)],
        ...ndi.openConfig(options),
        onStdout: (chunk) => {
          if (picture.process === process && !split(chunk)) this.#end(picture)
        },
        onEnd: () => {
          if (picture.process === process) this.#end(picture)
        }
      })
      picture.process = process
      picture.isStarting = false
    } catch {
      // The source has no picture until the next attempt. The list of sources reports missing parts.
      if (picture.isStarting) this.#end(picture)
    }
  }
}

const isRunning = ({ process, isStarting }: Picture) => process !== undefined || isStarting
