// Keeps the verdicts of all channels: they are assessed again at each event of the engine, and each second, because
// some depend on time.
import { type ChannelVerdict, DEFAULT_HEALTH_BOUNDS, type HealthBounds } from '../../contract/health.ts'
import type { WantedChannel } from '../../engine/interfaces/channel.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { Registry } from '../devices/registry.ts'
import { channelSetting } from '../store/channels.ts'
import type { Store } from '../store/store.ts'
import { verdictObject } from '../store/verdicts.ts'
import { type AssessedChannel, ChannelVerdicts, type StoredSince } from './channel-verdicts.ts'
import { ProcessorLoad } from './processor-load.ts'

/** Keeps verdicts over a restart of the hub. */
export interface VerdictRecorder {
  recordVerdicts(channel: number, assessed: AssessedChannel): void
  /** Since when a verdict on an object held when the hub was stopped; undefined if another one held. */
  storedSince(object: string, verdict: string): number | undefined
}

interface ChannelHealthOptions {
  engine: Pick<EngineClient, 'observe' | 'legReport'>
  /** Bounds of a channel. */
  boundsOf(id: number): HealthBounds
  /** The verdict on a channel, or on a leg of it, changed. */
  onChange(id: number): void
  /** The verdicts on a channel were assessed. Called at least once a second, also if nothing changed. */
  onAssessed?(id: number, assessed: AssessedChannel): void
  /** Since when a verdict holds that the hub stored before it was restarted. */
  storedSince?(channel: number): StoredSince
  /** Whether a device reports no signal at its own input. */
  hasNoSignal?(sn: string): boolean
  /** Whether streams suffer because the hub itself is busy. Default: no. */
  isHubBusy?(): boolean
  /** Milliseconds since the epoch. */
  now?: () => number
}

export class ChannelHealthMonitor {
  readonly #options: ChannelHealthOptions
  readonly #now: () => number
  readonly #channels = new Map<number, ChannelVerdicts>()
  readonly #verdicts = new Map<number, ChannelVerdict>()
  /** Verdicts as text, to notice changes. */
  readonly #texts = new Map<number, string>()
  /** Whether the hub is still applying the channels that it found. */
  #isStarting = true

  constructor(options: ChannelHealthOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** The channels that the hub found are applied. */
  start(): void {
    this.#isStarting = false
  }

  /** Takes over a channel; undefined if it was deleted. */
  apply(id: number, wanted: WantedChannel | undefined): void {
    const known = this.#channels.get(id)
    if (!wanted) {
      this.#channels.delete(id)
      this.#texts.delete(id)
      this.#verdicts.delete(id)
    } else if (known) known.apply(wanted, this.#now())
    else this.#channels.set(id, new ChannelVerdicts(wanted, this.#now(), this.#isStarting))
  }

  /** The verdicts on a channel now; undefined if it does not exist. */
  assess(id: number): AssessedChannel | undefined {
    const { engine, boundsOf, storedSince, hasNoSignal } = this.#options
    const verdicts = this.#channels.get(id)
    return verdicts?.assess(engine.observe(id), this.#now(), {
      bounds: boundsOf(id),
      stored: storedSince?.(id),
      hasNoSignal,
      isHubBusy: this.isHubBusy()
    })
  }

  /** The verdict of the last second; undefined until the channel is assessed. */
  verdictOf(id: number): ChannelVerdict | undefined {
    return this.#verdicts.get(id)
  }

  isHubBusy(): boolean {
    return this.#options.isHubBusy?.() ?? false
  }

  /** Seconds for which a channel has been on air without interruption; 0 if it is not, or if that is unknown. */
  secondsOnAir(assessed: AssessedChannel | undefined): number {
    const since = assessed?.onAirSince
    return since === undefined ? 0 : Math.max(0, Math.floor((this.#now() - since) / 1000))
  }

  /** Judges a channel again after an event of the engine. */
  refresh(id: number): void {
    const assessed = this.assess(id)
    if (!assessed) return
    this.#verdicts.set(id, assessed.assessment.verdict)
    this.#options.onAssessed?.(id, assessed)
    const text = describe(assessed)
    if (this.#texts.get(id) === text) return
    this.#texts.set(id, text)
    this.#options.onChange(id)
  }

  /** Measures and judges all channels. Call once a second. */
  tick(): void {
    const now = this.#now()
    for (const [id, verdicts] of this.#channels) {
      if (verdicts.wanted.enable) verdicts.measure((leg) => this.#options.engine.legReport(id, leg), now)
      this.refresh(id)
    }
  }

  /** The engine was restarted. */
  restartAll(): void {
    for (const verdicts of this.#channels.values()) verdicts.restart(this.#now())
  }

  /** IDs of all channels. */
  ids(): number[] {
    return [...this.#channels.keys()]
  }
}

function describe({ assessment, input, backups, outputs }: AssessedChannel): string {
  const legs = [input, ...backups.values(), ...outputs.values()]
  return JSON.stringify([assessment, legs.map((leg) => [leg.assessment, leg.failure.reason])])
}

/** Judges the channels of the store, as the engine and the devices report them. */
export function createChannelHealth({
  store,
  engine,
  registry,
  timeline
}: {
  store: Store
  engine: EngineClient
  registry: Registry
  timeline: VerdictRecorder
}) {
  const load = new ProcessorLoad(engine)
  return new ChannelHealthMonitor({
    engine,
    boundsOf(id) {
      const row = store.channels.byId(id)
      return row ? channelSetting(row, 'health') : DEFAULT_HEALTH_BOUNDS
    },
    onChange(id) {
      store.changes.markChanged('channel', id)
      store.changes.markChanged('problem')
    },
    onAssessed: (id, assessed) => timeline.recordVerdicts(id, assessed),
    isHubBusy: () => load.isBusy(),
    hasNoSignal: registry.hasNoSignal,
    storedSince: storedBeginnings(timeline)
  })
}

/** Looks up since when verdicts held that hold still after a restart of the hub. */
export function storedBeginnings(timeline: VerdictRecorder): (channel: number) => StoredSince {
  return (channel) => (verdict, leg) => {
    // For how long media has been carried is known from the engine.
    if (verdict === 'on-air' || verdict === 'standby' || verdict === 'starting') return undefined
    const object = leg ? verdictObject[leg.side](channel, leg.id) : verdictObject.channel(channel)
    return timeline.storedSince(object, verdict)
  }
}
