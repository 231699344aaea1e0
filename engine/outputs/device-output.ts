// An output that a device plays: the device is ordered to connect to an SRT port that the engine opens for it, and
// plays the received stream.
import { randomBytes } from 'node:crypto'
import type { PlayOrder } from '../../contract/device/link.ts'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { PlaybackSettings } from '../interfaces/channel.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Deadlines, PlaybackOrders, ReleaseWaits, SrtProgram } from '../interfaces/leg-parts.ts'
import { waitAtMost } from '../interfaces/wait-at-most.ts'
import type { Carrier, CarrierContext, OpenCarrier, PlaybackDevice } from '../legs/carrier.ts'
import { failure, orderFailure } from '../process/failure.ts'
import { SRT_PROGRAM } from '../srt/caller.ts'
import { findFreeUdpPort } from '../srt/dedicated-port.ts'
import { createSrtListenerOutput, type SrtListenerParts } from '../srt/listener-output.ts'

export type DeviceOutputParts = SrtListenerParts & SrtProgram & Deadlines & PlaybackOrders & ReleaseWaits

/** Milliseconds that a device has to confirm that it stops. */
const CANCEL_TIMEOUT = 2000

/** Key of outputs to a device. It plays one stream, so the next output waits until the device was ordered to stop. */
export const playbackKey = (sn: string): string => `play ${sn}`

class PlaybackOutput implements PlaybackDevice {
  readonly key: string
  readonly #settings: PlaybackSettings
  readonly #context: DeviceOutputParts
  #isOrdered = false
  #isCancelled = false
  /** Why the last attempt failed, until the device connects. */
  #failure: Failure | undefined

  constructor(settings: PlaybackSettings, context: DeviceOutputParts) {
    this.key = playbackKey(settings.sn)
    this.#settings = settings
    this.#context = context
  }

  isOnline(): boolean {
    return this.#context.isDeviceOnline(this.#settings.sn)
  }

  whenReleased(): Promise<void> {
    return this.#context.whenReleased(this.key)
  }

  async cancel(): Promise<void> {
    this.#isCancelled = true
    if (!this.#isOrdered || !this.isOnline()) return
    this.#isOrdered = false
    await waitAtMost(this.#context.cancelPlayback(this.#settings.sn), CANCEL_TIMEOUT)
  }

  /** Opens the port and orders the device to connect. */
  async open(output: CarrierContext): Promise<Carrier> {
    const { outputHost, now, timeouts } = this.#context
    const { latency } = this.#settings
    const passphrase = randomBytes(24).toString('base64url')
    const port = await findFreeUdpPort(outputHost)
    const streamId = `play/${randomBytes(9).toString('base64url')}`
    const carrier = await this.#listen(port, streamId, passphrase, output)
    let isClosed = false
    let lastConnectedAt = now()
    const isConnected = () => !carrier.isWaiting?.()
    const fail = (reason: Failure) => {
      this.#failure = reason
      output.onFailure(reason)
    }
    // A port that did not open reports its own failure. The output may have been stopped while the port opened.
    if (!this.#isCancelled && !carrier.problem?.(now()))
      this.#order({ port, 'stream-id': streamId, passphrase, latency }, (error) => {
        if (!isClosed) fail(orderFailure(error, [passphrase, streamId], 'device-cannot-play'))
      })
    // The players are left out: only users who can see the device may see its address.
    return {
      attach: (stream) => carrier.attach(stream),
      counters: (time) => carrier.counters?.(time) ?? {},
      droppedBytes: () => carrier.droppedBytes(),
      tick: () => {
        carrier.tick?.()
        if (isConnected()) {
          lastConnectedAt = now()
          this.#failure = undefined
        } else if (!isClosed && !carrier.problem?.(now()) && now() - lastConnectedAt > timeouts.start)
          fail(failure(CONNECTION_STATE.failed, 'device-not-calling'))
      },
      isWaiting: () => !isConnected(),
      problem: (time) => carrier.problem?.(time) ?? (isConnected() ? undefined : this.#failure),
      close() {
        isClosed = true
        return carrier.close()
      }
    }
  }

  #listen(port: number, streamId: string, passphrase: string, output: CarrierContext): Promise<Carrier> {
    const config = {
      mode: 'listener',
      'bind-port': port,
      'stream-id': streamId,
      enc: 'aes-128',
      passphrase,
      latency: this.#settings.latency,
      'max-client-num': 1
    } as const
    // Without the cache, which would delay the picture of the device by the time since the last key frame.
    const options = { config, context: this.#context, fromCache: false }
    return createSrtListenerOutput(options, this.#context.srtProgram() ?? SRT_PROGRAM)(output)
  }

  #order(order: PlayOrder, onRefusal: (error: Error) => void): void {
    const { sn, 'buffer-ms': buffer } = this.#settings
    this.#isOrdered = true
    this.#context.orderPlayback(sn, buffer === undefined ? order : { ...order, 'buffer-ms': buffer }).catch(onRefusal)
  }
}

/** The device of an output, and how the output to it is opened. */
export function createDeviceOutput(
  settings: PlaybackSettings,
  context: DeviceOutputParts
): { device: PlaybackDevice; open: OpenCarrier } {
  const device = new PlaybackOutput(settings, context)
  return { device, open: (output) => device.open(output) }
}
