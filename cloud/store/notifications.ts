// What nodes announce to each other through PostgreSQL (LISTEN and NOTIFY), over a connection of its own.
import { sql, type Transaction } from 'kysely'
import pg from 'pg'
import { logger } from '../../process-log/logger.ts'
import type { CloudTables } from './tables.ts'

const CHANNEL = 'headend_nodes'
/** Largest payload in bytes: PostgreSQL takes less than 8,000. */
export const PAYLOAD_MAX = 7900
/** Milliseconds between attempts to connect, and for one of them. */
const RETRY_INTERVAL = 500
const CONNECTION_TIMEOUT = 5000
/** Milliseconds between checks of the connection, and for the answer: the other end may be gone without a trace. */
const CHECK_INTERVAL = 5000
const CHECK_TIMEOUT = 5000

export interface NotificationListener {
  /** Called for each payload, in the order of the commits. */
  onNotification(payload: string): void
  /** The connection is up. Earlier payloads may be missing: everything has to be read again. */
  onConnected(): void
  onLost(): void
}

/** Announces payloads to all nodes, when the transaction is committed. */
export async function notify(transaction: Transaction<CloudTables>, payloads: readonly string[]): Promise<void> {
  const rows = payloads.map((payload) => sql`(${payload}::text)`)
  await sql`select pg_notify(${CHANNEL}, payload) from (values ${sql.join(rows)}) as announced (payload)`.execute(
    transaction
  )
}

export class Notifications {
  readonly #url: string
  readonly #listener: NotificationListener
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #connecting: Promise<void> = Promise.resolve()

  constructor(url: string, listener: NotificationListener) {
    this.#url = url
    this.#listener = listener
  }

  /** The address of this machine in the network of PostgreSQL; undefined on a Unix socket, or without a connection. */
  get localAddress(): string | undefined {
    return streamOf(this.#client)?.localAddress
  }

  get isConnected(): boolean {
    return this.#client !== undefined
  }

  /** Connects, and again whenever the connection is lost. The promise waits for the first attempt. */
  start(): Promise<void> {
    this.#connecting = this.#connect()
    return this.#connecting
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#connecting
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECTION_TIMEOUT,
      query_timeout: CHECK_TIMEOUT,
      keepAlive: true
    })
    client.on('error', () => {})
    client.on('end', () => this.#lose(client, 'the connection was closed'))
    client.on('notification', ({ payload = '' }) => this.#listener.onNotification(payload))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      if (this.#isClosed) return await client.end()
      this.#client = client
      this.#timer = setTimeout(() => void this.#check(client), CHECK_INTERVAL).unref()
      this.#listener.onConnected()
    } catch {
      streamOf(client)?.destroy()
      this.#retry()
    }
  }

  async #check(client: pg.Client): Promise<void> {
    try {
      await client.query('select 1')
      if (this.#client === client) this.#timer = setTimeout(() => void this.#check(client), CHECK_INTERVAL).unref()
    } catch (error) {
      this.#lose(client, (error as Error).message)
    }
  }

  #lose(client: pg.Client, reason: string): void {
    if (this.#client !== client) return
    this.#client = undefined
    streamOf(client)?.destroy()
    if (this.#isClosed) return
    logger.warn('PostgreSQL is lost', { reason })
    this.#listener.onLost()
    this.#retry()
  }

  #retry(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#connecting = this.#connect()
    }, RETRY_INTERVAL).unref()
  }
}

/** The socket of a connection, which the types of pg do not name. */
const streamOf = (client: pg.Client | undefined) =>
  (client as unknown as { connection?: { stream?: import('node:net').Socket } } | undefined)?.connection?.stream
