// The NDI router of the engine: one router process for each matrix.

import type { Engine } from '../interfaces/engine.ts'
import type { ObservedMatrix, Route, TakeOutcome, WantedMatrix } from '../interfaces/router.ts'
import { DestinationPorts } from './destination-ports.ts'
import { type MatrixContext, type RouterContext, RouterMatrix } from './router-matrix.ts'
import { NdiStatusMonitor } from './runtime-status.ts'

/** Milliseconds for which changes of a matrix are collected. */
const ANNOUNCE_DELAY = 20

class Router {
  readonly #context: MatrixContext
  readonly #onChange: () => void
  readonly #matrices = new Map<number, RouterMatrix>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  /** @param onChange observed values changed; called at most every 20 ms */
  constructor(context: RouterContext, onChange: () => void) {
    this.#context = { ...context, ports: new DestinationPorts() }
    this.#onChange = onChange
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
      else this.#matrices.set(each.id, new RouterMatrix(each, this.#context, () => this.#announceSoon()))
    }
    this.#announceSoon()
  }

  async take(id: number, routes: readonly Route[]): Promise<TakeOutcome> {
    return (await this.#matrices.get(id)?.take(routes)) ?? 'down'
  }

  observe(): ObservedMatrix[] {
    return [...this.#matrices.values()].map((matrix) => matrix.observe())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await Promise.all([...this.#matrices.values()].map((matrix) => matrix.close()))
    this.#matrices.clear()
  }

  #announceSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#onChange()
    }, ANNOUNCE_DELAY)
  }
}

/**
 * Creates the router, and watches whether the runtime can route.
 * @param onChange observed values of a matrix, or the state of the runtime changed
 */
export function createRouter(context: RouterContext, onChange: () => void) {
  const router = new Router(context, onChange)
  const monitor = new NdiStatusMonitor(context.ndi, onChange)
  const methods: Pick<Engine, 'ndiStatus' | 'applyMatrices' | 'takeRoutes' | 'observeMatrices'> = {
    ndiStatus: () => monitor.status,
    applyMatrices: (wanted) => router.apply(wanted),
    takeRoutes: (id, routes) => router.take(id, routes),
    observeMatrices: () => router.observe()
  }
  return {
    methods,
    close(): Promise<void> {
      monitor.close()
      return router.close()
    }
  }
}
