// The state of the firewall: the ports that were confirmed, and a change that waits for its confirmation. Only the
// confirmed ports are on disk, so whatever ends this process, the next one starts with them.
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  FirewallRequest,
  FirewallResponse,
  OpenPorts,
  ServiceError,
  ServiceState,
  StoredPorts
} from './protocol.ts'
import { OPEN, type PortStore } from './store.ts'
import { consoleText, type TableReading, type Tables, TRACKING_TEXT, tableText } from './table.ts'

/** Milliseconds without a confirmation after which a change is undone. */
export const CONFIRM_TIME = 60_000
/**
 * Milliseconds for which the kernel tracks connections before the first port is blocked: peers of SRT send at least
 * once a second.
 */
export const TRACKING_TIME = 1500
/** Milliseconds between attempts to go back, should nftables fail. */
const RETRY_INTERVAL = 2000
/** Milliseconds for which a reading of the kernel is used again. */
const READING_LIFETIME = 500

interface Pending {
  ports: StoredPorts
  /** On the clock of `performance.now()`. */
  deadline: number
  timer: NodeJS.Timeout
}

class RequestError extends Error {
  readonly code: ServiceError
  constructor(code: ServiceError) {
    super()
    this.code = code
  }
}

export interface ServiceOptions {
  tables: Tables
  store: PortStore
  report(message: string): void
  /** For tests. */
  confirmTime?: number
  trackingTime?: number
}

