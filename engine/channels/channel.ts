// A channel as the engine runs it.
import type { IpAllowList } from '../access/ip-allow-list.ts'
import type { InputSwitch } from '../inputs/input-switch.ts'
import type { Preview } from '../inputs/preview.ts'
import type { WantedChannel } from '../interfaces/channel.ts'
import type { Input } from '../interfaces/input.ts'
import type { LegStats } from '../interfaces/leg-stats.ts'
import type { Output } from '../interfaces/output.ts'
import type { Stream } from '../interfaces/stream.ts'
import { createLegStats } from '../stats/leg-stats.ts'
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

export class Channel {
  wanted: WantedChannel
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
  /** Subscriptions to preview images. */
  readonly previews = new Set<Preview>()
  /** Plays the stream in pages of the console, once a page has asked for it. */
  watch: ChannelWatch | undefined
  /** By output ID. */
  readonly outputs = new Map<number, ChannelOutput>()
  readonly #stats = new Map<Leg, LegStats>()
  /** When the stream for the outputs began to carry media, in milliseconds of the engine's clock. */
  #onAirSince: number | undefined

  /** @param wanted treated as disabled until the channel is reconciled */
  constructor(wanted: WantedChannel) {
    this.wanted = { ...wanted, enable: false }
  }

  /** Changes the stream for the outputs. */
  setStream(stream: Stream | undefined): void {
    if (this.stream !== stream && (!this.stream || stream?.continues?.() !== this.stream)) this.#onAirSince = undefined
    this.stream = stream
  }

  /**
   * Milliseconds for which the stream for the outputs has carried media. An input may have carried it longer: another channel uses it as well, or it
   * was a backup.
   * @param isConnected whether it carries media now
   */
  onAirMs(isConnected: boolean, now: number): number {
    if (!isConnected) this.#onAirSince = undefined
    else this.#onAirSince ??= now
    return now - (this.#onAirSince ?? now)
  }

  /** Statistics of a leg; undefined if it was never started. */
  findStats(leg: Leg): LegStats | undefined {
    return this.#stats.get(leg)
  }

  /** Starts or continues the statistics of a leg. */
  stats(leg: Leg): LegStats {
    let stats = this.#stats.get(leg)
    if (!stats) {
      stats = createLegStats(SETTLE_DELAY)
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
}

/** Whether a channel has inputs besides the first one, or a slate. */
export const hasFallbacks = ({ backups = [], slate = false }: WantedChannel): boolean => backups.length > 0 || slate
