// One process `headend-ndi route`, which announces the destinations of one matrix. Each matrix has its own, so that a
// fault, a restart or a renamed destination of one does not touch the others. Receivers get the media from the sources
// directly, so a restart of the process interrupts no picture.
import { SilenceMonitor } from '../connection/silence-monitor.ts'
import type { Launcher, Process } from '../interfaces/launcher.ts'
import type { NdiProcessConfig, NdiRuntime } from '../interfaces/ndi.ts'
import type { ObservedDestination, Route, WantedMatrix } from '../interfaces/router.ts'

/** Milliseconds between `alive` messages of the process, and without one after which it hangs. */
const ALIVE_INTERVAL = 100
const SILENCE_MAX = 600
/** Milliseconds that the process has to load the runtime. */
const START_MAX = 5000

type WantedDestination = WantedMatrix['destinations'][number]

interface RouterProcessEvents {
  /** A destination was announced, or the number of its receivers changed. */
  onChange(): void
  /** @param address undefined: the source is not announced any more */
  onSource(name: string, address: string | undefined): void
  /** The runtime listens for the receivers of a destination. */
  onPort(destination: number, port: number): void
  /** The process has ended, or hangs and was killed. @param cause the failure that it reported, if any */
  onEnd(cause: string | undefined): void
}

interface PendingTake {
  turn: number
  routes: readonly Route[]
  resolve(failed: number[] | undefined): void
}

export class RouterProcess {
  readonly #process: Process
  readonly #events: RouterProcessEvents
  readonly #startTimer: ReturnType<typeof setTimeout>
  #silence: SilenceMonitor | undefined
  /** The destinations that the process was ordered to announce, and those that it has announced, by number. */
  readonly #ordered = new Map<number, WantedDestination>()
  readonly #announced = new Map<number, ObservedDestination>()
  /** The destinations that could not be announced. Each further attempt may succeed. */
  readonly #refused = new Set<number>()
  /** Oldest first. */
  readonly #takes: PendingTake[] = []
  #lastTurn = 0
  #cause: string | undefined
  #hasEnded = false

