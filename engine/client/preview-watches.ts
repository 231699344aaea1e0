// Subscriptions of the hub to preview images. They continue after the connection was lost.
import type { NdiUrl } from '../../contract/ndi/url.ts'
import type { EnginePeer } from '../connection/peer.ts'
import type { PreviewSize } from '../interfaces/channel.ts'

interface Watch {
  /** Starts the subscription at the engine. */
  start(peer: EnginePeer, number: number): void
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
  watchChannel(channelId: number, size: PreviewSize, onImage: Watch['onImage']): () => void {
    return this.#add({ start: (peer, number) => peer.notify('watchPreview', number, channelId, size), onImage })
  }

  /** @returns a function that ends the subscription */
  watchNdi(source: NdiUrl, size: PreviewSize, onImage: Watch['onImage']): () => void {
    return this.#add({ start: (peer, number) => peer.notify('watchNdi', number, source, size), onImage })
  }

  #add(watch: Watch): () => void {
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

  #start(number: number, watch: Watch): void {
    const peer = this.#peer()
    if (peer) watch.start(peer, number)
  }
}
