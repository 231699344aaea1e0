// Snapshots of the engine's state for the hub: complete at first, then only the changes.
import type { ObservedChannel, WantedChannel } from '../interfaces/channel.ts'
import type { AudioLevel, Engine } from '../interfaces/engine.ts'
import type { ChannelSnapshot, EngineUsage, LegId, Snapshot, WireObserved } from '../interfaces/wire.ts'

/** Milliseconds for which an audio level is measured after the hub has asked for it. */
const LEVEL_WATCHED = 5000

type State = Pick<
  Engine,
  | 'observe'
  | 'legStats'
  | 'audioLevel'
  | 'byteTotals'
  | 'observePorts'
  | 'trafficHistory'
  | 'processCount'
  | 'ndiStatus'
  | 'observeMatrices'
>

export class Snapshots {
  readonly #engine: State
  /** The channels that the engine knows, by ID. */
  readonly #wanted: ReadonlyMap<number, WantedChannel>
  /** By channel ID: the last snapshot as text. */
  readonly #sent = new Map<number, string>()
  #sentPorts = ''
  #sentNdi = ''
  /** By ID of the matrix: the last snapshot as text. */
  #sentMatrices = new Map<number, string>()
  /** By channel ID: until when the audio level is measured. */
  readonly #levelUntil = new Map<number, number>()

  /** @param wanted the channels that the engine knows, by ID */
  constructor(engine: State, wanted: ReadonlyMap<number, WantedChannel>) {
    this.#engine = engine
    this.#wanted = wanted
  }

  /** Forgets the snapshots that were sent, so that the next snapshot is complete. */
  reset(): void {
    this.#sent.clear()
    this.#sentPorts = ''
    this.#sentNdi = ''
    this.#sentMatrices.clear()
    this.#levelUntil.clear()
  }

  /** Starts to measure the audio level of a channel. */
  watchLevel(id: number): void {
    this.#levelUntil.set(id, performance.now() + LEVEL_WATCHED)
  }

  forget(id: number): void {
    this.#sent.delete(id)
    this.#levelUntil.delete(id)
  }

  /**
   * The changes since the last call.
   * @param ids the channels to look at; by default all
   * @param withReports whether statistics are included
   */
  next(withReports: boolean, ids: Iterable<number> = this.#wanted.keys()): Snapshot {
    const channels: ChannelSnapshot[] = []
    for (const id of ids) {
      const snapshot = this.#channel(id, withReports)
      const text = JSON.stringify(snapshot)
      if (this.#sent.get(id) === text) continue
      this.#sent.set(id, text)
      channels.push(snapshot)
    }
    const ports = this.#engine.observePorts()
    const portsText = JSON.stringify(ports)
    const hasNewPorts = portsText !== this.#sentPorts
    this.#sentPorts = portsText
    return {
      channels,
      ...(hasNewPorts && { ports }),
      ...this.#router(),
      ...(withReports && { traffic: this.#engine.trafficHistory() }),
      processCount: this.#engine.processCount(),
      ...(withReports && { usage: measureUsage() })
    }
  }

  /** The changes of the NDI router. */
  #router(): Pick<Snapshot, 'ndi' | 'matrices'> {
    const ndi = this.#engine.ndiStatus()
    const ndiText = JSON.stringify(ndi) ?? ''
    const hasNewNdi = ndi !== undefined && ndiText !== this.#sentNdi
    this.#sentNdi = ndiText
    const texts = new Map<number, string>()
    const matrices = this.#engine.observeMatrices().filter((matrix) => {
      const text = JSON.stringify(matrix)
      texts.set(matrix.id, text)
      return this.#sentMatrices.get(matrix.id) !== text
    })
    this.#sentMatrices = texts
    return { matrices, ...(hasNewNdi && { ndi }) }
  }

  #channel(id: number, withReports: boolean): ChannelSnapshot {
    const { observe, byteTotals } = this.#engine
    const observed = observe(id)
    const { input, outputs } = byteTotals(id)
    const level = this.#level(id)
    return {
      id,
      observed: encodeObserved(observed),
      totals: { input, outputs: [...outputs] },
      ...(withReports && { reports: this.#reports(id, observed) }),
      ...(level !== undefined && { level })
    }
  }

  #reports(id: number, observed: ObservedChannel): NonNullable<ChannelSnapshot['reports']> {
    const { backups = [], outputs = [] } = this.#wanted.get(id) ?? {}
    const legs: [LegId, number][] = [
      ['input', observed.input.kbps],
      ...backups.map((leg): [LegId, number] => [leg.id, observed.backups?.get(leg.id)?.kbps ?? 0]),
      ...outputs.map((leg): [LegId, number] => [leg.id, observed.outputs.get(leg.id)?.kbps ?? 0])
    ]
    return legs.flatMap(([leg, kbps]) => {
      const stats = this.#engine.legStats(id, leg === 'input' ? undefined : leg)
      return stats ? [[leg, stats.report(kbps)]] : []
    })
  }

  /** Undefined if nobody asks for it. */
  #level(id: number): AudioLevel | null | undefined {
    const until = this.#levelUntil.get(id)
    if (until === undefined) return undefined
    if (performance.now() < until) return this.#engine.audioLevel(id) ?? null
    this.#levelUntil.delete(id)
    return null
  }
}

function measureUsage(): EngineUsage {
  const { user, system } = process.cpuUsage()
  return { cpuSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss() }
}

function encodeObserved({ backups, outputs, ...rest }: ObservedChannel): WireObserved {
  return { ...rest, ...(backups && { backups: [...backups] }), outputs: [...outputs] }
}
