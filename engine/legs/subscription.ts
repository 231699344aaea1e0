import type { TapSubscription } from '../interfaces/relay.ts'
import type { Stream, StreamUser } from '../interfaces/stream.ts'
import type { Tap } from '../interfaces/tap.ts'

/** Attaches one receiver to one stream at a time. */
export class Subscription {
  readonly #add: (stream: Stream) => () => void
  readonly #onEnd: () => void
  #stream: Stream | undefined
  #remove: (() => void) | undefined

  private constructor(add: (stream: Stream) => () => void, onEnd: () => void) {
    this.#add = add
    this.#onEnd = onEnd
  }

  static ofTap(tap: Tap, options?: TapSubscription): Subscription {
    return new Subscription(
      (stream) => stream.subscribe(tap, options),
      () => tap.end()
    )
  }

  static ofUser(user: StreamUser): Subscription {
    return new Subscription(
      (stream) => stream.addUser(user),
      () => user.handleStreamEnd()
    )
  }

  /** The current stream. */
  get stream(): Stream | undefined {
    return this.#stream
  }

  /** Rate of the current stream; 0 without a stream. */
  kbps(): number {
    return this.#stream?.kbps() ?? 0
  }

  /** Changes to another stream, or to none. Tells the receiver that the previous stream ended. */
  attach(stream: Stream | undefined): void {
    if (this.#stream === stream) return
    const hadStream = this.#stream !== undefined
    this.cancel()
    if (hadStream) this.#onEnd()
    this.#stream = stream
    this.#remove = stream && this.#add(stream)
  }

  /** Ends the subscription. The receiver is not told that the stream ended. */
  cancel(): void {
    this.#remove?.()
    this.#remove = undefined
    this.#stream = undefined
  }
}
