// A channel as the engine runs it.
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { IpAllowList } from '../access/ip-allow-list.ts'
import { type FoundContent, withContent } from '../content/content-checks.ts'
import { ChannelEncoders } from '../encoders/channel-encoders.ts'
import type { Input } from '../inputs/input.ts'
import type { InputSwitch } from '../inputs/input-switch.ts'
import type { Preview } from '../inputs/preview.ts'
import {
  type AudioLevel,
  IDLE_LEG,
  type ObservedChannel,
  type ObservedClient,
  type ObservedLeg,
  type ObservedOutput,
  type WantedChannel,
  type WantedOutput
} from '../interfaces/channel.ts'
import type { Output } from '../interfaces/legs.ts'
import type { Stream } from '../interfaces/relay.ts'
import type { SharedPorts } from '../ports/shared-ports.ts'
import type { Recorder } from '../recording/recorder.ts'
import { LegStats } from '../stats/leg-stats.ts'
import { SETTLE_DELAY } from '../stats/meter.ts'
import type { ChannelWatch } from '../watch/channel-watch.ts'

/** A running output. */
export interface ChannelOutput {
  /** Configuration it was created for; see `outputFingerprint`. */
  fingerprint: string
  output: Output
  allowList: IpAllowList
}

/** A leg of a channel: an output or backup by its ID, or the first input. */
export type Leg = number | 'input'

/** An input or output by its ID. */
export type LegName = `input ${number}` | `output ${number}`

/** The tracks of an input, as the last events described them. */
export interface TrackEvents {
  /** Codecs of all tracks. */
  codecs: string
  /** Why it has not all of its tracks. */
  fault?: Reason | undefined
}

/**
 * What runs of a channel that is taken over from another engine: what can run beside the channel there, also the
 * datagram outputs, which wait until they are handed over, or everything.
 */
export type TakeOverStage = 'beside' | 'waiting' | 'complete'

export class Channel {
  wanted: WantedChannel
  stage: TakeOverStage = 'complete'
  /** Whether it is being taken over, so that its outputs follow those of another engine. */
  isTakenOver = false
  /** The first input, and its ID. */
  input: Input | undefined
  inputId = 0
  /** Bytes of the first input that the traffic history contains, or that it counted before this channel used it. */
  trafficBytes = 0
  /** By input ID. */
  readonly backups = new Map<number, Input>()
  /** Combines the inputs if there are backups or a slate. */
  inputSwitch: InputSwitch | undefined
  /** The stream for the outputs. */
  stream: Stream | undefined
  /** Encode the stream for outputs that do not get it as it is. */
  readonly encoders = new ChannelEncoders()
  /** Subscriptions to preview images. */
  readonly previews = new Set<Preview>()
  /** Plays the stream in pages of the console, once a page has asked for it. */
  watch: ChannelWatch | undefined
  /** Records the stream. */
  recorder: Recorder | undefined
  /** By output ID. */
  readonly outputs = new Map<number, ChannelOutput>()
  /**
   * The state of each leg in its last event: `up`, or the `CONNECTION_STATE` of a failure. A stopped leg is removed, so
   * that its next start has one.
   */
  readonly legEvents = new Map<LegName, 'up' | number | undefined>()
  /** Time of the refused caller in the last such event of each leg. */
  readonly refusalEvents = new Map<LegName, number>()
  /** What the last events said of the tracks of each input. */
  readonly trackEvents = new Map<LegName, TrackEvents>()
  /** What the checks of the content have found, by the ID of each input that is checked. */
  readonly content = new Map<number, FoundContent>()
  readonly #ports: Pick<SharedPorts, 'clients'>
  readonly #stats = new Map<Leg, LegStats>()
  /** When the stream for the outputs began to carry media, in milliseconds of the engine's clock. */
  #onAirSince: number | undefined

  /** @param wanted treated as disabled until the channel is reconciled */
  constructor(wanted: WantedChannel, ports: Pick<SharedPorts, 'clients'>) {
    this.wanted = { ...wanted, enable: false }
    this.#ports = ports
  }

  /** Forgets the events of a leg that is stopped. */
  forgetEvents(leg: LegName): void {
    this.legEvents.delete(leg)
    this.trackEvents.delete(leg)
    this.refusalEvents.delete(leg)
  }

  /** Changes the stream for the outputs. */
  setStream(stream: Stream | undefined): void {
    if (this.stream !== stream && (!this.stream || stream?.continues?.() !== this.stream)) this.#onAirSince = undefined
    this.stream = stream
  }

