import type { Stream, Tap } from '../interfaces/stream.ts'

/** Subscribes one tap to one stream at a time. */
export class Subscription {
  readonly #tap: Tap
  #stream: Stream | undefined

  constructor(tap: Tap) {
    this.#tap = tap
  }

  /** The current stream. */
  get stream(): Stream | undefined {
    return this.#stream
  }

  /** Rate of the current stream; 0 without a stream. */
  kbps(): number {
    return this.#stream?.kbps() ?? 0
  }

  /** Changes to another stream, or to none. Notifies the tap that the previous stream ended. */
  attach(stream: Stream | undefined): void {
    if (this.#stream === stream) return
    if (this.#stream) {
      this.#stream.taps.delete(this.#tap)
      this.#tap.end()
    }
    this.#stream = stream
    stream?.taps.add(this.#tap)
  }

  /** Ends the subscription without telling the tap. */
  cancel(): void {
    this.#stream?.taps.delete(this.#tap)
    this.#stream = undefined
  }
}
