// A device that is ordered to push its stream: to an SRT listener opened for it, or to the shared RTMP port.
import { randomBytes } from 'node:crypto'
import type { PushOrder } from '../../contract/device/link.ts'
import { LATENCY_DEFAULT } from '../../contract/limits.ts'
import { RTMP } from '../../contract/stream/protocols.ts'
import type { PushSettings, WantedInput } from '../interfaces/channel.ts'
import type { Launch, Process } from '../interfaces/launcher.ts'
import type { Publisher, PushOrders, RtmpPush, SharedPortInputs } from '../interfaces/leg-parts.ts'
import type { InputCommand } from '../interfaces/legs.ts'
import type { Relay } from '../interfaces/relay.ts'
import { waitAtMost } from '../interfaces/wait-at-most.ts'
import { findFreeUdpPort } from '../srt/dedicated-port.ts'
import { buildPushCommand, buildPushUrl, type PushTarget } from './input-command.ts'
import type { Origin } from './origin.ts'
import { SrtListener, type SrtListenerParts } from './srt-listener.ts'

export type DeviceOriginParts = SrtListenerParts & PushOrders & SharedPortInputs

const DEFAULT_SETTINGS: PushSettings = { latency: LATENCY_DEFAULT, 'stream-index': 0 }
/** The command of a device that pushes over RTMP: ffmpeg starts when the device has connected. */
const RTMP_COMMAND: InputCommand = { args: [], secrets: [], isListener: true, isConnectionless: false, isRemuxed: true }
/** Milliseconds that a device has to confirm that it stops. */
const CANCEL_TIMEOUT = 2000

type DeviceInput = Extract<WantedInput, { kind: 'device' }>

export class DeviceOrigin implements Origin {
  readonly isDevice = true
  readonly #sn: string
  readonly #context: DeviceOriginParts
  readonly #listener: SrtListener
  readonly #rtmp: RtmpPushReceiver
  #settings: PushSettings
  #target: PushTarget | undefined
  #order: PushOrder | undefined

  constructor(input: DeviceInput, context: DeviceOriginParts) {
    this.#sn = input.sn
    this.#context = context
    this.#listener = new SrtListener(context)
    this.#rtmp = new RtmpPushReceiver(context)
    this.#settings = input.push ?? DEFAULT_SETTINGS
  }

  changePushSettings(next: PushSettings = DEFAULT_SETTINGS): boolean {
    const { latency, 'stream-index': streamIndex, protocol } = this.#settings
    this.#settings = next
    return next.latency !== latency || next['stream-index'] !== streamIndex || next.protocol !== protocol
  }

  isAvailable(): boolean {
    return this.#context.isDeviceOnline(this.#sn)
  }

  async command(): Promise<InputCommand> {
    this.#rtmp.close()
    if (this.#settings.protocol === RTMP) {
      this.#target = undefined
      return RTMP_COMMAND
    }
    const host = this.#context.pushHost
    const passphrase = randomBytes(24).toString('base64url')
    const port = await findFreeUdpPort(host)
    const streamId = `push/${randomBytes(9).toString('base64url')}`
    const { latency, 'stream-index': streamIndex } = this.#settings
    this.#order = { port, 'stream-id': streamId, passphrase, latency, 'stream-index': streamIndex }
    this.#target = { host, port, passphrase, latency }
    return { ...buildPushCommand(this.#target), failure: () => this.#listener.failure() }
  }

  async run(launch: Launch, relay: Relay): Promise<Process> {
    return this.#target === undefined
      ? this.#rtmp.run(launch, relay)
      : this.#listener.run(buildPushUrl(this.#target), launch, relay)
  }

  async onStarted(): Promise<void> {
    if (!this.#target) {
      const { port, key } = await this.#rtmp.target()
      const order = { port, 'stream-id': key, passphrase: '', protocol: RTMP }
      this.#order = { ...order, latency: LATENCY_DEFAULT, 'stream-index': this.#settings['stream-index'] }
    }
    if (this.#order) await this.#context.orderPush(this.#sn, this.#order)
  }

  async release(): Promise<void> {
    this.#rtmp.close()
    if (!this.#order) return
    this.#order = undefined
    if (!this.isAvailable()) return
    await waitAtMost(this.#context.cancelOrder(this.#sn), CANCEL_TIMEOUT)
  }
}

class RtmpPushReceiver {
  readonly #context: SharedPortInputs
  #push: RtmpPush | undefined

  constructor(context: SharedPortInputs) {
    this.#context = context
  }

  /** Waits for the device with a new stream key, and forwards its stream to the relay until it ends. */
  run(launch: Launch, relay: Relay): Process {
    let process: Promise<Process> | undefined
    let isStopped = false
    const receive = async (publisher: Publisher): Promise<Process> => {
      const { args, hiddenArgs, allowedHosts } = publisher.command()
      return publisher.run(
        { ...launch, args, ...(hiddenArgs && { hiddenArgs }), ...(allowedHosts && { allowedHosts }) },
        relay
      )
    }
    this.close()
    const push = this.#context.openRtmpPush((publisher) => {
      if (process || isStopped) return
      process = receive(publisher)
      process.catch((error: Error) => isStopped || launch.onEnd([error.message]))
    })
    this.#push = push
    return {
      pid: undefined,
      stdin: undefined,
      async stop() {
        isStopped = true
        const running = await process?.catch(() => undefined)
        await running?.stop()
        push.close()
      }
    }
  }

  /** The port and the stream key for the order. Rejects if the port cannot be opened. */
  async target(): Promise<{ port: number; key: string }> {
    const push = this.#push
    if (!push) throw new Error('The device is not expected')
    return { port: await push.port(), key: push.key }
  }

  /** Refuses the device from now on. */
  close(): void {
    this.#push?.close()
    this.#push = undefined
  }
}
