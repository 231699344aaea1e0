// The NDI router of the engine: one router process for each matrix. It also watches whether the runtime can route.
import type { NdiStatus } from '../interfaces/ndi.ts'
import type { ObservedMatrix, Route, TakeOutcome, WantedMatrix } from '../interfaces/router.ts'
import { DestinationPorts } from './destination-ports.ts'
import { type MatrixContext, type RouterContext, RouterMatrix } from './router-matrix.ts'
import { NdiStatusMonitor } from './runtime-status.ts'

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
