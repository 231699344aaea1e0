// Keeps the picture of each channel whose content has a fault, as evidence: it is taken when the fault is found, and
// kept until the fault ends.
import { type ContentCheck, isContentCheck } from '../../contract/stream/content-checks.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'

const SIZE = { width: 320, fps: 1 }
/** Pictures that are kept, and bytes of one. */
const KEPT_MAX = 200
const BYTES_MAX = 100_000
/** Pictures that are taken at once, each by a process of the engine, and milliseconds after which one gives up. */
const TAKEN_MAX = 4
const GIVE_UP_AFTER = 30_000

interface FaultPicturesOptions {
  engine: Pick<EngineClient, 'observe' | 'watchPreview'>
}

export class FaultPictures {
  readonly #engine: FaultPicturesOptions['engine']
  /** Channels whose content has a fault, each with its picture as soon as there is one. */
  readonly #faults = new Map<number, { reason: ContentCheck; jpeg?: Uint8Array<ArrayBuffer> }>()
  /** Channels whose picture is still to be taken, oldest first. */
  readonly #waiting = new Set<number>()
  /** Functions that end the previews of which the first picture is awaited, by channel. */
  readonly #taking = new Map<number, () => void>()

  constructor({ engine }: FaultPicturesOptions) {
    this.#engine = engine
  }

  /** The state of a channel has changed, or it was deleted. An arrow function, so that it can be passed on. */
  readonly channelChanged = (id: number): void => {
    const code = this.#engine.observe(id).reason?.split(' ', 1)[0]
    const reason = isContentCheck(code) ? code : undefined
    if (this.#faults.get(id)?.reason === reason) return
    this.#forget(id)
    if (!reason || this.#faults.size >= KEPT_MAX) return
    this.#faults.set(id, { reason })
    this.#waiting.add(id)
    this.#takeNext()
  }

  /** Undefined while there is none. */
  find(id: number): Uint8Array<ArrayBuffer> | undefined {
    return this.#faults.get(id)?.jpeg
  }

  close(): void {
    for (const id of [...this.#faults.keys()]) this.#forget(id)
  }

  #forget(id: number): void {
    this.#faults.delete(id)
    this.#waiting.delete(id)
    this.#taking.get(id)?.()
  }

  #takeNext(): void {
    for (const id of this.#waiting) {
      if (this.#taking.size >= TAKEN_MAX) return
      this.#waiting.delete(id)
      this.#take(id)
    }
  }

  #take(id: number): void {
    const end = () => {
      clearTimeout(timer)
      stop?.()
      if (this.#taking.delete(id)) this.#takeNext()
    }
    const timer = setTimeout(end, GIVE_UP_AFTER).unref()
    this.#taking.set(id, end)
    const stop = this.#engine.watchPreview(id, SIZE, (jpeg) => {
      const fault = this.#faults.get(id)
      if (fault && jpeg.length <= BYTES_MAX) fault.jpeg = new Uint8Array(jpeg)
      end()
    })
    if (!stop) end()
  }
}
