// The nodes of the cloud that run, as rows with a heartbeat. A node counts as running while its heartbeat changes, by
// the monotonic clock of the node that looks: clocks of nodes may differ.
import { randomBytes } from 'node:crypto'
import type { CloudNode } from '../../contract/cloud/link.ts'
import { logger } from '../../process-log/logger.ts'
import type { Store } from '../store/store.ts'

/** Milliseconds between heartbeats, and without one after which a node does not run any more. */
export const HEARTBEAT_INTERVAL = 5000
const SILENCE_MAX = 15_000

interface NodesOptions {
  store: Store
  /** `host:port` at which hubs reach this node; empty: at the address of the cloud. */
  address: string
  /** Milliseconds of a clock that never jumps. */
  monotonic?: (() => number) | undefined
}

interface Observed {
  heartbeat: number
  /** When the heartbeat has changed. */
  at: number
}

export class Nodes {
  /** Identifier of this node. Another one after each start. */
  readonly id = randomBytes(8).toString('hex')
  readonly #store: Store
  readonly #address: string
  readonly #monotonic: () => number
  readonly #observed = new Map<string, Observed>()
  #running: CloudNode[]
  #heartbeat = 0
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()

  constructor({ store, address, monotonic = () => performance.now() }: NodesOptions) {
    this.#store = store
    this.#address = address
    this.#monotonic = monotonic
    this.#running = [{ id: this.id, address }]
  }

  /** The nodes that run, this one included, by their identifiers. */
  get running(): readonly CloudNode[] {
    return this.#running
  }

  /**
   * Adds this node, and observes the others.
   * @param onHeartbeat called after each heartbeat, with whether other nodes run than before
   */
  async join(onHeartbeat: (isChanged: boolean) => Promise<void>): Promise<void> {
    const beat = () => {
      this.#beating = this.#beating
        .then(async () => onHeartbeat(await this.beat()))
        .catch((error) => logger.warn('A heartbeat failed', { reason: (error as Error).message }))
      return this.#beating
    }
    await beat()
    this.#timer = setInterval(() => void beat(), HEARTBEAT_INTERVAL).unref()
  }

  /** Writes the heartbeat of this node and reads those of the others. @returns whether other nodes run than before */
  async beat(): Promise<boolean> {
    try {
      return this.#observe(await this.#exchange())
    } catch (error) {
      // The nodes that are known stay.
      logger.warn('The heartbeat of this node was not written', { reason: (error as Error).message })
      return false
    }
  }

  /** Removes this node. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    await this.#store
      .withinCloud((transaction) => transaction.deleteFrom('nodes').where('id', '=', this.id).execute())
      .catch(() => {})
  }

  #exchange() {
    const own = { id: this.id, address: this.#address, heartbeat: ++this.#heartbeat }
    return this.#store.withinCloud(async (transaction) => {
      await transaction
        .insertInto('nodes')
        .values(own)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ heartbeat: own.heartbeat }))
        .execute()
      // Those that were not shut down leave rows behind.
      const silent = this.#silentNodes()
      if (silent.length > 0) await transaction.deleteFrom('nodes').where('id', 'in', silent).execute()
      return transaction.selectFrom('nodes').selectAll().orderBy('id').execute()
    })
  }

  #silentNodes(): string[] {
    const now = this.#monotonic()
    return [...this.#observed].flatMap(([id, { at }]) => (id !== this.id && now - at > SILENCE_MAX ? [id] : []))
  }

  #observe(rows: readonly { id: string; address: string; heartbeat: number }[]): boolean {
    const now = this.#monotonic()
    for (const id of this.#observed.keys()) if (rows.every((row) => row.id !== id)) this.#observed.delete(id)
    for (const { id, heartbeat } of rows)
      if (this.#observed.get(id)?.heartbeat !== heartbeat) this.#observed.set(id, { heartbeat, at: now })
    const running = rows.map(({ id, address }) => ({ id, address }))
    const isChanged = JSON.stringify(running) !== JSON.stringify(this.#running)
    this.#running = running
    return isChanged
  }
}
