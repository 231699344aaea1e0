// All channels of the engine. Applies wanted channels, and runs the periodic work: ticks and measurements.
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import { ndiSearchHosts, sourceHost, targetHost } from '../../contract/stream/stream-hosts.ts'
import { ContentChecks } from '../content/content-checks.ts'
import type { InputParts } from '../inputs/input.ts'
import { createPreview } from '../inputs/preview.ts'
import {
  IDLE_LEG,
  type ObservedChannel,
  type PreviewSize,
  type StreamEvent,
  type WantedChannel,
  type WantedInput
} from '../interfaces/channel.ts'
import { ForbiddenAddressError } from '../interfaces/errors.ts'
import type { HostLookup } from '../interfaces/leg-parts.ts'
import { playbackKey } from '../outputs/device-output.ts'
import type { OutputParts } from '../outputs/output.ts'
import type { SharedPorts } from '../ports/shared-ports.ts'
import type { RecorderParts } from '../recording/recorder.ts'
import { createTrafficHistory } from '../stats/traffic-history.ts'
import type { WatchSink } from '../watch/broadcast.ts'
import { ChannelWatch } from '../watch/channel-watch.ts'
import { Channel } from './channel.ts'
import { checkContent } from './channel-content.ts'
import { HandOver } from './hand-over.ts'
import { InputPool } from './input-pool.ts'
import { Reconciler } from './reconciler.ts'
import type { Releases } from './releases.ts'

/** The observed state of a channel that the engine does not know. */
const UNKNOWN: ObservedChannel = { ...IDLE_LEG, input: IDLE_LEG, backups: new Map(), outputs: new Map(), clients: [] }

interface ChannelSetOptions {
  context: InputParts & OutputParts & RecorderParts
  ports: SharedPorts
  releases: Releases
  onEvent(event: StreamEvent): void
  /** A channel was handed over to another engine. */
  onHandedOver(id: number): void
}

export class ChannelSet {
  readonly #options: ChannelSetOptions
  /** By channel ID. */
  readonly #channels = new Map<number, Channel>()
  readonly #inputs: InputPool
  readonly #reconciler: Reconciler
  readonly #sampler = new Sampler()
  readonly #contentChecks: ContentChecks
  /** Exchanges channels with another engine. */
  readonly handOver: HandOver
  #isClosed = false

  constructor(options: ChannelSetOptions) {
    const { context, ports, releases, onEvent, onHandedOver } = options
    this.#options = options
    this.#inputs = new InputPool(context, releases)
    this.#contentChecks = new ContentChecks(context)
    this.#reconciler = new Reconciler({ context, inputs: this.#inputs, releases, ports, onEvent })
    this.handOver = new HandOver({
      channels: this.#channels,
      inputs: this.#inputs,
      reconciler: this.#reconciler,
      ports,
      hlsStores: context.hlsStores,
      drop: (channel) => {
        this.#drop(channel)
        onHandedOver(channel.wanted.id)
      },
      whenReleased: async () => {
        await Promise.all([releases.whenAllReleased(), context.launcher.waitForStops()])
      }
    })
  }

  all(): Iterable<Channel> {
    return this.#channels.values()
  }

  find(id: number): Channel | undefined {
    return this.#channels.get(id)
  }