export class FirewallService {
  readonly #options: ServiceOptions
  #confirmed: StoredPorts = OPEN
  #isLoaded = false
  #pending: Pending | undefined
  #since: number | undefined
  #reading: { at: number; table: TableReading | undefined } | undefined
  /** The requests, one after the other. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: ServiceOptions) {
    this.#options = options
  }

  /** Restores the confirmed ports. If the disk fails, the table stays, and each request tries again. */
  start(): Promise<void> {
    return this.#enqueue(async () => {
      await this.#load().catch((error) =>
        this.#options.report(`The confirmed ports could not be read; the table stays as it is: ${error}`)
      )
    })
  }

  /** Reads the confirmed ports, once, and restores them. @throws Error if the disk fails */
  async #load(): Promise<void> {
    if (this.#isLoaded) return
    this.#confirmed = this.#options.store.load()
    this.#isLoaded = true
    if (this.#options.tables.isInstalled()) await this.#goBack()
  }

  /** Undoes a change that is not confirmed. The table stays: a restart of the service must not open ports. */
  stop(): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#pending) await this.#goBack()
    })
  }

  handle(request: FirewallRequest): Promise<FirewallResponse> {
    return this.#enqueue(async () => {
      try {
        await this.#perform(request)
        return { state: await this.#observe() }
      } catch (error) {
        if (error instanceof RequestError) return { error: error.code }
        this.#options.report(`Request ${request.op} failed: ${error}`)
        return { error: 'failed', detail: `${error}` }
      }
    })
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => {})
    return result
  }

  async #perform(request: FirewallRequest): Promise<void> {
    if (!this.#options.tables.isInstalled()) throw new RequestError('no-nft')
    await this.#load()
    // A request whose table cannot be read fails before it changes anything.
    await this.#read()
    switch (request.op) {
      case 'state':
        return
      case 'apply':
        return this.#change(request)
      case 'confirm': {
        const { ports } = this.#requirePending(request.id)
        this.#options.store.save(ports)
        this.#confirmed = ports
        return this.#endPending()
      }
      case 'cancel':
        this.#requirePending(request.id)
        return this.#goBack()
      case 'console':
        return this.#setConsole(request.console)
    }
  }

  #requirePending(id: string): Pending {
    if (this.#pending?.ports.id !== id) throw new RequestError('unknown')
    return this.#pending
  }

  #endPending(): void {
    clearTimeout(this.#pending?.timer)
    this.#pending = undefined
  }

  async #change({ id, mode, ranges, console, keep }: FirewallRequest & { op: 'apply' }): Promise<void> {
    if (this.#pending) throw new RequestError('waiting')
    const ports: StoredPorts = { id, mode, ranges, console }
    this.#confirmed = { ...this.#confirmed, console }
    try {
      if (mode !== 1 && !(await this.#hasTable())) await this.#trackConnections()
      await this.#write(ports)
      // The response contains the state: without it the hub would not know the change.
      await this.#read()
      if (keep) this.#options.store.save(ports)
    } catch (error) {
      await this.#restore().catch(() => this.#goBackLater())
      throw error
    }
    if (keep) {
      this.#confirmed = ports
      return
    }
    const { confirmTime = CONFIRM_TIME } = this.#options
    const timer = setTimeout(() => void this.#enqueue(() => this.#expire(id)), confirmTime)
    this.#pending = { ports, deadline: performance.now() + confirmTime, timer }
  }

  async #expire(id: string): Promise<void> {
    if (this.#pending?.ports.id === id) await this.#goBack()
  }

  /** Restores the confirmed ports, and tries again until nftables does it. */
  async #goBack(): Promise<void> {
    this.#endPending()
    await this.#restore().catch(() => this.#goBackLater())
  }

  #goBackLater(): void {
    this.#options.report('The confirmed ports could not be restored; trying again')
    setTimeout(() => {
      void this.#enqueue(async () => {
        if (!this.#pending) await this.#goBack()
      })
    }, RETRY_INTERVAL)
  }

  async #trackConnections(): Promise<void> {
    const { tables, trackingTime = TRACKING_TIME } = this.#options
    await tables.apply(TRACKING_TEXT)
    await sleep(trackingTime)
  }

  async #write(ports: StoredPorts): Promise<void> {
    await this.#options.tables.apply(tableText(ports, ports.console))
    this.#reading = undefined
    this.#since = ports.mode === 1 ? undefined : Date.now()
  }

  #restore(): Promise<void> {
    return this.#write(this.#confirmed)
  }

  async #setConsole(console: readonly number[]): Promise<void> {
    const confirmed = { ...this.#confirmed, console }
    if ((this.#pending?.ports ?? confirmed).mode !== 1 && (await this.#hasTable()))
      await this.#options.tables.apply(consoleText(console))
    this.#options.store.save(confirmed)
    this.#confirmed = confirmed
    if (this.#pending) this.#pending.ports = { ...this.#pending.ports, console }
  }

  async #hasTable(): Promise<boolean> {
    return (await this.#read()) !== undefined
  }

  async #read(): Promise<TableReading | undefined> {
    if (!this.#reading || performance.now() - this.#reading.at > READING_LIFETIME) {
      const table = await this.#options.tables.read()
      this.#reading = { at: performance.now(), table }
    }
    return this.#reading.table
  }

  async #observe(): Promise<ServiceState> {
    const { id, mode, ranges, console } = this.#confirmed
    const current: OpenPorts = this.#pending?.ports ?? this.#confirmed
    const table = await this.#read()
    const refused = table?.counts.get('refused')
    const isInEffect = current.mode === 1 ? table === undefined : refused !== undefined
    const counted = isInEffect && current.mode === -1 ? current.ranges : []
    const pending = this.#pending
    return {
      confirmed: { id, mode, ranges },
      ...(pending && { pending: withSeconds(pending) }),
      console,
      isInEffect,
      counts: counted.map((_, index) => table?.counts.get(`${index}`) ?? [0, 0]),
      ...(isInEffect && refused && { refused }),
      ...(isInEffect && this.#since !== undefined && { since: this.#since })
    }
  }
}

function withSeconds({ ports: { id, mode, ranges }, deadline }: Pending): ServiceState['pending'] {
  return { id, mode, ranges, secondsLeft: Math.max(0, Math.ceil((deadline - performance.now()) / 1000)) }
}
