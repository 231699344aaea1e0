// The nodes of the cloud that run, as rows with a heartbeat. A node counts as running while its heartbeat changes, by
// the monotonic clock of the node that looks: clocks of nodes may differ.
import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { CloudNode } from '../../contract/cloud/link.ts'
import { logger } from '../../process-log/logger.ts'
import type { Store } from '../store/store.ts'
import type { CloudTables } from '../store/tables.ts'
import type { NodeClaim } from './node-identity.ts'

/** Milliseconds between heartbeats, and without one after which a node does not run any more. */
export const HEARTBEAT_INTERVAL = 5000
const SILENCE_MAX = 15_000

interface NodesOptions {
  store: Store
  /** `host:port` at which hubs reach this node; empty: at the address of the cloud. */
  address: string
  /** Whether a row has the cloud's signature over address and key of the node. */
  isGenuine?: (claim: NodeClaim, signature: string) => boolean
  /** Called when this node had been forgotten by the others, and its links with it. */
  onForgotten?: () => void
  /** Milliseconds of a clock that never jumps. */
  monotonic?: (() => number) | undefined
}

/** How other nodes reach this one. */
export interface PeerClaim {
  peerAddress: string
  pin: string
  /** Signature of the cloud over `nodeText`. */
  signature: string
}

export interface RunningNode extends CloudNode, Omit<NodeClaim, 'id'> {}

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
  readonly #isGenuine: (claim: NodeClaim, signature: string) => boolean
  readonly #onForgotten: () => void
  readonly #observed = new Map<string, Observed>()
  #claim: PeerClaim = { peerAddress: '', pin: '', signature: '' }
  #running: RunningNode[]
  #heartbeat = 0
  #hasJoined = false
  #isClosed = false
  /** Whether the database has answered the last heartbeat. */
  #isAnswered = true
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()
  #onHeartbeat: (isChanged: boolean) => Promise<void> = async () => {}

  constructor({ store, address, isGenuine, onForgotten, monotonic = () => performance.now() }: NodesOptions) {
    this.#store = store
    this.#address = address
    this.#monotonic = monotonic
    this.#isGenuine = isGenuine ?? (() => false)
    this.#onForgotten = onForgotten ?? (() => {})
    this.#running = [{ id: this.id, address, peerAddress: '', pin: '' }]
  }

  /** The nodes that run, this one included, by their identifiers. */
  get running(): readonly RunningNode[] {
    return this.#running
  }

  /** Sets how other nodes reach this one, before it joins. */
  setPeerClaim(claim: PeerClaim): void {
    this.#claim = claim
  }

  /**
   * Adds this node, and observes the others.
   * @param onHeartbeat called after each heartbeat, with whether other nodes run than before
   */
  async join(onHeartbeat: (isChanged: boolean) => Promise<void>): Promise<void> {
    this.#onHeartbeat = onHeartbeat
    await this.refresh()
    this.#timer = setInterval(() => void this.refresh(), HEARTBEAT_INTERVAL).unref()
  }

  /** Writes a heartbeat and observes the others, once the one in progress is done. */
  refresh(): Promise<void> {
    if (this.#isClosed) return this.#beating
    this.#beating = this.#beating
      .then(async () => this.#onHeartbeat(await this.beat()))
      .catch((error) => logger.warn('A heartbeat failed', { reason: (error as Error).message }))
    return this.#beating
  }

  /** Writes the heartbeat of this node and reads those of the others. @returns whether other nodes run than before */
  async beat(): Promise<boolean> {
    try {
      const isChanged = this.#observe(await this.#exchange())
      this.#isAnswered = true
      return isChanged
    } catch (error) {
      // The nodes that are known stay.
      this.#isAnswered = false
      logger.warn('The heartbeat of this node was not written', { reason: (error as Error).message })
      return false
    }
  }

  /** Removes this node. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#beating
    await this.#store
      .withinCloud((transaction) => transaction.deleteFrom('nodes').where('id', '=', this.id).execute())
      .catch(() => {})
  }

  async #exchange() {
    const { peerAddress, pin, signature } = this.#claim
    const own = { id: this.id, address: this.#address, heartbeat: ++this.#heartbeat }
    const { rows, isNew } = await this.#store.withinCloud(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('nodes')
        .set({ heartbeat: own.heartbeat })
        .where('id', '=', own.id)
        .executeTakeFirstOrThrow()
      const isNew = Number(numUpdatedRows) === 0
      if (isNew)
        await transaction
          .insertInto('nodes')
          .values({ ...own, peer_address: peerAddress, pin, signature })
          .execute()
      // Those that were not shut down leave rows behind.
      const silent = this.#silentNodes()
      if (silent.length > 0) await transaction.deleteFrom('nodes').where('id', 'in', silent).execute()
      return { isNew, rows: await transaction.selectFrom('nodes').selectAll().orderBy('id').execute() }
    })
    if (isNew && this.#hasJoined) this.#onForgotten()
    this.#hasJoined = true
    return rows
  }

  #silentNodes(): string[] {
    // No node could write a heartbeat while the database did not answer.
    if (!this.#isAnswered) return []
    const now = this.#monotonic()
    return [...this.#observed].flatMap(([id, { at }]) => (id !== this.id && now - at > SILENCE_MAX ? [id] : []))
  }

  #observe(rows: readonly Selectable<CloudTables['nodes']>[]): boolean {
    const now = this.#monotonic()
    for (const id of this.#observed.keys()) if (rows.every((row) => row.id !== id)) this.#observed.delete(id)
    for (const { id, heartbeat } of rows)
      if (this.#observed.get(id)?.heartbeat !== heartbeat || !this.#isAnswered)
        this.#observed.set(id, { heartbeat, at: now })
    const running = rows.map((row) => this.#read(row))
    const isChanged = JSON.stringify(running) !== JSON.stringify(this.#running)
    this.#running = running
    return isChanged
  }

  #read({ id, address, pin, signature, peer_address: peerAddress }: Selectable<CloudTables['nodes']>): RunningNode {
    const isReachable = peerAddress !== '' && this.#isGenuine({ id, peerAddress, pin }, signature)
    return { id, address, ...(isReachable ? { peerAddress, pin } : { peerAddress: '', pin: '' }) }
  }
}
