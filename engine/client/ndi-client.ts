// NDI of the engine, for the hub: sources, settings, and the router.

import type { EnginePeer } from '../connection/peer.ts'
import type { EngineClientOptions } from '../interfaces/engine-client.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { NdiRuntimeReport, NdiSettings, NdiSources, NdiState, NdiStatus } from '../interfaces/ndi.ts'
import type { ObservedMatrix, Route, TakeOutcome } from '../interfaces/router.ts'
import { CHANGE_WAIT, waitAtMost } from '../interfaces/wait-at-most.ts'
import type { Snapshot } from '../interfaces/wire.ts'
import { observeAway } from './mirror.ts'

export class NdiClient {
  /** The current connection, once the engine runs what the hub wants. */
  readonly #peer: () => EnginePeer | undefined
  #settings: NdiSettings | undefined

  constructor(peer: () => EnginePeer | undefined) {
    this.#peer = peer
  }

  /** What the engine gets at each connection. */
  get settings(): NdiSettings | undefined {
    return this.#settings
  }

  async configure(settings: NdiSettings): Promise<void> {
    this.#settings = structuredClone(settings)
    const changed = this.#peer()?.call('configureNdi', settings)
    if (changed) await waitAtMost(changed, CHANGE_WAIT)
  }

  async observe(): Promise<NdiState | undefined> {
    return this.#peer()?.call('observeNdi')
  }

  async findSources(): Promise<NdiSources> {
    const peer = this.#peer()
    if (peer) {
      const { sources, answers, ...rest } = await peer.call('findNdiSources')
      return { ...rest, sources: new Map(sources), answers: new Map(answers) }
    }
    return { sources: new Map(), answers: new Map(), failure: engineAway() }
  }

  async checkRuntime(): Promise<NdiRuntimeReport> {
    return this.#peer()?.call('checkNdiRuntime') ?? { failure: engineAway() }
  }
}

function engineAway(): Failure {
  const { state, connState } = observeAway({ id: 0, name: '', enable: true, input: null, outputs: [] })
  return { state, connState, reason: 'engine-away' }
}

/** Milliseconds that a take may last. A router process that hangs is killed before. */
const TAKE_WAIT = 2000

type Options = Pick<EngineClientOptions, 'wantedMatrices' | 'onMatrixChange' | 'onNdiStatusChange'>

export class RouterClient {
  readonly #options: Options
  /** The connection, once the engine runs what the hub wants. */
  readonly #peer: () => EnginePeer | undefined
  readonly #observed = new Map<number, ObservedMatrix>()
  #ndiStatus: NdiStatus | undefined

  constructor(options: Options, peer: () => EnginePeer | undefined) {
    this.#options = options
    this.#peer = peer
  }

  /** As last observed; undefined before the first connection. */
  get ndiStatus(): NdiStatus | undefined {
    return this.#ndiStatus
  }

  /** Makes the engine run the wanted matrices. If it is away, it gets them when it is back. */
  apply(): void {
    const wanted = this.#options.wantedMatrices()
    for (const id of this.#observed.keys()) if (!wanted.some((matrix) => matrix.id === id)) this.#observed.delete(id)
    this.#peer()?.notify('applyMatrices', wanted)
  }

  /** Makes all of the routes, or none. */
  async takeRoutes(id: number, routes: readonly Route[]): Promise<TakeOutcome> {
    const peer = this.#peer()
    if (!peer) return 'down'
    const failed: TakeOutcome = { failed: routes.map(({ destination }) => destination) }
    const timedOut = Promise.withResolvers<TakeOutcome>()
    const timer = setTimeout(() => timedOut.resolve(failed), TAKE_WAIT)
    try {
      return await Promise.race([peer.call('takeRoutes', id, [...routes]), timedOut.promise])
    } catch {
      // The engine has gone in the meantime. When it is back, it gets the routes as they were.
      return failed
    } finally {
      clearTimeout(timer)
    }
  }

  observe(id: number): ObservedMatrix | undefined {
    return this.#observed.get(id)
  }

  update({ matrices, ndi }: Snapshot): void {
    for (const matrix of matrices) {
      this.#observed.set(matrix.id, matrix)
      this.#options.onMatrixChange(matrix.id)
    }
    if (!ndi) return
    this.#ndiStatus = ndi
    this.#options.onNdiStatusChange(ndi)
  }

  /** Forgets the state of an engine that has ended or is away. */
  clear(): void {
    const ids = [...this.#observed.keys()]
    this.#observed.clear()
    for (const id of ids) this.#options.onMatrixChange(id)
  }
}
