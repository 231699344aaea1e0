// The links of hubs at all nodes, in memory. The node writes its own links to PostgreSQL in batches, and announces
// them: for each organisation at most once a second, at once after a pause. It stores the links that other nodes
// announce. A new claim has a higher epoch, and the newer one wins. On SQLite there is one node, which writes none.
import type { Insertable, Transaction } from 'kysely'
import { logger } from '../../process-log/logger.ts'
import { notify } from '../store/notifications.ts'
import type { Store } from '../store/store.ts'
import type { CloudTables } from '../store/tables.ts'
import { type Announcement, fitAnnouncement, readAnnouncement } from './announcement.ts'
import { type LinkRow, RemoteRows } from './remote-rows.ts'

/** Milliseconds between two announcements of a node for one organisation, and until a failed one is repeated. */
export const ANNOUNCEMENT_INTERVAL = 1000
/** Rows of one statement. */
const BATCH = 2000

/** The claim of a node that it has the link of a hub. */
export type LinkClaim = Pick<LinkRow, 'organisation' | 'sn' | 'instance' | 'name' | 'address' | 'isHeld'>

/** A link that this node has. */
interface OwnLink extends LinkClaim {
  /** Set when it is written. */
  epoch?: number
  isReleased?: boolean
}

/** Changes of one organisation that the node has neither written nor announced. */
interface Pending {
  added: Set<OwnLink>
  /** Epochs of links that have ended. */
  removed: Set<number>
  /** Hubs that a user has accepted, rejected or deleted. */
  hubs: Set<string>
}

interface LinkTableOptions {
  store: Store
  node: string
  /** Links at other nodes have changed. @param sn undefined: any of the organisation */
  onRemoteChange(organisation: string, sn: string | undefined): void
  /** A user has accepted, rejected or deleted hubs at another node. @param serials undefined: any */
  onDecision(organisation: string, serials: readonly string[] | undefined): void
  /** Other nodes have started or ended. */
  onNodesChange(): void
  /** Milliseconds since the epoch. */
  now: () => number
}

export class LinkTable {
  readonly #options: LinkTableOptions
  readonly #own = new Set<OwnLink>()
  readonly #remote = new RemoteRows()
  readonly #pending = new Map<string, Pending>()
  /** When an organisation was announced last. */
  readonly #announcedAt = new Map<string, number>()
  readonly #revisions = new Map<string, number>()
  #onRevision: (organisation: string) => void = () => {}
  /** Where revisions begin on SQLite: higher than before the restart. */
  readonly #start: number
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** Announcements of others and reads of the table, one after the other. */
  #reading: Promise<void> = Promise.resolve()
  #writing: Promise<void> | undefined

  constructor(options: LinkTableOptions) {
    this.#options = options
    this.#start = options.now()
  }

  /** Stops writing. The rows of this node are deleted with it. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#writing
    await this.#reading
  }

  /** Adds a link of this node. @returns functions that hold it or not, and remove it */
  claim(link: LinkClaim): { hold(isHeld: boolean): void; release(): void; isOlderThan(epoch: number): boolean } {
    let own: OwnLink = { ...link }
    const add = () => {
      this.#own.add(own)
      this.#pendingOf(link.organisation).added.add(own)
    }
    add()
    return {
      hold: (isHeld) => {
        this.#release(own)
        own = { ...link, isHeld }
        add()
      },
      release: () => this.#release(own),
      isOlderThan: (epoch) => own.epoch !== undefined && own.epoch < epoch
    }
  }

  /** Links of a hub at other nodes, the newest first. */
  find(organisation: string, sn: string): readonly LinkRow[] {
    return this.#remote.find(organisation, sn)
  }

  /** Announces that the links of an organisation have changed, or may be reached differently. */
  record(organisation: string): void {
    this.#pendingOf(organisation)
  }

  /** Announces decisions on hubs. */
  recordDecision(organisation: string, serials: readonly string[]): void {
    const { hubs } = this.#pendingOf(organisation)
    for (const sn of serials) hubs.add(sn)
  }

  /** Grows with each change of links of an organisation; the same at all nodes. */
  revisionOf(organisation: string): number {
    return this.#revisions.get(organisation) ?? (this.#options.store.kind === 'sqlite' ? this.#start : 0)
  }

