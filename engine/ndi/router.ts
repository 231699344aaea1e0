// The NDI router of the engine: one router process for each matrix. It also watches whether the runtime can route.

import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import { NdiUnavailableError } from '../interfaces/errors.ts'
import type { Ndi, NdiStatus } from '../interfaces/ndi.ts'
import type { ObservedMatrix, Route, TakeOutcome, WantedMatrix } from '../interfaces/router.ts'
import { failure } from '../process/failure.ts'
import { DestinationPorts, type MatrixContext, type RouterContext, RouterMatrix } from './router-matrix.ts'

export class Router {
  readonly #context: MatrixContext
  readonly #onChange: () => void
  readonly #monitor: NdiStatusMonitor
  readonly #matrices = new Map<number, RouterMatrix>()
  #isClosed = false

  /** @param onChange observed values of a matrix, or the state of the runtime, may have changed */
  constructor(context: RouterContext, onChange: () => void) {
    this.#context = { ...context, ports: new DestinationPorts() }
    this.#onChange = onChange
    this.#monitor = new NdiStatusMonitor(context.ndi, onChange)
  }

  /** Whether NDI can be used; undefined until that is known. */
  get status(): NdiStatus | undefined {
    return this.#monitor.status
  }

  /** Runs these matrices, and no others. Destinations that do not differ are not touched. */
  apply(wanted: readonly WantedMatrix[]): void {
    if (this.#isClosed) return
    const ids = new Set(wanted.map(({ id }) => id))
    for (const [id, matrix] of this.#matrices)
      if (!ids.has(id)) {
        this.#matrices.delete(id)
        void matrix.close()
      }
    for (const each of wanted) {
      const known = this.#matrices.get(each.id)
      if (known) known.update(each)
      else this.#matrices.set(each.id, new RouterMatrix(each, this.#context, this.#onChange))
    }
    this.#onChange()
  }

  async take(id: number, routes: readonly Route[]): Promise<TakeOutcome> {
    return (await this.#matrices.get(id)?.take(routes)) ?? 'down'
  }

  observe(): ObservedMatrix[] {
    return [...this.#matrices.values()].map((matrix) => matrix.observe())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#monitor.close()
    await Promise.all([...this.#matrices.values()].map((matrix) => matrix.close()))
    this.#matrices.clear()
  }
}

/**
 * Milliseconds between two checks. A check reads the file system; the runtime is only loaded if its file has changed.
 */
const INTERVAL = 3000

const NO_ROUTING = failure(CONNECTION_STATE.creationFailed, 'ndi-unusable routing', SOURCE_STATE.unsupported)

class NdiStatusMonitor {
  readonly #ndi: Ndi
  readonly #onChange: () => void
  readonly #timer: ReturnType<typeof setInterval>
  #status: NdiStatus | undefined
  #isClosed = false

  constructor(ndi: Ndi, onChange: () => void) {
    this.#ndi = ndi
    this.#onChange = onChange
    this.#timer = setInterval(() => void this.#check(), INTERVAL)
    void this.#check()
  }

  /** Undefined until the first check. */
  get status(): NdiStatus | undefined {
    return this.#status
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    const runtime = await this.#ndi.findRuntime().then(
      ({ version, canRoute }) => ({ version, canRoute, ...(!canRoute && { failure: NO_ROUTING }) }),
      (error) => (error instanceof NdiUnavailableError ? { canRoute: false, failure: error.failure } : undefined)
    )
    const next: NdiStatus | undefined = runtime && {
      ...runtime,
      defaultMachineName: this.#ndi.defaultMachineName()
    }
    if (this.#isClosed || !next || JSON.stringify(next) === JSON.stringify(this.#status)) return
    this.#status = next
    this.#onChange()
  }
}
