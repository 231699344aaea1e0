// A client of the Videohub Ethernet Protocol. Its requests are carried out one after the other; while one is carried
// out, or while the client does not read, nothing more is read from it, so that a client that sends too much delays
// only itself.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { BlockError, BlockParser } from './block-parser.ts'
import type { AddressRates } from './panel-rates.ts'
import type { PanelRouter } from './panel-router.ts'
import type { RateLimit } from './rate-limit.ts'
import { parseRequest, type VideohubRequest } from './request.ts'
import {
  formatChanges,
  formatPrelude,
  formatStatusBlock,
  type PortBlock,
  type RouterStatus,
  type SentPorts
} from './router-status.ts'

/** Milliseconds after which a client is disconnected that does not read. */
export const STALL_TIMEOUT = 5000
/** Milliseconds of silence after which TCP probes whether the client is still there. */
const KEEP_ALIVE_DELAY = 15_000
/** Milliseconds for which a connection that was ended may send the rest. */
const CLOSE_TIMEOUT = 1000

const ACK = 'ACK\n\n'
const NAK = 'NAK\n\n'

interface SessionOptions {
  socket: Socket
  router: PanelRouter
  rates: AddressRates
  /** Rate of the changes of all clients. */
  changes: RateLimit
  /** The client has sent a valid request. */
  onRequest(): void
}

export class VideohubSession {
  readonly #options: SessionOptions
  /** The status that the client has; undefined before the prelude. */
  #sent: { status: RouterStatus; ports: SentPorts } | undefined
  /** Whether a request is carried out. Its response comes before the changes that it causes. */
  #isBusy = false
  #stallTimer: NodeJS.Timeout | undefined
  /** Aborted when the connection is closed, or is to be closed. */
  readonly #closed = new AbortController()

  constructor(options: SessionOptions) {
    this.#options = options
    const { socket } = options
    socket.setNoDelay(true)
    socket.setKeepAlive(true, KEEP_ALIVE_DELAY)
    socket.on('error', () => {})
    socket.on('drain', () => this.#drained())
    socket.on('close', () => {
      clearTimeout(this.#stallTimer)
      this.#closed.abort()
    })
  }

  /** Sends the status and carries out requests until the client disconnects. Never rejects. */
  async run(): Promise<void> {
    const { socket, router, rates } = this.#options
    const parser = new BlockParser()
    try {
      await rates.requests.wait(this.#closed.signal)
      const status = router.status()
      if (!status) return void socket.destroy()
      this.#send(formatPrelude(status))
      this.#remember(status)
      for await (const bytes of socket.iterator({ destroyOnReturn: false })) {
        for (const block of parser.push(bytes)) await this.#handle(parseRequest(block))
      }
    } catch (error) {
      if (error instanceof BlockError) this.#send(NAK)
    }
    this.close()
  }

  /**
   * Sends the changes of the matrix, unless the client is busy or does not read: then it gets them later, all at once.
   */
  update(): void {
    const { socket, router } = this.#options
    if (!this.#sent || this.#isBusy || socket.writableNeedDrain) return
    const status = router.status()
    if (!status) return
    this.#send(formatChanges(this.#sent.ports, this.#sent.status, status))
    this.#remember(status)
  }

  /** Ends the connection after the response that is on its way. */
  close(): void {
    const { socket } = this.#options
    // Requests that have arrived already are not carried out any more.
    this.#closed.abort()
    if (socket.destroyed) return
    socket.end()
    setTimeout(() => socket.destroy(), CLOSE_TIMEOUT).unref()
  }

  async #handle(request: VideohubRequest | undefined): Promise<void> {
    const { socket, router, rates, changes, onRequest } = this.#options
    const { signal } = this.#closed
    await rates.requests.wait(signal)
    if (socket.writableNeedDrain) await once(socket, 'drain', { signal })
    if (request) onRequest()
    if (!request || request.kind === 'ping') return this.#send(request ? ACK : NAK)
    await rates.work.wait(signal)
    if (request.kind === 'status') {
      const status = router.status()
      return this.#send(status ? ACK + formatStatusBlock(status, request.block) : NAK)
    }
    await changes.wait(signal)
    this.#isBusy = true
    const isDone = await router.execute(request).catch(() => false)
    this.#isBusy = false
    this.#send(isDone ? ACK : NAK)
    if (isDone) this.#repeat(request)
    this.update()
  }

  /** Makes the next update contain the items of a request. The client waits for them, also if they did not change. */
  #repeat(request: VideohubRequest): void {
    for (const [block, indexes] of itemsOf(request)) {
      const known: unknown[] = this.#sent?.ports[block] ?? []
      for (const index of indexes) if (index < known.length) known[index] = undefined
    }
  }

  #remember(status: RouterStatus): void {
    const { ports } = status
    this.#sent = {
      status,
      ports: {
        'INPUT LABELS': [...ports['INPUT LABELS']],
        'OUTPUT LABELS': [...ports['OUTPUT LABELS']],
        'VIDEO OUTPUT LOCKS': [...ports['VIDEO OUTPUT LOCKS']],
        'VIDEO OUTPUT ROUTING': [...ports['VIDEO OUTPUT ROUTING']]
      }
    }
  }

  #send(text: string): void {
    const { socket } = this.#options
    if (text === '' || !socket.writable || socket.write(text)) return
    this.#stallTimer ??= setTimeout(() => socket.destroy(), STALL_TIMEOUT).unref()
  }

  #drained(): void {
    clearTimeout(this.#stallTimer)
    this.#stallTimer = undefined
    this.update()
  }
}

/** The items of the status that a request is about. */
function itemsOf(request: VideohubRequest): [PortBlock, Iterable<number>][] {
  if (request.kind === 'route') return [['VIDEO OUTPUT ROUTING', request.routes.keys()]]
  if (request.kind === 'lock') return [['VIDEO OUTPUT LOCKS', request.locks.keys()]]
  if (request.kind === 'label')
    return [[request.side === 'sources' ? 'INPUT LABELS' : 'OUTPUT LABELS', request.labels.keys()]]
  return []
}
