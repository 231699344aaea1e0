import type { Stream, StreamUser, Tap, TapSubscription } from '../interfaces/relay.ts'

/** @param isNext whether the stream follows another one */
type AddReceiver = (stream: Stream, from: Stream | undefined, isNext: boolean) => () => void

/** Attaches one receiver to one stream at a time. */
export class Subscription {
  readonly #add: AddReceiver
  readonly #onEnd: () => void
  #stream: Stream | undefined
  #remove: (() => void) | undefined

  private constructor(add: AddReceiver, onEnd: () => void) {
    this.#add = add
    this.#onEnd = onEnd
  }

  /** @param nextOptions for streams that follow another one */
  static ofTap(tap: Tap, options?: TapSubscription, nextOptions: TapSubscription | undefined = options): Subscription {
    return new Subscription(
      (stream, from, isNext) => stream.subscribe(tap, isNext ? nextOptions : options, from),
      () => tap.end()
    )
  }

  static ofUser(user: StreamUser): Subscription {
    return new Subscription(
      (stream, from) => stream.addUser(user, from),
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

  /**
   * Changes to another stream, or to none. Tells the receiver that the previous stream ended, unless the other one
   * continues it.
   */
  attach(stream: Stream | undefined): void {
    const previous = this.#stream
    if (previous === stream) return
    if (stream && previous && stream.continues?.() === previous) {
      this.#stream = stream
      this.#remove = this.#add(stream, previous, true)
      return
    }
    const hadStream = previous !== undefined
    this.cancel()
    if (hadStream) this.#onEnd()
    this.#stream = stream
    this.#remove = stream && this.#add(stream, undefined, hadStream)
  }

  /** Ends the subscription. The receiver is not told that the stream ended. */
  cancel(): void {
    this.#remove?.()
    this.#remove = undefined
    this.#stream = undefined
  }
}
