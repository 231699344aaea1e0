// All channels of the engine. Applies wanted channels, and runs the periodic work: ticks, announcements and measurements.
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import { createPreview } from '../inputs/preview.ts'
import type { ObservedChannel, WantedChannel } from '../interfaces/channel.ts'
import type { AudioLevel, EngineOptions, PreviewSize } from '../interfaces/engine.ts'
import type { EngineContext } from '../interfaces/engine-context.ts'
import type { LegStats } from '../interfaces/leg-stats.ts'
import type { WatchSink } from '../interfaces/watch.ts'
import { playbackKey } from '../outputs/device-output.ts'
import type { SharedPorts } from '../ports/shared-ports.ts'
import { ChannelWatch } from '../watch/channel-watch.ts'
import { Announcer } from './announcer.ts'
import { Channel } from './channel.ts'
import { findForbiddenLegs } from './forbidden-legs.ts'
import { InputPool } from './input-pool.ts'
import { observeChannel } from './observer.ts'
import { Reconciler } from './reconciler.ts'
import type { Releases } from './releases.ts'
import { Sampler } from './sampler.ts'

/** Milliseconds between two ticks. */
const TICK = 500
/** Milliseconds within which changes are announced together. */
const COALESCE = 20

export interface ChannelSetOptions extends Pick<EngineOptions, 'onChannelChange' | 'onEvent'> {
  context: EngineContext
  ports: SharedPorts
  releases: Releases
}

