// Subscriptions of the hub to preview images. They continue after the connection was lost.
import type { EnginePeer } from '../connection/peers.ts'
import type { PreviewSize } from '../interfaces/engine.ts'

interface Watch {
  channelId: number
  size: PreviewSize
  onImage(jpeg: Uint8Array): void
}

export class PreviewWatches {
  readonly #peer: () => EnginePeer | undefined
  /** By number. */
  readonly #watches = new Map<number, Watch>()
  #lastNumber = 0

  /** @param peer the current connection */
  constructor(peer: () => EnginePeer | undefined) {
    this.#peer = peer
  }

  /** @returns a function that ends the subscription */
  add(watch: Watch): () => void {
    const number = ++this.#lastNumber
    this.#watches.set(number, watch)
    this.#start(number, watch)
    return () => {
      if (this.#watches.delete(number)) this.#peer()?.notify('endPreview', number)
    }
  }

  /** Starts all subscriptions again, because there is a new connection. */
  restartAll(): void {
    for (const [number, watch] of this.#watches) this.#start(number, watch)
  }

  /** Passes an image to its subscriber. */
  handleImage(data: Buffer): void {
    if (data.length < 4) return
    this.#watches.get(data.readUInt32BE())?.onImage(new Uint8Array(data.subarray(4)))
  }

  #start(number: number, { channelId, size }: Watch): void {
    this.#peer()?.notify('watchPreview', number, channelId, size)
  }
}
