// Reports the state of the engine: complete at first, then only changes. It observes everything four times a second and
// soon after something has happened; nothing else decides what a change is, and when it is reported.
import { isDeepStrictEqual } from 'node:util'
import type { Channel } from './channels/channel.ts'
import type { ChannelSet } from './channels/channel-set.ts'
import { reportLegEvents } from './channels/leg-events.ts'
import type { ObservedChannel, ObservedLeg, StreamEvent } from './interfaces/channel.ts'
import type { Launcher } from './interfaces/launcher.ts'
import type { ChannelSnapshot, EngineUsage, LegId, Snapshot, WireObserved } from './interfaces/wire.ts'
import type { Router } from './ndi/router.ts'
import type { SharedPorts } from './ports/shared-ports.ts'

/**
 * Milliseconds between two observations, which begin shortly after the reports of the relays: those are sent at
 * multiples of the same interval of the system's monotonic clock.
 */
const PACE = 250
const AFTER_REPORTS = 10
/** Milliseconds between two ticks of the channels, a multiple of the pace. */
const TICK = 500
/** Milliseconds for which changes are collected. */
const COLLECT_TIME = 20
/** Milliseconds for which an audio level is measured after the hub has asked for it. */
const LEVEL_WATCHED = 5000

interface StateReporterOptions {
  channels: Pick<ChannelSet, 'all' | 'find' | 'tick' | 'trafficHistory' | 'checksInTurns'>
  ports: Pick<SharedPorts, 'observe'>
  router: Pick<Router, 'status' | 'observe'>
  launcher: Pick<Launcher, 'processCount' | 'processorWait'>
  onEvent(event: StreamEvent): void
  /** Called at the pace, and after events. */
  onUpdate(snapshot: Snapshot): void
  now(): number
}

/** The last report of a channel. */
interface ReportedChannel extends Omit<ChannelSnapshot, 'isMinor'> {
  /** The observed values without uptimes. */
  lasting: object
}

type Observation = [channel: Channel, values: ObservedChannel]

export class StateReporter {
  readonly #options: StateReporterOptions
  readonly #channels = new Map<number, ReportedChannel>()
  /** The last values of the other fields. */
  #reported: Partial<Snapshot> = {}
  /** By channel ID: until when the audio level is measured. */
  readonly #levelUntil = new Map<number, number>()
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When the next observation is due by the pace, and after an event, which may be sooner. */
  #nextAt: number
  #dueAt: number
  /** Observations at the pace so far. */
  #count = 0
  #isClosed = false

  constructor(options: StateReporterOptions) {
    this.#options = options
    this.#nextAt = this.#findNext()
    this.#dueAt = this.#nextAt
    this.#startTimer()
  }

