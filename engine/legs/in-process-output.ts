// An output that the engine carries itself, without a child process: datagrams, listening outputs, HLS, NDI and
// devices.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { ALLOW_ALL, type IpAllowList } from '../access/ip-allow-list.ts'
import { observeWaiting } from '../access/refused-callers.ts'
import type { ObservedOutput, ObservedPlayer } from '../interfaces/channel.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Process } from '../interfaces/launcher.ts'
import type { ChangeReports, Processes } from '../interfaces/leg-parts.ts'
import type { LegCounters, Output } from '../interfaces/legs.ts'
import type { RelayAddress, Stream } from '../interfaces/relay.ts'
import { systemFailure } from '../process/failure.ts'
import { type Attempt, Supervisor } from '../process/supervisor.ts'
import { createMeter, observeActive } from '../stats/meter.ts'
import type { Carrier, CarrierContext, OpenCarrier, PlaybackDevice } from './carrier.ts'

export class InProcessOutput implements Output {
  readonly key?: string
  readonly #openCarrier: OpenCarrier
  readonly #context: Processes & ChangeReports
  readonly #allowList: () => IpAllowList
  readonly #device: PlaybackDevice | undefined
  readonly #meter = createMeter()
  readonly #supervisor: Supervisor
  #stream: Stream | undefined
  #carrier: Carrier | undefined
  #lastEndReason: Reason | undefined
  #isStopped = false

  /**
   * Creates an output that opens its carrier immediately, and again when its device comes online.
   * @param allowList addresses from which players may connect; after a change `recheckAddresses` must be called
   * @param device the device that plays the output, if there is one
   */
  constructor(
    openCarrier: OpenCarrier,
    context: Processes & ChangeReports,
    allowList: () => IpAllowList = () => ALLOW_ALL,
    device?: PlaybackDevice
  ) {
    this.#openCarrier = openCarrier
    this.#context = context
    this.#allowList = allowList
    this.#device = device
    if (device) this.key = device.key
    this.#supervisor = new Supervisor({
      start: (attempt) => this.#start(attempt),
      lastRunMs: this.#meter.lastRunMs,
      onChange: () => context.onChange(),
      whenReady: async () => {
        await Promise.all([context.launcher.waitForStops(), device?.whenReleased()])
      },
      now: context.now
    })
    if (!this.#isDeviceOffline()) this.#supervisor.wake()
  }

  attach(stream: Stream): void {
    this.#stream = stream
    this.#carrier?.attach(stream)
  }

  totalBytes(): number {
    return this.#meter.totalBytes()
  }

  counters(now: number): LegCounters {
    return { ...this.#carrier?.counters?.(now), bytes: this.#meter.settledBytes(now) }
  }

  lastEndReason(): Reason | undefined {
    return this.#lastEndReason
  }

  tick(): void {
    this.#carrier?.tick?.()
  }

  players(now: number): ObservedPlayer[] {
    return this.#carrier?.players?.(now) ?? []
  }

  disconnect(player: number): boolean {
    return this.#carrier?.disconnect?.(player) ?? false
  }

  recheckAddresses(): void {
    this.#carrier?.recheckAddresses?.()
  }

  takeOverAddress(): RelayAddress | undefined {
    return this.#carrier?.takeOverAddress?.()
  }

  endTakeOver(): void {
    this.#carrier?.endTakeOver?.()
  }

  handOver(address: RelayAddress): void {
    this.#carrier?.handOver?.(address)
  }

  isHandedOver(): boolean {
    return this.#carrier?.isHandedOver?.() ?? true
  }

  onDeviceChange(): void {
    if (this.#isStopped) return
    if (this.#isDeviceOffline()) this.#supervisor.park()
    else this.#supervisor.wake(true)
    this.#context.onChange()
  }

  observe(now: number): ObservedOutput {
    const carrier = this.#carrier
    const droppedBytes = carrier?.droppedBytes()
    const clientNum = carrier?.playerCount?.()
    const extra = { ...(clientNum !== undefined && { clientNum }), ...(droppedBytes && { droppedBytes }) }
    const idle = { kbps: 0, livingTimeS: 0, ...extra }
    if (this.#isDeviceOffline())
      return {
        ...idle,
        state: SOURCE_STATE.offline,
        connState: CONNECTION_STATE.disconnected,
        reason: 'device-offline'
      }
    const failure = carrier ? carrier.problem?.(now) : this.#supervisor.failure()
    if (failure) return { ...idle, ...failure }
    if (!carrier || (this.#device && carrier.isWaiting?.()))
      return { ...idle, state: SOURCE_STATE.adding, connState: CONNECTION_STATE.connecting }
    if (carrier.isWaiting?.()) return { ...idle, ...observeWaiting(carrier.lastRefusal?.()) }
    if (this.#meter.isActive(now)) return { ...extra, ...observeActive(this.#meter, now) }
    const reason: Reason | undefined = this.#stream?.isActive() ? undefined : 'input-silent'
    return {
      ...idle,
      state: SOURCE_STATE.running,
      connState: CONNECTION_STATE.waitingForData,
      ...(reason && { reason })
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([this.#supervisor.park(), this.#device?.cancel()])
  }

  #isDeviceOffline(): boolean {
    return this.#device?.isOnline() === false
  }

  /** Opens the carrier and returns it as a process for the supervisor. */
  async #start(attempt: Attempt): Promise<Process | undefined> {
    this.#meter.reset()
    let opened: Carrier | undefined
    const context = this.#createCarrierContext((failure) => {
      if (this.#carrier === opened) this.#carrier = undefined
      attempt.end(failure)
    })
    let carrier: Carrier
    try {
      carrier = await this.#openCarrier(context)
    } catch (error) {
      attempt.end(systemFailure(error as Error))
      return undefined
    }
    opened = carrier
    if (attempt.isCurrent()) {
      this.#carrier = carrier
      if (this.#stream) carrier.attach(this.#stream)
    }
    return {
      pid: undefined,
      stdin: undefined,
      stop: async () => {
        if (this.#carrier === carrier) this.#carrier = undefined
        await carrier.close()
      }
    }
  }

  #createCarrierContext(onFailure: (failure: Failure) => void): CarrierContext {
    const { now, onChange } = this.#context
    return {
      onBytes: (bytes) => {
        const time = now()
        if (!this.#meter.isActive(time)) {
          this.#supervisor.clearFailure()
          onChange()
        }
        this.#meter.add(bytes, time)
        if (!this.#carrier?.isWaiting?.()) this.#lastEndReason = undefined
      },
      onFailure,
      onChange: () => {
        if (!this.#device && this.#carrier?.isWaiting?.()) this.#lastEndReason = 'client-left'
        onChange()
      },
      inputKbps: () => this.#stream?.kbps() ?? 0,
      allowList: this.#allowList
    }
  }
}
