// A device that is ordered to push its stream to an SRT listener opened for it.
import { randomBytes } from 'node:crypto'
import type { PushOrder } from '../../contract/device/link.ts'
import { LATENCY_DEFAULT } from '../../contract/limits.ts'
import type { PushSettings, WantedInput } from '../interfaces/channel.ts'
import type { EngineContext } from '../interfaces/engine-context.ts'
import type { InputCommand } from '../interfaces/input-command.ts'
import type { Launch, Process } from '../interfaces/launcher.ts'
import type { Relay } from '../interfaces/relay.ts'
import { withDeadline } from '../process/deadline.ts'
import { findFreeUdpPort } from '../srt/dedicated-port.ts'
import { buildPushCommand, buildPushUrl, type PushTarget } from './input-command.ts'
import type { Origin } from './origin.ts'
import { SrtListener } from './srt-listener.ts'

const DEFAULT_SETTINGS: PushSettings = { latency: LATENCY_DEFAULT, 'stream-index': 0 }
/** Milliseconds that a device has to confirm that it stops. */
const CANCEL_TIMEOUT = 2000

type DeviceInput = Extract<WantedInput, { kind: 'device' }>

export class DeviceOrigin implements Origin {
  readonly isDevice = true
  readonly #sn: string
  readonly #context: EngineContext
  readonly #listener: SrtListener
  #settings: PushSettings
  #target: PushTarget | undefined
  #order: PushOrder | undefined

  constructor(input: DeviceInput, context: EngineContext) {
    this.#sn = input.sn
    this.#context = context
    this.#listener = new SrtListener(context)
    this.#settings = input.push ?? DEFAULT_SETTINGS
  }

  changePushSettings(next: PushSettings = DEFAULT_SETTINGS): boolean {
    const { latency, 'stream-index': streamIndex } = this.#settings
    this.#settings = next
    return next.latency !== latency || next['stream-index'] !== streamIndex
  }

  isAvailable(): boolean {
    return this.#context.isDeviceOnline(this.#sn)
  }

  async command(): Promise<InputCommand> {
    const host = this.#context.pushHost
    const passphrase = randomBytes(24).toString('base64url')
    const port = await findFreeUdpPort(host)
    const streamId = `push/${randomBytes(9).toString('base64url')}`
    this.#order = { port, 'stream-id': streamId, passphrase, ...this.#settings }
    this.#target = { host, port, passphrase, latency: this.#settings.latency }
    return { ...buildPushCommand(this.#target), failure: () => this.#listener.failure() }
  }

  async run(launch: Launch, relay: Relay): Promise<Process> {
    if (!this.#target) throw new Error('The device was not ordered to push')
    return this.#listener.run(buildPushUrl(this.#target), launch, relay)
  }

  async onStarted(): Promise<void> {
    if (this.#order) await this.#context.orderPush(this.#sn, this.#order)
  }

  async release(): Promise<void> {
    if (!this.#order) return
    this.#order = undefined
    if (!this.isAvailable()) return
    await withDeadline(this.#context.cancelOrder(this.#sn), CANCEL_TIMEOUT)
  }
}