  /** Calls a function when the revision of an organisation has grown. */
  onRevision(listener: (organisation: string) => void): void {
    this.#onRevision = listener
  }

  /** Writes all links of this node again, because its rows were deleted. */
  restore(): void {
    for (const link of this.#own) {
      delete link.epoch
      this.#pendingOf(link.organisation).added.add(link)
    }
  }

  /** Forgets the links of a node that does not run any more. */
  removeNode(node: string): void {
    const organisations = this.#remote.organisationsOf(node)
    this.#remote.removeNode(node)
    for (const organisation of organisations) this.#changed(organisation)
  }

  /** A node can be reached again, or cannot be reached any more. */
  touchNode(node: string): void {
    for (const organisation of this.#remote.organisationsOf(node)) this.#changed(organisation)
  }

  /** Takes an announcement. Those of one node come in the order of its commits. */
  receive(payload: string): void {
    const announcement = readAnnouncement(payload)
    if (announcement) this.#then(() => this.#apply(announcement))
  }

  /** Reads everything again. */
  readAll(): Promise<void> {
    return this.#then(async () => {
      const { store, node } = this.#options
      const { links, revisions } = await store.withinCloud(async (transaction) => ({
        links: await transaction.selectFrom('links').selectAll().where('node', '!=', node).execute(),
        revisions: await transaction.selectFrom('revisions').selectAll().execute()
      }))
      const organisations = this.#remote.replaceAll(links.map(toLinkRow))
      for (const { organisation, revision } of revisions) this.#setRevision(organisation, revision)
      for (const organisation of organisations) this.#options.onRemoteChange(organisation, undefined)
      // Decisions may have been missed.
      for (const organisation of new Set([...this.#own].map((link) => link.organisation)))
        this.#options.onDecision(organisation, undefined)
    })
  }

  #then(run: () => Promise<void>): Promise<void> {
    this.#reading = this.#reading.then(run).catch((error) => {
      logger.warn('Links at other nodes could not be read', { reason: (error as Error).message })
    })
    return this.#reading
  }

  async #apply({ node, organisation, revision, added, removed, isWhole, hubs }: Announcement): Promise<void> {
    const { onNodesChange, onRemoteChange, onDecision } = this.#options
    if (node === this.#options.node) return
    if (organisation === undefined) return onNodesChange()
    if (isWhole) {
      this.#remote.replaceOf(node, organisation, await this.#readLinks(node, organisation))
      onRemoteChange(organisation, undefined)
    } else {
      const changed = [...this.#remote.remove(removed ?? []), ...this.#remote.add(node, organisation, added ?? [])]
      for (const sn of new Set(changed)) onRemoteChange(organisation, sn)
    }
    if (hubs) onDecision(organisation, hubs === true ? undefined : hubs)
    // After the links have changed, because pages read the links when they notice a new revision.
    if (revision !== undefined) this.#setRevision(organisation, revision)
  }

  async #readLinks(node: string, organisation: string): Promise<LinkRow[]> {
    const rows = await this.#options.store.withinCloud((transaction) =>
      transaction
        .selectFrom('links')
        .selectAll()
        .where('node', '=', node)
        .where('organisation', '=', organisation)
        .execute()
    )
    return rows.map(toLinkRow)
  }

  #changed(organisation: string): void {
    this.record(organisation)
    this.#options.onRemoteChange(organisation, undefined)
  }

  #setRevision(organisation: string, revision: number): void {
    if (revision <= this.revisionOf(organisation)) return
    this.#revisions.set(organisation, revision)
    this.#onRevision(organisation)
  }

  #release(link: OwnLink): void {
    this.#own.delete(link)
    link.isReleased = true
    const { added, removed } = this.#pendingOf(link.organisation)
    if (link.epoch !== undefined) removed.add(link.epoch)
    added.delete(link)
  }

  #pendingOf(organisation: string): Pending {
    const known = this.#pending.get(organisation)
    if (known) return known
    const pending: Pending = { added: new Set(), removed: new Set(), hubs: new Set() }
    if (this.#options.store.kind === 'sqlite') {
      this.#setRevision(organisation, this.revisionOf(organisation) + 1)
      return pending
    }
    this.#pending.set(organisation, pending)
    this.#schedule()
    return pending
  }

  /** Milliseconds until an organisation may be announced. */
  #waitOf(organisation: string): number {
    const at = this.#announcedAt.get(organisation)
    return at === undefined ? 0 : Math.max(0, at + ANNOUNCEMENT_INTERVAL - performance.now())
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#writing || this.#isClosed || this.#pending.size === 0) return
    const wait = Math.min(...[...this.#pending.keys()].map((organisation) => this.#waitOf(organisation)))
    this.#timer = setTimeout(() => {
      this.#writing = this.#write().finally(() => {
        this.#writing = undefined
        this.#schedule()
      })
    }, wait)
    this.#timer.unref()
  }

  async #write(): Promise<void> {
    const now = performance.now()
    // In one order at all nodes, because transactions lock the revisions.
    const due = [...this.#pending.entries()].filter(([name]) => this.#waitOf(name) === 0).sort(byName)
    if (due.length === 0) return
    for (const [organisation] of due) {
      this.#pending.delete(organisation)
      this.#announcedAt.set(organisation, now)
    }
    // Organisations that were quiet for longer may be announced at once anyway.
    for (const [name, at] of this.#announcedAt) if (now - at > ANNOUNCEMENT_INTERVAL) this.#announcedAt.delete(name)
    try {
      const revisions = await this.#options.store.withinCloud((transaction) => this.#store(transaction, due))
      for (const { organisation, revision } of revisions) this.#setRevision(organisation, revision)
    } catch (error) {
      logger.warn('The links of this node were not written', { reason: (error as Error).message })
      for (const [organisation, failed] of due) this.#postpone(organisation, failed)
    }
    // Ended while they were written.
    for (const [organisation, { added }] of due)
      for (const { epoch, isReleased } of added)
        if (isReleased && epoch !== undefined) this.#pendingOf(organisation).removed.add(epoch)
  }

  #postpone(organisation: string, failed: Pending): void {
    const pending = this.#pendingOf(organisation)
    for (const link of failed.added) {
      delete link.epoch
      if (!link.isReleased) pending.added.add(link)
    }
    for (const epoch of failed.removed) pending.removed.add(epoch)
    for (const sn of failed.hubs) pending.hubs.add(sn)
  }

  async #store(transaction: Transaction<CloudTables>, due: readonly [string, Pending][]) {
    const added = due.flatMap(([, pending]) => [...pending.added])
    for (let start = 0; start < added.length; start += BATCH) {
      const links = added.slice(start, start + BATCH)
      const rows = await transaction
        .insertInto('links')
        .values(links.map((link) => toInsertable(this.#options.node, link)))
        .returning('epoch')
        .execute()
      for (const [index, link] of links.entries()) link.epoch = Number(rows[index]?.epoch)
    }
    const removed = due.flatMap(([, pending]) => [...pending.removed])
    for (let start = 0; start < removed.length; start += BATCH)
      await transaction
        .deleteFrom('links')
        .where('epoch', 'in', removed.slice(start, start + BATCH))
        .execute()
    const revisions = await transaction
      .insertInto('revisions')
      .values(due.map(([organisation]) => ({ organisation, revision: 1 })))
      .onConflict((conflict) =>
        conflict.column('organisation').doUpdateSet((where) => ({ revision: where('revisions.revision', '+', 1) }))
      )
      .returningAll()
      .execute()
    const payloads = due.map(([organisation, pending]) =>
      fitAnnouncement({
        ...{ node: this.#options.node, organisation },
        revision: revisions.find((row) => row.organisation === organisation)?.revision ?? 0,
        added: [...pending.added].map((link) => ({ ...link, epoch: link.epoch as number })),
        removed: [...pending.removed],
        hubs: [...pending.hubs]
      })
    )
    await notify(transaction, payloads)
    return revisions
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)

const toInsertable = (
  node: string,
  { organisation, sn, instance, name, address, isHeld }: LinkClaim
): Insertable<CloudTables['links']> => ({ node, organisation, sn, instance, name, address, is_held: isHeld ? 1 : 0 })

const toLinkRow = ({ is_held, ...row }: Omit<LinkRow, 'isHeld'> & { is_held: number }): LinkRow => ({
  ...row,
  isHeld: is_held === 1
})
