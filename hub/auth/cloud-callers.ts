// The users of the cloud that act on this hub. A hub knows them by the assertions of the cloud alone, in memory; what
// they may do is limited by the role that the hub's Admin has given to the cloud.
import { randomBytes } from 'node:crypto'
import {
  ALL_PERMISSIONS,
  GROUP_ADMIN,
  GROUP_CUSTOM,
  GROUP_USER,
  GROUP_VIEWER
} from '../../contract/access/permissions.ts'
import type { AssertedUser, Assertion } from '../../contract/cloud/relay.ts'
import { ROLLOUT_APPROVAL_HOURS } from '../../contract/cloud/rollout.ts'
import type { CloudSettings } from '../../contract/cloud-registration.ts'
import { startUpdate } from '../../contract/update.ts'
import { hashSecret } from '../../web-server/credentials.ts'
import type { Users } from '../store/users.ts'
import type { Caller } from './caller.ts'

type CloudRole = CloudSettings['role']

/** The built-in group whose permissions a role has. */
const GROUP_OF_ROLE: Readonly<Record<CloudRole, number>> = {
  view: GROUP_VIEWER,
  operate: GROUP_USER,
  administer: GROUP_ADMIN
}

/** ID of all users of the cloud: no user of the hub has it, and no mask names it. */
export const CLOUD_USER_ID = 0

/** Milliseconds without a request after which a session that has no connection ends. */
const IDLE_MAX = 600_000
/** Sessions at a time. The one unused for the longest time makes room. */
const SESSIONS_MAX = 1000

interface CloudSession {
  /** Value of the session cookie, which never leaves the hub. */
  secret: string
  /** Name of the session in the cloud. */
  name: string
  user: AssertedUser
  address: string
  /** On the clock of the hub, in milliseconds since the epoch. */
  authenticatedAt: number
  /** Milliseconds of a clock that never jumps. */
  usedAt: number
  /** Open requests and connections. */
  connections: number
}

interface CloudCallersOptions {
  users: Pick<Users, 'group'>
  role: () => CloudRole
  /** Milliseconds since the epoch: the clock of the sessions. */
  now: () => number
  monotonic?: () => number
}

export class CloudCallers {
  readonly #options: Required<CloudCallersOptions>
  /** By the hash of the secret, those used last at the end. */
  readonly #sessions = new Map<string, CloudSession>()
  readonly #hashes = new Map<string, string>()

  constructor(options: CloudCallersOptions) {
    this.#options = { monotonic: () => performance.now(), ...options }
  }

  /**
   * Opens or continues the session of an assertion.
   * @returns the session cookie under which the gate knows it, and a function to call once the request has ended
   */
  open(assertion: Assertion): { secret: string; release(): void } {
    const { session: name, user, address } = assertion
    const age = isApproved(assertion) ? 0 : assertion['authenticated-s']
    this.#removeIdle()
    const known = this.#hashes.get(name)
    const before = known === undefined ? undefined : this.#sessions.get(known)
    const secret = before?.secret ?? randomBytes(32).toString('base64url')
    const hash = hashSecret(secret)
    const { now, monotonic } = this.#options
    const session: CloudSession = before ?? {
      secret,
      name,
      user,
      address,
      authenticatedAt: 0,
      usedAt: 0,
      connections: 0
    }
    Object.assign(session, { user, address, authenticatedAt: now() - age * 1000, usedAt: monotonic() })
    session.connections++
    this.#sessions.delete(hash)
    this.#sessions.set(hash, session)
    this.#hashes.set(name, hash)
    return {
      secret,
      release: () => {
        session.connections--
        session.usedAt = monotonic()
      }
    }
  }

  /** The caller of a session; undefined if it has ended. */
  find(hash: string): Caller | undefined {
    const session = this.#sessions.get(hash)
    if (!session || this.#isIdle(session)) return undefined
    const { user, address, authenticatedAt } = session
    return this.#callerAs(user, { session: hash, address, authenticatedAt })
  }

  /**
   * A caller who sees what every user of the cloud with all permissions sees, as far as the role of the cloud allows:
   * nothing that only administrators see.
   */
  viewer(): Caller | undefined {
    const user = { name: 'cloud', organisation: '', permission: ALL_PERMISSIONS, type: GROUP_CUSTOM }
    return this.#callerAs(user, { session: '', address: '', authenticatedAt: 0 })
  }

  #callerAs(user: AssertedUser, session: Pick<Caller, 'session' | 'address' | 'authenticatedAt'>): Caller | undefined {
    const group = this.#options.users.group(GROUP_OF_ROLE[this.#options.role()])
    if (!group) return undefined
    const isAdmin = user.type === GROUP_ADMIN
    // Who is no administrator of the cloud is none here.
    const isLess = group.type === GROUP_ADMIN && !isAdmin
    return {
      user: {
        name: `${user.name}@${user.organisation}`,
        id: CLOUD_USER_ID,
        'group-name': group.name,
        permission: isAdmin ? group.permission : (group.permission & user.permission) >>> 0,
        type: isLess ? GROUP_CUSTOM : group.type
      },
      groupId: isLess ? GROUP_USER : group.id,
      ...session,
      isGuest: false,
      byToken: user.scopes !== undefined,
      byCloud: true,
      scopes: user.scopes,
      defaultPassword: false,
      mustChangePassword: false,
      mustEnroll: false,
      display: undefined,
      isRestricted: false
    }
  }

  /** Ends one session, or all. @param name of the session in the cloud */
  end(name?: string): void {
    for (const [hash, session] of this.#sessions)
      if (name === undefined || session.name === name) this.#remove(hash, session)
  }

  #isIdle({ connections, usedAt }: CloudSession): boolean {
    return connections === 0 && this.#options.monotonic() - usedAt > IDLE_MAX
  }

  #removeIdle(): void {
    for (const [hash, session] of this.#sessions) {
      if (!this.#isIdle(session) && this.#sessions.size < SESSIONS_MAX) break
      this.#remove(hash, session)
    }
  }

  #remove(hash: string, { name }: CloudSession): void {
    this.#sessions.delete(hash)
    this.#hashes.delete(name)
  }
}

/**
 * Whether the request is one for which the user has proved the password in advance: an update of this hub in a rollout.
 */
const isApproved = ({ method, target, 'approved-s': age }: Assertion): boolean =>
  age !== undefined &&
  age <= ROLLOUT_APPROVAL_HOURS * 3600 &&
  `${method} ${target}` === `${startUpdate.method} /api${startUpdate.path}`