export class ChannelSet {
  readonly #options: ChannelSetOptions
  /** By channel ID. */
  readonly #channels = new Map<number, Channel>()
  readonly #inputs: InputPool
  readonly #reconciler: Reconciler
  readonly #announcer: Announcer
  readonly #sampler = new Sampler()
  readonly #timer = setInterval(() => this.#tick(), TICK)
  #tickCount = 0
  #announceTimer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(options: ChannelSetOptions) {
    const { context, ports, releases, onEvent } = options
    this.#options = options
    this.#announcer = new Announcer(options)
    this.#inputs = new InputPool(context, releases)
    const announcer = this.#announcer
    this.#reconciler = new Reconciler({ context, inputs: this.#inputs, releases, ports, announcer, onEvent })
  }

  /** The wanted channels. */
  get wanted(): WantedChannel[] {
    return [...this.#channels.values()].map(({ wanted }) => wanted)
  }

  apply(wanted: WantedChannel): void {
    if (this.#isClosed) return
    const copy = structuredClone(wanted)
    const channel = this.#channels.get(wanted.id) ?? new Channel(copy)
    this.#channels.set(wanted.id, channel)
    const wasEnabled = channel.wanted.enable
    channel.wanted = copy
    channel.removeUnwantedStats()
    if (wasEnabled !== wanted.enable) this.#sendEnableEvent(wanted)
    this.#reconciler.reconcile(channel)
    this.announceSoon()
  }

  remove(id: number): void {
    const channel = this.#channels.get(id)
    if (!channel) return
    const { enable } = channel.wanted
    this.#disable(channel)
    channel.watch?.stop()
    this.#channels.delete(id)
    if (enable) this.#sendEnableEvent(channel.wanted)
  }

  observe(id: number): ObservedChannel {
    const { ports, context } = this.#options
    return observeChannel(id, this.#channels.get(id), ports, context.now())
  }

  legStats(id: number, leg?: number): LegStats | undefined {
    return this.#channels.get(id)?.findStats(leg ?? 'input')
  }

  audioLevel(id: number): AudioLevel | undefined {
    const channel = this.#channels.get(id)
    const input = channel?.inputSwitch ? channel.inputSwitch.currentInput() : channel?.input
    const levels = input?.audioLevels(this.#options.context.now())
    if (!levels) return undefined
    const [backupId] = [...(channel?.backups ?? [])].find(([, backup]) => backup === input) ?? []
    return { backupId, levels }
  }

  watchPreview(id: number, size: PreviewSize, onImage: (jpeg: Uint8Array) => void): (() => void) | undefined {
    const channel = this.#channels.get(id)
    if (!channel) return undefined
    const preview = createPreview(size, onImage, this.#options.context)
    channel.previews.add(preview)
    preview.attach(channel.stream)
    return () => {
      channel.previews.delete(preview)
      preview.stop()
    }
  }

  watch(id: number, sink: WatchSink): (() => void) | undefined {
    const channel = this.#channels.get(id)
    if (!channel?.stream) return undefined
    if (!channel.watch) {
      channel.watch = new ChannelWatch(this.#options.context)
      channel.watch.attach(channel.stream)
    }
    return channel.watch.add(sink)
  }

  byteTotals(id: number): { input: number; outputs: Map<number, number> } {
    const channel = this.#channels.get(id)
    const outputs = new Map(
      [...(channel?.outputs ?? [])].map(([outputId, { output }]) => [outputId, output.totalBytes()])
    )
    return { input: channel?.input?.totalBytes() ?? 0, outputs }
  }

  /** Disconnects a player of an output. Returns false if there is no such player. */
  disconnectPlayer(id: number, player: number): boolean {
    const outputs = [...(this.#channels.get(id)?.outputs.values() ?? [])]
    return outputs.some(({ output }) => output.disconnect?.(player) ?? false)
  }

  trafficHistory(): { mbpsS: number[]; mbpsM: number[] } {
    return this.#sampler.trafficHistory()
  }

  /** A device went online or offline. */
  notifyDeviceChange(sn: string): void {
    for (const channel of this.#channels.values())
      for (const { output } of channel.outputs.values()) if (output.key === playbackKey(sn)) output.onDeviceChange?.()
    this.#inputs.notifyOriginChange({ id: 0, name: '', kind: 'device', sn })
  }

  /** Whether a device sends a stream to an input, or plays an output. */
  isDeviceActive(sn: string): boolean {
    if (this.#inputs.isDeviceActive(sn)) return true
    const now = this.#options.context.now()
    const outputs = [...this.#channels.values()].flatMap((channel) => [...channel.outputs.values()])
    return outputs.some(
      ({ output }) => output.key === playbackKey(sn) && output.observe(now).connState === CONNECTION_STATE.connected
    )
  }

  /** The publisher of a channel connected or left. */
  notifyPublisherChange(channel: number): void {
    this.#inputs.notifyOriginChange({ id: 0, name: '', kind: 'pushed', channel })
  }

  recheckAddresses(): void {
    for (const channel of this.#channels.values()) void this.#recheckChannel(channel)
  }

  /** Announces changed values, after a short time in which further changes are collected. */
  announceSoon(): void {
    if (this.#isClosed) return
    this.#announceTimer ??= setTimeout(() => this.#announce(), COALESCE)
  }

  /** Starts to stop all legs. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    clearTimeout(this.#announceTimer)
    for (const channel of this.#channels.values()) {
      this.#disable(channel)
      channel.watch?.stop()
    }
    this.#channels.clear()
  }

  #disable(channel: Channel): void {
    channel.wanted.enable = false
    this.#reconciler.reconcile(channel)
  }

  #sendEnableEvent({ id, enable, name }: WantedChannel): void {
    this.#options.onEvent({ channelId: id, kind: enable ? 'channel-started' : 'channel-stopped', name })
  }

  #announce(): void {
    clearTimeout(this.#announceTimer)
    this.#announceTimer = undefined
    for (const [id, channel] of this.#channels) this.#announcer.announce(channel, this.observe(id))
  }

  #tick(): void {
    const now = this.#options.context.now()
    const channels = () => this.#channels.values()
    this.#inputs.tick(now)
    for (const { outputs } of channels()) for (const { output } of outputs.values()) output.tick(now)
    for (const channel of channels()) {
      channel.inputSwitch?.tick()
      this.#reconciler.dropIdleSwitch(channel)
    }
    this.#options.ports.tick(now)
    this.#announce()
    this.#sampler.measure(channels(), now)
    if (++this.#tickCount % (1000 / TICK) === 0) this.#sampler.countTraffic(channels())
  }

  /** Restarts legs whose address is now forbidden; they then fail with that reason. */
  async #recheckChannel(channel: Channel): Promise<void> {
    const { wanted } = channel
    const { hasInput, outputIds } = await findForbiddenLegs(wanted, this.#options.context)
    // If the channel was changed in the meantime, its legs were checked when they started.
    if (this.#isClosed || channel.wanted !== wanted) return
    if (hasInput) {
      channel.wanted = { ...wanted, enable: false }
      this.#reconciler.reconcile(channel)
      channel.wanted = wanted
    } else for (const id of outputIds) this.#reconciler.stopOutput(channel, id)
    this.#reconciler.reconcile(channel)
    this.announceSoon()
  }
}
