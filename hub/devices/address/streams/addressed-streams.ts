// Streams between the hub and devices at addresses: carries out the orders of the stream engine over the documented API
// of the device, keeps what the device did before, and gives it back (docs/architecture/devices-at-addresses.md).
import { setTimeout as delay } from 'node:timers/promises'
import { UNSUPPORTED } from '../../../../contract/codes.ts'
import type { DeviceApi } from '../../../../contract/device/action.ts'
import { type ApiDefinition, apiDefinition } from '../../../../contract/device/api-definitions.ts'
import type { PlayOrder, PushOrder } from '../../../../contract/device/link.ts'
import type { DeviceActivity } from '../../../../contract/device/status.ts'
import { DIR_INPUT } from '../../../../contract/stream/protocols.ts'
import { LinkError } from '../../../../device-link/link-error.ts'
import type { DeviceRequest, DeviceResponse } from '../../../../device-link/request.ts'
import { Emitter } from '../../../emitter.ts'
import type { BeforeOrder, OrderKind } from '../../../store/device-streams.ts'
import type { DeviceRow } from '../../../store/devices.ts'
import type { Store } from '../../../store/store.ts'
import type { Observation } from '../../adapters/adapter.ts'
import { localAddressTowards } from '../local-address.ts'
import { RecentList } from '../recent-list.ts'
import { decoderPlayback } from './decoder-playback.ts'
import { createDeviceCalls, type DeviceCalls } from './device-calls.ts'
import { sentStream } from './sent-stream.ts'
import { SERVED_LISTS, type ServedStream } from './served-streams.ts'
import { sourcePlayback } from './source-playback.ts'
import { HUB_ENTRY, type StreamMethod } from './stream-method.ts'
import { ultraPush } from './ultra-push.ts'

/** How devices of a generation send a stream to the hub, and how they play one. */
const PUSH_METHODS: Partial<Record<DeviceApi, StreamMethod<PushOrder>>> = { usapi: ultraPush, api: sentStream }
const PLAY_METHODS: Partial<Record<DeviceApi, StreamMethod<PlayOrder>>> = {
  mwapi: decoderPlayback,
  api: sourcePlayback
}
const KINDS = ['push', 'play'] as const satisfies readonly OrderKind[]

/** All in milliseconds: for how long and how often the hub asks a device how it carries out an order. */
export interface OutcomeTiming {
  timeout: number
  interval: number
}

const DEFAULT_TIMING: OutcomeTiming = { timeout: 20_000, interval: 1500 }

interface AddressedStreamsOptions {
  store: Store
  /** Sends a request to a device. @throws LinkError */
  request(sn: string, call: DeviceRequest, timeout: number): Promise<DeviceResponse>
  isOnline(sn: string): boolean
  timing?: Partial<OutcomeTiming> | undefined
}

/** A device with which the hub exchanges streams. Kept after the device was deleted, until it has its own back. */
interface StreamDevice {
  id: number
  definition: ApiDefinition
  ip: string
  /** What the device did before; absent: there is no such order. */
  before: Partial<Record<OrderKind, BeforeOrder>>
  /** Number of orders and cancellations so far. */
  turn: number
  /** Resolves when the last call of the queue has ended. */
  queue: Promise<unknown>
  served: RecentList<ServedStream>
}

/** The live streams of a device without the one to the hub. */
function withoutHubStream({ sessions, ...live }: DeviceActivity, before: BeforeOrder): DeviceActivity {
  const others = sessions?.filter(({ name }) => name !== HUB_ENTRY)
  return { ...live, on: live.on && before.live === true, ...(others && { sessions: others }) }
}

/** Whether a device at an address can serve streams to those who ask for them. */
export function servesStreams({ api, dir }: Pick<DeviceRow, 'api' | 'dir'>): boolean {
  const generation = apiDefinition(api)?.generation
  return generation !== undefined && SERVED_LISTS[generation] !== undefined && (dir & DIR_INPUT) !== 0
}