  /** Observes everything after a short time in which further changes are collected. */
  reportSoon(): void {
    const at = this.#options.now() + COLLECT_TIME
    if (at >= this.#dueAt) return
    this.#dueAt = at
    this.#startTimer()
  }

  /** Reports changes now. @param ids the channels to observe @param withReports whether statistics are included */
  report(ids: Iterable<number> = [], withReports = false): void {
    const channels = [...ids].flatMap((id) => this.#options.channels.find(id) ?? [])
    this.#update(this.#observe(channels), withReports)
  }

  /** Reports everything, as to a hub that has just connected. */
  reportAll(): void {
    this.#channels.clear()
    this.#reported = {}
    this.#levelUntil.clear()
    this.#update(this.#observe(this.#options.channels.all()), true)
  }

  /** Forgets a channel that was removed. */
  forget(id: number): void {
    this.#channels.delete(id)
    this.#levelUntil.delete(id)
  }

  /** Starts to measure the audio level of a channel. */
  watchLevel(id: number): void {
    this.#levelUntil.set(id, this.#options.now() + LEVEL_WATCHED)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  /** When the next observation at the pace is due. */
  #findNext(): number {
    const [seconds, nanoseconds] = process.hrtime()
    const sinceReports = (seconds * 1000 + nanoseconds / 1e6 - AFTER_REPORTS) % PACE
    const left = PACE - sinceReports
    // A timer may fire a moment too early.
    return this.#options.now() + (left < AFTER_REPORTS ? left + PACE : left)
  }

  #startTimer(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => this.#runAfterReading(), Math.max(0, this.#dueAt - this.#options.now()))
  }

  /**
   * Lets the engine first read what has arrived: in a process that goes on after a signal has stopped it, timers come
   * before sockets, and legs whose reports were not read yet would count as silent.
   */
  #runAfterReading(): void {
    setImmediate(() => {
      if (!this.#isClosed) this.#run()
    })
  }

  #run(): void {
    const { channels, onEvent } = this.#options
    const isAtPace = this.#dueAt === this.#nextAt
    if (isAtPace) {
      this.#nextAt = this.#findNext()
      this.#count++
    }
    this.#dueAt = this.#nextAt
    this.#startTimer()
    const isTick = isAtPace && (this.#count * PACE) % TICK === 0
    const withReports = isTick && (this.#count * PACE) % 1000 === 0
    if (isTick) channels.tick(withReports)
    const observed = this.#observe(channels.all())
    for (const [channel, values] of observed) reportLegEvents(channel, values, onEvent)
    this.#update(observed, withReports, isTick)
  }

  #observe(channels: Iterable<Channel>): Observation[] {
    const now = this.#options.now()
    return Array.from(channels, (channel) => [channel, channel.observe(now)])
  }

  /** @param isSentEmpty whether an update is sent that contains no change */
  #update(observed: readonly Observation[], withReports: boolean, isSentEmpty = true): void {
    const { ports, router, launcher, onUpdate } = this.#options
    const channels = observed.flatMap(([channel, values]) => this.#channelChange(channel, values, withReports) ?? [])
    const newPorts = this.#ifChanged('ports', ports.observe())
    const ndi = this.#ifChanged('ndi', router.status)
    const matrices = router.observe()
    const before = this.#reported.matrices ?? []
    const newMatrices = matrices.filter((matrix) => !before.some((each) => isDeepStrictEqual(each, matrix)))
    this.#reported.matrices = matrices
    if (!isSentEmpty && channels.length === 0 && !newPorts && !ndi && newMatrices.length === 0) return
    onUpdate({
      channels,
      ...(newPorts && { ports: newPorts }),
      ...(ndi && { ndi }),
      matrices: newMatrices,
      ...(withReports && {
        traffic: this.#options.channels.trafficHistory(),
        usage: {
          ...measureUsage(),
          processorWait: launcher.processorWait(),
          ...(this.#options.channels.checksInTurns() && { checksInTurns: true as const })
        }
      }),
      processCount: launcher.processCount()
    })
  }

  /** The value if it differs from the last one. */
  #ifChanged<Name extends 'ports' | 'ndi'>(name: Name, value: Snapshot[Name]): Snapshot[Name] {
    if (isDeepStrictEqual(this.#reported[name], value)) return undefined
    this.#reported[name] = value
    return value
  }

  /** Undefined if the channel is as it was last reported. */
  #channelChange(channel: Channel, observed: ObservedChannel, withReports: boolean): ChannelSnapshot | undefined {
    const { id } = channel.wanted
    const before = this.#channels.get(id)
    const { input, outputs } = channel.totalBytes()
    const level = this.#level(id)
    const reports = withReports ? readReports(channel, observed) : undefined
    const next: ReportedChannel = {
      id,
      lasting: withoutUptimes(observed),
      observed: encodeObserved(observed),
      totals: { input, outputs: [...outputs] },
      reports: reports ?? before?.reports ?? [],
      level: level === undefined ? (before?.level ?? null) : level
    }
    if (isDeepStrictEqual(next, before)) return undefined
    this.#channels.set(id, next)
    return {
      id,
      observed: next.observed,
      totals: next.totals,
      ...(reports && { reports }),
      ...(level !== undefined && { level }),
      ...(before && isDeepStrictEqual(next.lasting, before.lasting) && { isMinor: true })
    }
  }

  /** Undefined if nobody asks for it. */
  #level(id: number): ChannelSnapshot['level'] {
    const until = this.#levelUntil.get(id)
    if (until === undefined) return undefined
    const { channels, now } = this.#options
    if (now() < until) return channels.find(id)?.audioLevel(now()) ?? null
    this.#levelUntil.delete(id)
    return null
  }
}

function readReports(channel: Channel, observed: ObservedChannel): NonNullable<ChannelSnapshot['reports']> {
  const { backups = [], outputs } = channel.wanted
  const legs: [LegId, number][] = [
    ['input', observed.input.kbps],
    ...backups.map((leg): [LegId, number] => [leg.id, observed.backups?.get(leg.id)?.kbps ?? 0]),
    ...outputs.map((leg): [LegId, number] => [leg.id, observed.outputs.get(leg.id)?.kbps ?? 0])
  ]
  return legs.flatMap(([leg, kbps]) => {
    const stats = channel.findStats(leg)
    return stats ? [[leg, stats.report(kbps)]] : []
  })
}

/** The observed values of a channel but those that change by themselves each second. */
function withoutUptimes({ input, backups = new Map(), outputs, clients = [], ...own }: ObservedChannel): object {
  const withoutUptime = ({ livingTimeS: _, ...rest }: Pick<ObservedLeg, 'livingTimeS'>) => rest
  const legs = [input, ...backups.values(), ...outputs.values(), ...clients]
  const { openBytes, ...recording } = own.recording ?? {}
  const lasting = { ...own, recording: { ...recording, isWriting: (openBytes ?? 0) > 0 } }
  return [[...backups.keys()], [...outputs.keys()], clients.length, ...[lasting, ...legs].map(withoutUptime)]
}

const encodeObserved = ({ backups, outputs, ...rest }: ObservedChannel): WireObserved => ({
  ...rest,
  ...(backups && { backups: [...backups] }),
  outputs: [...outputs]
})

function measureUsage(): EngineUsage {
  const { user, system } = process.cpuUsage()
  return { cpuSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss() }
}
