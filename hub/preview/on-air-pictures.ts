// Pictures of devices at addresses that have none of their own: those of the channel where a device is on air.
import type { PreviewSize } from '../../engine/interfaces/channel.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { AddressedDevices } from '../devices/address/addressed-devices.ts'
import type { IncomingStreams } from '../devices/incoming-streams.ts'
import type { Store } from '../store/store.ts'

interface OnAirPicturesOptions {
  store: Pick<Store, 'devices'>
  engine: Pick<EngineClient, 'watchPreview'>
  addressedDevices: Pick<AddressedDevices, 'has'>
  incomingStreams: Pick<IncomingStreams, 'listOnAir'>
}

interface Follower {
  sn: string
  size: PreviewSize
  onImage(jpeg: Uint8Array): void
  channel?: number | undefined
  stop?: (() => void) | undefined
}

export class OnAirPictures {
  readonly #options: OnAirPicturesOptions
  readonly #followers = new Set<Follower>()

  constructor(options: OnAirPicturesOptions) {
    this.#options = options
  }

  /**
   * Sends the pictures of a device while it is on air.
   * @returns a function that ends that; undefined for a device that has pictures of its own
   */
  watch(sn: string, size: PreviewSize, onImage: (jpeg: Uint8Array) => void): (() => void) | undefined {
    const { addressedDevices, store } = this.#options
    if (!addressedDevices.has(sn) || store.devices.bySerial(sn)?.preview) return undefined
    const follower: Follower = { sn, size, onImage }
    this.#followers.add(follower)
    this.refresh()
    return () => {
      this.#followers.delete(follower)
      follower.stop?.()
    }
  }

  /** A channel may have another stream on air. An arrow function, so that it can be passed on as a callback. */
  readonly refresh = (): void => {
    if (this.#followers.size === 0) return
    const { engine, incomingStreams, store } = this.#options
    const onAir = incomingStreams.listOnAir()
    for (const follower of this.#followers) {
      const { sn, size, onImage } = follower
      const channel = onAir.get(store.devices.bySerial(sn)?.id ?? 0)
      if (channel === follower.channel) continue
      follower.stop?.()
      follower.channel = channel
      follower.stop = channel === undefined ? undefined : engine.watchPreview(channel, size, onImage)
    }
  }
}