export class AddressedStreams {
  /** The NDI source of a device has another name, or begins or ceases to exist. */
  readonly ndiSourceChanged = new Emitter<[id: number]>()
  readonly #store: Store
  readonly #options: AddressedStreamsOptions
  readonly #timing: OutcomeTiming
  readonly #devices = new Map<string, StreamDevice>()

  constructor(options: AddressedStreamsOptions) {
    this.#store = options.store
    this.#options = options
    this.#timing = { ...DEFAULT_TIMING, ...options.timing }
  }

  /** As `DeviceLinks.orderStream`. Rejects also if the device then reports that it cannot send. @throws LinkError */
  orderStream(sn: string, order: PushOrder): Promise<void> {
    return this.#order(sn, 'push', order, PUSH_METHODS)
  }

  /** As `DeviceLinks.cancelOrder`. @throws LinkError */
  cancelOrder(sn: string): Promise<void> {
    return this.#cancel(sn, 'push')
  }

  /** As `DeviceLinks.orderPlayback`. @throws LinkError */
  orderPlayback(sn: string, order: PlayOrder): Promise<void> {
    return this.#order(sn, 'play', order, PLAY_METHODS)
  }

  /** As `DeviceLinks.cancelPlayback`. @throws LinkError */
  cancelPlayback(sn: string): Promise<void> {
    return this.#cancel(sn, 'play')
  }

  /**
   * The streams that a device serves to those who ask for them, read at most every 5 s. Changes nothing on the device.
   * @throws LinkError 9 if its API has none, and as `request`
   */
  async listServed(sn: string): Promise<ServedStream[]> {
    const row = this.#store.devices.bySerial(sn)
    const device = row && servesStreams(row) ? this.#find(sn) : undefined
    if (!device) throw new LinkError(UNSUPPORTED, 'the API of the device has no such function')
    return device.served.get()
  }

  #readServed(sn: string, device: StreamDevice): Promise<ServedStream[]> {
    const list = SERVED_LISTS[device.definition.generation]
    const host = this.#store.deviceAddresses.get(device.id)?.address ?? device.ip
    return list ? list(this.#callsOf(sn, device), host) : Promise.resolve([])
  }

  /**
   * Takes note of an observation of a device.
   * @returns the observation without the stream to the hub, which is no live stream of the device
   */
  observe(sn: string, observation: Observation): Observation {
    const row = this.#store.devices.bySerial(sn)
    if (!row) return observation
    this.#updateNdiSource(row.id, observation.ndiSource)
    const before = this.#store.deviceStreams.before(row.id, 'push')
    const { live } = observation.status
    return before && live
      ? { ...observation, status: { ...observation.status, live: withoutHubStream(live, before) } }
      : observation
  }