  apply(wanted: WantedChannel): void {
    if (this.#isClosed) return
    const copy = structuredClone(wanted)
    const channel = this.#channels.get(wanted.id) ?? new Channel(copy, this.#options.ports)
    this.#channels.set(wanted.id, channel)
    const wasEnabled = channel.wanted.enable
    channel.wanted = copy
    channel.removeUnwantedStats()
    if (wasEnabled !== wanted.enable && !channel.isTakenOver) this.#sendEnableEvent(wanted)
    channel.stage = 'complete'
    this.#reconciler.reconcile(channel)
    channel.isTakenOver = false
    this.#options.context.onChange()
  }

  remove(id: number): void {
    const channel = this.#channels.get(id)
    if (!channel) return
    const { enable } = channel.wanted
    this.#drop(channel)
    // One that is being taken over runs on at the other engine.
    if (enable && !channel.isTakenOver) this.#sendEnableEvent(channel.wanted)
  }

  observe(id: number): ObservedChannel {
    return this.#channels.get(id)?.observe(this.#options.context.now()) ?? UNKNOWN
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

  /** Call twice a second. @param isSecond whether a second has passed since the last call with true */
  tick(isSecond: boolean): void {
    const { context, ports } = this.#options
    const now = context.now()
    const channels = () => this.#channels.values()
    this.#inputs.tick(now)
    checkContent([...channels()], this.#contentChecks, now)
    for (const { outputs } of channels()) for (const { output } of outputs.values()) output.tick(now)
    for (const channel of channels()) {
      channel.inputSwitch?.tick()
      channel.encoders.tick(now)
      this.#reconciler.dropIdleSwitch(channel)
    }
    ports.tick(now)
    this.#sampler.measure(channels(), now)
    if (isSecond) this.#sampler.countTraffic(channels())
  }

  /** Whether content is checked in turns, because the processor or the memory is short. */
  checksInTurns(): boolean {
    return this.#contentChecks.isInTurns()
  }

  /** Starts to stop all legs. */
  close(): void {
    this.#isClosed = true
    this.#contentChecks.close()
    for (const channel of this.#channels.values()) {
      this.#disable(channel)
      channel.watch?.stop()
    }
    this.#channels.clear()
  }

  #drop(channel: Channel): void {
    this.#disable(channel)
    channel.watch?.stop()
    this.#channels.delete(channel.wanted.id)
  }

  #disable(channel: Channel): void {
    channel.wanted.enable = false
    this.#reconciler.reconcile(channel)
  }

  #sendEnableEvent({ id, enable, name }: WantedChannel): void {
    this.#options.onEvent({ channelId: id, kind: enable ? 'channel-started' : 'channel-stopped', name })
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
    this.#options.context.onChange()
  }
}

interface ForbiddenLegs {
  /** Whether the first input or a backup is forbidden. */
  hasInput: boolean
  /** IDs of forbidden outputs. */
  outputIds: number[]
}

/** The hosts to which an input connects. */
const hostsOf = (input: WantedInput) => [
  sourceHost(input),
  ...(input.kind === 'ndi' ? ndiSearchHosts(input.source) : [])
]

async function findForbiddenLegs(
  { input, backups = [], outputs }: WantedChannel,
  { resolveHost }: HostLookup
): Promise<ForbiddenLegs> {
  const isForbidden = async (host: string | undefined) => {
    if (host === undefined) return false
    return resolveHost(host).then(
      () => false,
      (error) => error instanceof ForbiddenAddressError
    )
  }
  const inputs = input ? [input, ...backups] : backups
  const [inputResults, outputResults] = await Promise.all([
    Promise.all(inputs.flatMap(hostsOf).map(isForbidden)),
    Promise.all(outputs.map((output) => isForbidden(targetHost(output))))
  ])
  return {
    hasInput: inputResults.includes(true),
    outputIds: outputs.filter((_, index) => outputResults[index]).map(({ id }) => id)
  }
}

class Sampler {
  readonly #traffic = createTrafficHistory()
  /** The last second of the clock that was measured. */
  #measuredSecond = 0

  /** Measures the legs once in each second of the clock. */
  measure(channels: Iterable<Channel>, now: number): void {
    const second = Math.floor(now / 1000)
    if (second === this.#measuredSecond) return
    this.#measuredSecond = second
    for (const channel of channels) {
      if (channel.input) channel.stats('input').measure(channel.input.counters(now), now)
      for (const [id, backup] of channel.backups) channel.stats(id).measure(backup.counters(now), now)
      for (const [id, { output }] of channel.outputs) channel.stats(id).measure(output.counters(now), now)
    }
  }

  /** Adds the bytes since the last call to the traffic history. Call once a second. */
  countTraffic(channels: Iterable<Channel>): void {
    let bytes = 0
    for (const channel of channels) {
      if (!channel.input) continue
      const total = channel.input.totalBytes()
      bytes += total - channel.trafficBytes
      channel.trafficBytes = total
    }
    this.#traffic.addSecond(bytes)
  }

  /** Mbps of the last 60 seconds and minutes, oldest first. */
  trafficHistory(): { mbpsS: number[]; mbpsM: number[] } {
    return this.#traffic.read()
  }
}