  /** The state of its legs, its clients, and the input on air. */
  observe(now: number): ObservedChannel {
    const input = this.input ? this.#observeInput(this.inputId, this.input, now) : IDLE_LEG
    const backups = new Map([...this.backups].map(([id, backup]) => [id, this.#observeInput(id, backup, now)]))
    const onAirInput = this.inputSwitch?.currentInput()
    const [onAirId] = [...this.backups].find(([, backup]) => backup === onAirInput) ?? []
    const current = (onAirId !== undefined && backups.get(onAirId)) || input
    const onAirMs = this.#onAirMs(current.connState === CONNECTION_STATE.connected, now)
    const onAir = this.#observeOnAir(input.connState)
    const recording = this.recorder?.observe(now)
    return {
      ...current,
      livingTimeS: Math.floor(onAirMs / 1000),
      input,
      backups,
      outputs: new Map(this.wanted.outputs.map((output) => [output.id, this.#observeOutput(output, now)])),
      clients: this.#observeClients(now),
      ...(onAir && { onAir }),
      ...(recording && { recording })
    }
  }

  /** The audio level of the input on air; undefined if there is none. */
  audioLevel(now: number): AudioLevel | undefined {
    const input = this.inputSwitch ? this.inputSwitch.currentInput() : this.input
    const levels = input?.audioLevels(now)
    if (!levels) return undefined
    const [backupId] = [...this.backups].find(([, backup]) => backup === input) ?? []
    return { backupId, levels }
  }

  /** Bytes of each leg since the engine started. */
  totalBytes(): { input: number; outputs: Map<number, number> } {
    return {
      input: this.input?.totalBytes() ?? 0,
      outputs: new Map([...this.outputs].map(([id, { output }]) => [id, output.totalBytes()]))
    }
  }

  /** Statistics of a leg; undefined if it was never started. */
  findStats(leg: Leg): LegStats | undefined {
    return this.#stats.get(leg)
  }

  /** Starts or continues the statistics of a leg. */
  stats(leg: Leg): LegStats {
    let stats = this.#stats.get(leg)
    if (!stats) {
      stats = new LegStats(SETTLE_DELAY)
      this.#stats.set(leg, stats)
    }
    return stats
  }

  /** Removes the statistics of outputs and backups that are no longer wanted. */
  removeUnwantedStats(): void {
    const { outputs, backups = [] } = this.wanted
    const ids = new Set<Leg>([...outputs, ...backups].map(({ id }) => id))
    for (const leg of this.#stats.keys()) if (leg !== 'input' && !ids.has(leg)) this.#stats.delete(leg)
  }

  /**
   * Milliseconds for which the stream for the outputs has carried media. An input may have carried it longer: another
   * channel uses it as well, or it was a backup.
   * @param isConnected whether it carries media now
   */
  #onAirMs(isConnected: boolean, now: number): number {
    if (!isConnected) this.#onAirSince = undefined
    else this.#onAirSince ??= now
    return now - (this.#onAirSince ?? now)
  }

  #observeInput(id: number, input: Input, now: number): ObservedLeg {
    return withContent(input.observe(now), this.content.get(id))
  }

  /** An output that sends nothing because its encoder does not run has the reason of that. */
  #observeOutput(wanted: WantedOutput, now: number): ObservedOutput {
    const running = this.outputs.get(wanted.id)
    if (!running) return IDLE_LEG
    const observed = running.output.observe(now)
    const problem = observed.connState === CONNECTION_STATE.connected ? undefined : this.encoders.problem(wanted)
    return { ...observed, ...problem }
  }

  /** @param inputState connection state of the first input */
  #observeOnAir(inputState: number): ObservedChannel['onAir'] {
    const { inputSwitch, input, inputId, wanted } = this
    if (inputSwitch && hasFallbacks(wanted)) return inputSwitch.observe()
    if (!input) return undefined
    const isConnected = inputState === CONNECTION_STATE.connected
    return { inputId, slate: false, reason: isConnected ? 'on-air-first' : 'on-air-none' }
  }

  /** Publishers and players, oldest first. */
  #observeClients(now: number): ObservedClient[] {
    const players = this.wanted.outputs.flatMap(({ id: outputId, protocol }) => {
      const connected = this.outputs.get(outputId)?.output.players?.(now) ?? []
      return connected.map((player) => ({ ...player, isPublisher: false, protocol, outputId }))
    })
    return [...this.#ports.clients(this.wanted.id), ...players].sort((a, b) => a.id - b.id)
  }
}

/** Whether a channel has inputs besides the first one, or a slate. */
export const hasFallbacks = ({ backups = [], slate = false }: WantedChannel): boolean => backups.length > 0 || slate
