// Sessions of opened hubs. A hub's origin has a session cookie of its own, which opens this hub only; it belongs to a
// session of the cloud and ends with it. The page of the cloud passes it on by a ticket, which can be used once.
import { randomBytes } from 'node:crypto'
import { isPermitted } from '../../contract/access/permissions.ts'
import { openHub } from '../../contract/cloud/calls.ts'
import { ORGANISATION_NAME } from '../../contract/cloud/link.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { hashSecret } from '../../web-server/credentials.ts'
import { readHubAccess } from '../auth/hub-access.ts'
import { type Caller, readCaller, readCallerByToken } from '../auth/sessions.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import { type HubPlace, pageOf } from './hub-origins.ts'

/** Milliseconds for which a ticket can be used. */
const TICKET_LIFETIME = 60_000
/** Sessions of opened hubs of one session of the cloud: one for each hub, and tickets that nobody used. */
const OPENED_MAX = 300
/** Milliseconds for which a session is not read again, and for which it counts while the database does not answer. */
const REMEMBERED = 2000
const REMEMBERED_WITHOUT_DATABASE = 900_000
/** Milliseconds between two checks of the sessions that have something open. */
const CHECK_INTERVAL = 2500
/** Sessions that are remembered. */
const REMEMBERED_MAX = 10_000

/** A user of the cloud who has opened a hub. */
export interface HubVisitor {
  hub: HubPlace
  /** The page of a device or the forwarded port that is opened (`contract/cloud/relay.ts`); empty: the console. */
  target: string
  caller: Caller
  /** Hash of the session of the opened hub; of access token and serial number, if a program calls. */
  hash: string
  /** Hash of the access token with which a program calls. */
  token?: string
}

interface VisitorUse {
  /** IP address of the browser. */
  address: string
  /** Whether the request extends the session: the console does not make it by itself. */
  extends: boolean
}

interface Remembered {
  visitor: Promise<HubVisitor | undefined>
  readAt: number
}

/** What a session has open. */
interface Held {
  visitor: HubVisitor
  closers: Set<() => void>
}

interface HubSessionsOptions {
  store: Store
  /** Whether the database answers, as far as the node knows. */
  hasDatabase(): boolean
  /** Milliseconds since the epoch. */
  now: () => number
}

export class HubSessions {
  readonly #options: HubSessionsOptions
  readonly #remembered = new Map<string, Remembered>()
  /** By the hash of the session of the opened hub. */
  readonly #held = new Map<string, Held>()
  readonly #timer: NodeJS.Timeout

