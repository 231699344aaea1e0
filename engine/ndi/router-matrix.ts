// One matrix: keeps its router process running with the wanted destinations and routes.

import type { Reason } from '../../contract/stream/reason.ts'
import { NdiUnavailableError } from '../interfaces/errors.ts'
import type { Launcher } from '../interfaces/launcher.ts'
import type { Ndi } from '../interfaces/ndi.ts'
import type { ObservedMatrix, Route, TakeOutcome, WantedMatrix } from '../interfaces/router.ts'
import { ndiFailure, systemFailure } from '../process/failure.ts'
import type { MachineAnswers } from './machine-answers.ts'
import { RouterProcess } from './router-process.ts'
import { RouterSources } from './router-sources.ts'

/** Pauses in milliseconds before the process is started again, while it keeps ending within `STABLE_TIME`. */
const PAUSES = [0, 0, 0, 500, 1000, 2000, 5000]
const STABLE_TIME = 10_000
/** Milliseconds after which the runtime is looked for again. */
const RUNTIME_INTERVAL = 2000
/** Milliseconds after which destinations and routes that failed are tried again. */
const REPAIR_INTERVAL = 2000

export interface RouterContext {
  ndi: Ndi
  launcher: Pick<Launcher, 'run'>
  machines: Pick<MachineAnswers, 'watch'>
  /** Milliseconds of a monotonic clock. */
  now(): number
}

export interface MatrixContext extends RouterContext {
  /** Of all matrices. */
  ports: DestinationPorts
}

export class RouterMatrix {
  readonly #context: MatrixContext
  readonly #onChange: () => void
  readonly #sources: RouterSources
  #wanted: WantedMatrix
  #process: RouterProcess | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #startedAt = Number.NEGATIVE_INFINITY
  /** Number of starts in a row that ended within `STABLE_TIME`. */
  #failedStarts = 0
  #reason: Reason | undefined
  readonly #repairTimer: ReturnType<typeof setInterval>
  #isClosed = false

  constructor(wanted: WantedMatrix, context: MatrixContext, onChange: () => void) {
    this.#wanted = wanted
    this.#context = context
    this.#onChange = onChange
    this.#sources = new RouterSources(context.machines, onChange)
    this.#sources.watch(wanted.sources)
    this.#repairTimer = setInterval(() => this.#process?.update(this.#wanted.destinations), REPAIR_INTERVAL)
    void this.#start()
  }

  update(wanted: WantedMatrix): void {
    this.#wanted = wanted
    this.#sources.watch(wanted.sources)
    this.#process?.update(wanted.destinations)
    this.#onChange()
  }

  async take(routes: readonly Route[]): Promise<TakeOutcome> {
    const known = this.#process?.announced
    const refused = routes.map(({ destination }) => destination).filter((each) => this.#process?.refused.has(each))
    if (refused.length > 0) return { failed: refused }
    if (!known || !routes.every(({ destination }) => known.has(destination))) {
      this.#remember(routes)
      // Destinations that are announced are switched now, and the others when they are announced. Without a process the
      // routes are those of the next start.
      this.#process?.update(this.#wanted.destinations)
      return 'down'
    }
    const failed = await this.#process?.take(routes)
    if (failed === undefined) return { failed: routes.map(({ destination }) => destination) }
    if (failed.length > 0) return { failed }
    this.#remember(routes)
    return 'done'
  }

  observe(): ObservedMatrix {
    return {
      id: this.#wanted.id,
      ...(this.#reason !== undefined && { reason: this.#reason }),
      destinations: [...(this.#process?.announced.values() ?? [])].map((each) => ({ ...each })),
      sources: this.#sources.observe()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearInterval(this.#repairTimer)
    this.#sources.close()
    await this.#process?.stop()
  }

  #remember(routes: readonly Route[]): void {
    const sources = new Map(routes.map(({ destination, source }) => [destination, source]))
    const destinations = this.#wanted.destinations.map((each) => ({
      ...each,
      source: sources.get(each.destination) ?? each.source
    }))
    this.#wanted = { ...this.#wanted, destinations }
  }

  async #start(): Promise<void> {
    const { ndi, launcher, ports, now } = this.#context
    const { id, name } = this.#wanted
    try {
      const runtime = await ndi.findRuntime()
      if (this.#isClosed) return
      this.#startedAt = now()
      const config = ndi.openConfig({ role: 'route', name })
      const process = new RouterProcess(runtime, config, launcher, ports.listFor(id), {
        onChange: () => this.#onChange(),
        onSource: (name, address) => this.#sources.sourceChanged(name, address),
        onPort: (destination, port) => ports.add(port, id, destination),
        onEnd: (cause) => this.#handleEnd(cause)
      })
      this.#process = process
      this.#sources.finderStarted()
      this.#setReason(undefined)
      process.update(this.#wanted.destinations)
    } catch (error) {
      const reason = error instanceof NdiUnavailableError ? error.failure.reason : systemFailure(error as Error).reason
      this.#sources.forget()
      this.#setReason(reason)
      if (!this.#isClosed) this.#timer = setTimeout(() => void this.#start(), RUNTIME_INTERVAL)
    }
  }

  #handleEnd(cause: string | undefined): void {
    this.#process = undefined
    this.#sources.finderEnded()
    const isStable = this.#context.now() - this.#startedAt > STABLE_TIME
    this.#failedStarts = isStable ? 0 : this.#failedStarts + 1
    this.#setReason(cause === undefined ? undefined : ndiFailure(cause)?.reason)
    const pause = PAUSES[Math.min(this.#failedStarts, PAUSES.length - 1)]
    this.#timer = setTimeout(() => void this.#start(), pause)
  }

  #setReason(reason: Reason | undefined): void {
    this.#reason = reason
    this.#onChange()
  }
}

export class DestinationPorts {
  /** By port. */
  readonly #owners = new Map<number, { matrix: number; destination: number }>()

  add(port: number, matrix: number, destination: number): void {
    this.#owners.set(port, { matrix, destination })
  }

  /** @returns ports, each with the destination of the matrix that had it last; 0: a destination of another matrix */
  listFor(matrix: number): [port: number, destination: number][] {
    return [...this.#owners].map(([port, owner]) => [port, owner.matrix === matrix ? owner.destination : 0])
  }
}