  /**
   * @param ports each with the only destination that may have it; 0: none
   * @throws NotInstalledError
   */
  constructor(
    runtime: NdiRuntime,
    config: NdiProcessConfig,
    launcher: Pick<Launcher, 'run'>,
    ports: readonly (readonly [port: number, destination: number])[],
    events: RouterProcessEvents
  ) {
    this.#events = events
    this.#process = launcher.run({
      program: runtime.program,
      args: ['route', runtime.library, '', ''],
      ...config,
      pipeStdin: true,
      onMessage: (text) => this.#handleMessage(JSON.parse(text)),
      onEnd: () => this.#end()
    })
    this.#startTimer = setTimeout(() => this.#kill(), START_MAX)
    this.#write(ports.map(([port, destination]) => ['reserve', destination, port]))
  }

  /** Observed destinations by number. */
  get announced(): ReadonlyMap<number, ObservedDestination> {
    return this.#announced
  }

  /** Numbers of the destinations that could not be announced. */
  get refused(): ReadonlySet<number> {
    return this.#refused
  }

  /**
   * Announces the destinations, with their sources, and withdraws all others. Those that do not differ are not touched.
   */
  update(wanted: readonly WantedDestination[]): void {
    const numbers = new Set(wanted.map(({ destination }) => destination))
    for (const number of [...this.#ordered.keys()].filter((each) => !numbers.has(each))) this.#withdraw(number)
    const routes: Route[] = []
    // The process executes its commands in their order.
    for (const each of wanted) {
      const ordered = this.#ordered.get(each.destination)
      if (ordered?.name !== each.name) this.#announce(each)
      else if (ordered.source !== each.source) routes.push(each)
    }
    if (routes.length > 0) void this.take(routes)
  }

  /**
   * Makes all routes, or none.
   * @returns the destinations that failed; undefined if the process ended before its response
   */
  take(routes: readonly Route[]): Promise<number[] | undefined> {
    if (this.#hasEnded) return Promise.resolve(undefined)
    const turn = ++this.#lastTurn
    const { promise, resolve } = Promise.withResolvers<number[] | undefined>()
    this.#takes.push({ turn, routes, resolve })
    this.#write([...routes.map(({ destination, source }) => ['route', destination, source]), ['take', turn]])
    return promise
  }

  stop(): Promise<void> {
    this.#finish()
    return this.#process.stop()
  }

  #announce(wanted: WantedDestination): void {
    const { destination, name, source } = wanted
    this.#ordered.set(destination, wanted)
    this.#announced.delete(destination)
    this.#write([['announce', destination, name, source]])
  }

  #withdraw(destination: number): void {
    this.#ordered.delete(destination)
    this.#announced.delete(destination)
    this.#refused.delete(destination)
    this.#write([['remove', destination]])
  }

  /** @param commands each with its fields, which contain neither tabs nor line breaks */
  #write(commands: readonly (readonly (string | number)[])[]): void {
    this.#process.stdin?.write(commands.map((fields) => `${fields.join('\t')}\n`).join(''))
  }

  #handleMessage(message: Record<string, unknown>): void {
    if (this.#hasEnded) return
    if (message.alive) this.#handleAlive()
    else if (typeof message.found === 'string') this.#events.onSource(message.found, String(message.url ?? ''))
    else if (typeof message.gone === 'string') this.#events.onSource(message.gone, undefined)
    else if (typeof message.take === 'number') this.#handleTake(message.take, message.failed as number[])
    else if (typeof message.failed === 'string') this.#cause = message.failed
    else if (typeof message['failed-destination'] === 'number') this.#handleRefusal(message['failed-destination'])
    else if (typeof message.port === 'number') this.#events.onPort(message.destination as number, message.port)
    else if (typeof message.destination === 'number') this.#handleDestination(message.destination, message)
  }

  #handleAlive(): void {
    clearTimeout(this.#startTimer)
    this.#silence ??= new SilenceMonitor(SILENCE_MAX, ALIVE_INTERVAL, { onCheck() {}, onSilence: () => this.#kill() })
    this.#silence.reset()
  }

  #handleRefusal(number: number): void {
    this.#ordered.delete(number)
    this.#refused.add(number)
  }

  #handleDestination(number: number, { name, connections }: Record<string, unknown>): void {
    const ordered = this.#ordered.get(number)
    if (!ordered) return
    if (typeof name === 'string') {
      this.#announced.set(number, { destination: number, name, source: ordered.source, connections: 0 })
      this.#refused.delete(number)
    }
    const announced = this.#announced.get(number)
    if (announced && typeof connections === 'number') announced.connections = connections
    this.#events.onChange()
  }

  #handleTake(turn: number, failed: number[]): void {
    const pending = this.#takes.shift()
    if (pending?.turn !== turn) return
    if (failed.length === 0)
      for (const { destination, source } of pending.routes) {
        const announced = this.#announced.get(destination)
        if (announced) announced.source = source
        const ordered = this.#ordered.get(destination)
        if (ordered) this.#ordered.set(destination, { ...ordered, source })
      }
    pending.resolve(failed)
    this.#events.onChange()
  }

  /** Kills a process that hangs, also one that is stopped. */
  #kill(): void {
    if (this.#process.pid !== undefined) process.kill(this.#process.pid, 'SIGKILL')
    this.#end()
  }

  #end(): void {
    if (this.#hasEnded) return
    this.#finish()
    this.#events.onEnd(this.#cause)
  }

  #finish(): void {
    this.#hasEnded = true
    clearTimeout(this.#startTimer)
    this.#silence?.stop()
    this.#announced.clear()
    for (const { resolve } of this.#takes.splice(0)) resolve(undefined)
  }
}
