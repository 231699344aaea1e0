// NDI of the engine, for the hub.
import type { EnginePeer } from '../connection/peers.ts'
import type { Failure } from '../interfaces/failure.ts'
import type { NdiRuntimeReport, NdiSettings, NdiSources, NdiState } from '../interfaces/ndi.ts'
import { observeAway } from './mirror.ts'
import { CHANGE_WAIT, waitAtMost } from './wait-at-most.ts'

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