  constructor(options: HubSessionsOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#closeEnded(), CHECK_INTERVAL).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /**
   * Closes something when the session ends, or may not open its hub any more.
   * @returns function to call when it is closed otherwise
   */
  hold(visitor: HubVisitor, close: () => void): () => void {
    const { hash } = visitor
    const held = this.#held.get(hash) ?? { visitor, closers: new Set() }
    this.#held.set(hash, held)
    held.closers.add(close)
    return () => {
      held.closers.delete(close)
      if (held.closers.size === 0 && this.#held.get(hash) === held) this.#held.delete(hash)
    }
  }

  /** Issues a ticket for a hub of the organisation, which the caller may open. @param target as of `HubVisitor` */
  async issueTicket(scope: Scope, { session }: Pick<Caller, 'session'>, sn: string, target = ''): Promise<string> {
    const own = () => scope.select('hub_sessions').where('session', '=', session)
    const surplus = await own()
      .select('hash')
      .orderBy('created', 'desc')
      .offset(OPENED_MAX - 1)
      .limit(OPENED_MAX)
      .execute()
    for (const { hash } of surplus) await scope.delete('hub_sessions').where('hash', '=', hash).execute()
    return this.#add(scope, { sn, session, target, is_ticket: 1 })
  }

  /** Exchanges a ticket for a session. @returns the value of the session cookie; undefined if it is not valid */
  async redeem(ticket: string, hub: HubPlace): Promise<string | undefined> {
    const hash = hashOf(ticket, hub)
    if (hash === undefined) return undefined
    const { store, now } = this.#options
    return store.within(hub.organisation, async (scope) => {
      const row = await scope
        .delete('hub_sessions')
        .where('hash', '=', hash)
        .where('sn', '=', hub.sn)
        .where('is_ticket', '=', 1)
        .returning(['session', 'target', 'created'])
        .executeTakeFirst()
      if (!row || !isFor(row, hub) || now() - row.created > TICKET_LIFETIME) return undefined
      return this.#add(scope, { sn: hub.sn, session: row.session, target: row.target, is_ticket: 0 })
    })
  }

  /**
   * The visitor of a hub by the session cookie; undefined if the session has ended, or may not open this hub.
   * @throws if the database does not answer
   */
  find(secret: string, hub: HubPlace, use: VisitorUse): Promise<HubVisitor | undefined> {
    const hash = hashOf(secret, hub)
    return hash === undefined ? Promise.resolve(undefined) : this.#find(hash, hub, () => this.#read(hash, hub, use))
  }

  /** The visitor of a hub by an access token, as `find`. */
  findByToken(secret: string, hub: HubPlace, use: VisitorUse): Promise<HubVisitor | undefined> {
    const token = hashSecret(secret)
    return this.#find(hashOfToken(token, hub), hub, () => this.#readByToken(token, hub, use))
  }

  /** Whether an access token of an organisation is valid. */
  async isToken(secret: string, organisation: string): Promise<boolean> {
    const use = { now: this.#options.now(), address: '', extends: false }
    const read = (scope: Scope) => readCallerByToken(scope, hashSecret(secret), use)
    return (await this.#options.store.within(organisation, read)) !== undefined
  }

  #find(hash: string, hub: HubPlace, read: () => Promise<HubVisitor | undefined>): Promise<HubVisitor | undefined> {
    const key = keyOf(hub, hash)
    const known = this.#remembered.get(key)
    const { hasDatabase } = this.#options
    if (known && performance.now() - known.readAt < (hasDatabase() ? REMEMBERED : REMEMBERED_WITHOUT_DATABASE))
      return known.visitor
    const visitor = read().catch(async (error) => {
      this.#remembered.delete(key)
      if (!known || performance.now() - known.readAt > REMEMBERED_WITHOUT_DATABASE) throw error
      // The time stays that of the last answer.
      this.#remembered.set(key, known)
      return known.visitor
    })
    // Whoever waits for it gets the error.
    visitor.catch(() => {})
    this.#remembered.delete(key)
    const [oldest] = this.#remembered.keys()
    if (oldest !== undefined && this.#remembered.size >= REMEMBERED_MAX) this.#remembered.delete(oldest)
    this.#remembered.set(key, { visitor, readAt: performance.now() })
    return visitor
  }

  /** Reads a session again at its next request, because it has changed. */
  forget({ hub, hash }: HubVisitor): void {
    this.#remembered.delete(keyOf(hub, hash))
  }

  /** Ends the session of an opened hub. */
  async end(visitor: HubVisitor): Promise<void> {
    const { hub, hash } = visitor
    this.forget(visitor)
    await this.#options.store.within(hub.organisation, (scope) =>
      scope.delete('hub_sessions').where('hash', '=', hash).execute()
    )
    this.#closeAll(hash)
  }

  /** Closes what ended sessions have open. While the database does not answer, nothing is closed. */
  async #closeEnded(): Promise<void> {
    for (const [hash, { visitor }] of [...this.#held]) {
      const use = { address: '', extends: false }
      const { hub, token } = visitor
      const read = token === undefined ? this.#read(hash, hub, use) : this.#readByToken(token, hub, use)
      const current = await read.catch(() => visitor)
      if (current) continue
      this.forget(visitor)
      this.#closeAll(hash)
    }
  }

  #closeAll(hash: string): void {
    const held = this.#held.get(hash)
    this.#held.delete(hash)
    for (const close of held?.closers ?? []) close()
  }

  #read(hash: string, hub: HubPlace, use: VisitorUse): Promise<HubVisitor | undefined> {
    const { store, now } = this.#options
    return store.within(hub.organisation, async (scope) => {
      const row = await scope
        .select('hub_sessions')
        .select(['session', 'target'])
        .where('hash', '=', hash)
        .where('sn', '=', hub.sn)
        .where('is_ticket', '=', 0)
        .executeTakeFirst()
      if (!row || !isFor(row, hub)) return undefined
      const caller = await readCaller(scope, row.session, { ...use, now: now() })
      if (!caller || caller.mustEnroll || !(await mayOpen(scope, caller, hub.sn))) return undefined
      return { hub, target: row.target, caller, hash }
    })
  }

  #readByToken(token: string, hub: HubPlace, use: VisitorUse): Promise<HubVisitor | undefined> {
    const { store, now } = this.#options
    return store.within(hub.organisation, async (scope) => {
      const caller = await readCallerByToken(scope, token, { ...use, now: now() })
      if (!caller || !(await mayOpen(scope, caller, hub.sn))) return undefined
      return { hub, target: '', caller, hash: hashOfToken(token, hub), token }
    })
  }

  async #add(scope: Scope, row: { sn: string; session: string; target: string; is_ticket: number }): Promise<string> {
    const secret = randomBytes(32).toString('base64url')
    const { now } = this.#options
    await scope.insert('hub_sessions', { ...row, hash: hashSecret(secret), created: now() }).execute()
    return `${scope.organisation}.${secret}`
  }
}

/** Whether a user may open a hub: he sees it, and it is accepted. */
export async function mayOpen(scope: Scope, caller: Caller, sn: string): Promise<boolean> {
  const hub = await scope.select('hubs').selectAll().where('sn', '=', sn).executeTakeFirst()
  if (hub?.state !== REGISTRATION_STATE.accepted || !isPermitted(openHub.access, caller.user)) return false
  return (await readHubAccess(scope, caller)).isHubVisible(hub)
}

const hashOfToken = (token: string, { sn }: HubPlace) => hashSecret(`${token} ${sn}`)

const keyOf = ({ organisation, sn, page = '' }: HubPlace, hash: string) => `${organisation}/${sn}/${page}/${hash}`

/** Whether a session is for the origin that presents it. */
const isFor = ({ target }: { target: string }, { page }: HubPlace) => (target ? pageOf(target) : undefined) === page

/** The hash of `<organisation>.<secret>`; undefined for another organisation than that of the hub. */
function hashOf(value: string, { organisation }: HubPlace): string | undefined {
  const [owner = '', secret] = value.split('.')
  return ORGANISATION_NAME.test(owner) && owner === organisation && secret ? hashSecret(secret) : undefined
}
