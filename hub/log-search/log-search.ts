// Searches the logs in a worker thread, so that a search over many lines does not delay other calls. The worker runs
// one request at a time, in turn for each session that asks.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createFairQueue } from '../../accounts/fair-queue.ts'
import { TRY_AGAIN } from '../../contract/codes.ts'
import type { LogEntry } from '../../contract/log.ts'
import { CallError } from '../http/handler.ts'
import type { ChainCheck } from '../store/log-chain.ts'
import type { LogVisibility, ResolvedLogFilter } from '../store/log-filter.ts'
import { LOG_CHUNK, type LogPage, type LogReader } from '../store/log-reader.ts'
import type { Store } from '../store/store.ts'

/** Requests that may wait: of one session, and sessions. */
export const WAITING_MAX = { perSession: 20, sessions: 100 }

export type WorkerRequest =
  | { method: 'list'; args: Parameters<LogReader['list']> }
  | { method: 'chunk'; args: Parameters<LogReader['chunk']> }
  | { method: 'check' }

export type WorkerReply = { result: unknown } | { error: string }

/** Reads chunks until one is not full. */
async function* readChunks(
  first: LogEntry[],
  readChunk: (before?: number) => Promise<LogEntry[]>
): AsyncGenerator<LogEntry[]> {
  for (let lines = first; ; lines = await readChunk(lines.at(-1)?.id)) {
    if (lines.length > 0) yield lines
    if (lines.length < LOG_CHUNK) return
  }
}

/** @param session fair turns are for this key */
export class LogSearch {
  readonly #store: Store
  readonly #file: string
  readonly #queue = createFairQueue(WAITING_MAX.perSession, WAITING_MAX.sessions)
  /** Started by the first request. */
  #worker: Worker | undefined
  #closed = false

  /** @param file of the database; `:memory:` is read in this thread */
  constructor(store: Store, file: string) {
    this.#store = store
    this.#file = file
  }

  /** @throws CallError with `TRY_AGAIN` if too many requests wait */
  list(session: string, ...args: Parameters<LogReader['list']>): Promise<LogPage> {
    return this.#enqueue(session, { method: 'list', args })
  }

  /**
   * All lines that match a filter, newest first, in chunks. @throws CallError with `TRY_AGAIN` if too many requests
   * wait
   */
  async all(session: string, filter: ResolvedLogFilter, visibility?: LogVisibility) {
    const readChunk = (before?: number): Promise<LogEntry[]> =>
      this.#enqueue(session, { method: 'chunk', args: [filter, visibility, before] })
    return readChunks(await readChunk(), readChunk)
  }

  checkChain(session: string): Promise<ChainCheck> {
    return this.#enqueue(session, { method: 'check' })
  }

  close(): void {
    this.#closed = true
    void this.#worker?.terminate()
  }

  #enqueue<T>(session: string, request: WorkerRequest): Promise<T> {
    const result = this.#queue.enqueue(session, () => this.#read<T>(request))
    if (!result) throw new CallError(TRY_AGAIN)
    return result
  }

  async #read<T>(request: WorkerRequest): Promise<T> {
    if (this.#closed) throw new CallError(TRY_AGAIN)
    const { database, logs } = this.#store
    if (this.#file === ':memory:') {
      if (request.method === 'list') return logs.reader.list(...request.args) as T
      if (request.method === 'chunk') return logs.reader.chunk(...request.args) as T
      return logs.checkChain() as T
    }
    database.commitBatch()
    const worker = this.#startWorker()
    const aborter = new AbortController()
    try {
      worker.postMessage(request)
      const ended = once(worker, 'exit', { signal: aborter.signal }).then(() => [{ error: 'the worker ended' }])
      const [reply] = (await Promise.race([once(worker, 'message', { signal: aborter.signal }), ended])) as [
        WorkerReply
      ]
      if ('error' in reply) throw new Error(`Log search failed: ${reply.error}`)
      return reply.result as T
    } finally {
      aborter.abort()
    }
  }

  #startWorker(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: this.#file })
    worker.unref()
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    this.#worker = worker
    return worker
  }
}