  #updateNdiSource(id: number, name: string | undefined): void {
    const { database, deviceStreams } = this.#store
    if (name === undefined || deviceStreams.ndiSource(id) === name) return
    database.transactionOrLater(() => deviceStreams.setNdiSource(id, name))
    this.ndiSourceChanged.emit(id)
  }

  /** A device came online: gives back what it did before an order that has ended while it was offline. */
  readonly onOnline = (sn: string): void => {
    const device = this.#find(sn)
    if (!device) return
    for (const kind of KINDS)
      if (device.before[kind] && !this.#isWanted(device.id, kind)) this.#cancel(sn, kind).catch(() => {})
  }

  /** Gives a device back all that it did before, because it is not managed any more. Never rejects. */
  async release(sn: string): Promise<void> {
    const device = this.#find(sn)
    if (!device) return
    for (const kind of KINDS) if (device.before[kind]) await this.#cancel(sn, kind).catch(() => {})
    this.#devices.delete(sn)
  }

  /** Whether an enabled channel receives the stream of a device, or has the device play its own. */
  #isWanted(id: number, kind: OrderKind): boolean {
    const { channels } = this.#store
    if (kind === 'push') return channels.byInput(id).some(({ enable }) => enable === 1)
    const output = channels.deviceOutputOf(id)
    return output?.enable === 1 && channels.byId(output.channel_id)?.enable === 1
  }

  #find(sn: string): StreamDevice | undefined {
    const row: DeviceRow | undefined = this.#store.devices.bySerial(sn)
    const known = this.#devices.get(sn)
    const definition = row && apiDefinition(row.api)
    if (!row || !definition) return known
    const device: StreamDevice = known ?? {
      id: row.id,
      definition,
      ip: '',
      before: Object.fromEntries(
        KINDS.flatMap((kind) => {
          const before = this.#store.deviceStreams.before(row.id, kind)
          return before ? [[kind, before]] : []
        })
      ),
      turn: 0,
      queue: Promise.resolve(),
      served: new RecentList(() => this.#readServed(sn, device))
    }
    // A swap gives a device another row.
    device.id = row.id
    device.definition = definition
    device.ip = row.connect_ip
    this.#devices.set(sn, device)
    return device
  }

  #callsOf(sn: string, { definition }: StreamDevice): DeviceCalls {
    return createDeviceCalls(definition, (call, timeout) => this.#options.request(sn, call, timeout))
  }

  async #order<Order>(
    sn: string,
    kind: OrderKind,
    order: Order,
    methods: Partial<Record<DeviceApi, StreamMethod<Order>>>
  ): Promise<void> {
    const device = this.#find(sn)
    const method = device && methods[device.definition.generation]
    if (!device || !method) throw new LinkError(UNSUPPORTED, 'the API of the device has no such function')
    const calls = this.#callsOf(sn, device)
    const turn = ++device.turn
    await this.#inTurn(device, async () => {
      if (device.turn !== turn) return
      if (!device.before[kind]) this.#save(device, kind, await method.read(calls))
      const before = device.before[kind] ?? {}
      const host = await localAddressTowards(device.ip)
      await method.start(calls, order, host, before, (next) => this.#save(device, kind, next))
    })
    if (method.outcome) await this.#waitForOutcome(device, turn, calls, method.outcome)
  }

  /** Waits until the device reports that it sends. @throws LinkError with the result code that it reports instead */
  async #waitForOutcome(
    device: StreamDevice,
    turn: number,
    calls: DeviceCalls,
    outcome: NonNullable<StreamMethod<never>['outcome']>
  ): Promise<void> {
    const { timeout, interval } = this.#timing
    const deadline = performance.now() + timeout
    while (performance.now() < deadline) {
      await delay(interval, undefined, { ref: false })
      if (device.turn !== turn) return
      const result = await outcome(calls)
      if (device.turn !== turn || result === 'done') return
      if (result !== 'waiting') calls.refuse(result)
    }
  }

  async #cancel(sn: string, kind: OrderKind): Promise<void> {
    const device = this.#find(sn)
    if (!device) return
    const methods: Partial<Record<DeviceApi, StreamMethod<never>>> = kind === 'push' ? PUSH_METHODS : PLAY_METHODS
    const method = methods[device.definition.generation]
    device.turn++
    await this.#inTurn(device, async () => {
      const before = device.before[kind]
      if (!before) return
      if (!this.#options.isOnline(sn)) return
      await method?.stop(this.#callsOf(sn, device), before)
      this.#save(device, kind, undefined)
    })
  }

  /** Runs the calls of orders of one device one after the other. */
  #inTurn(device: StreamDevice, work: () => Promise<void>): Promise<void> {
    const done = device.queue.then(work)
    device.queue = done.catch(() => {})
    return done
  }

  /** Stores what a device did before, on disk before the device is changed. */
  #save(device: StreamDevice, kind: OrderKind, before: BeforeOrder | undefined): void {
    if (before) device.before[kind] = before
    else delete device.before[kind]
    const { database, deviceStreams, devices, changes } = this.#store
    if (!devices.byId(device.id)) return
    database.transactionOrLater(() => deviceStreams.setBefore(device.id, kind, before))
    changes.markChanged('device', device.id)
  }
}
