// Who is calling, and may they: the one place that decides. It reads the declaration of the call, never a list of its own.
import { createHash, randomBytes } from 'node:crypto'
import type { Call } from '../contract/call.ts'
import { NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../contract/codes.ts'
import { SESSION_NEVER } from '../contract/limits.ts'
import { GROUP_ADMIN, holds, permits } from '../contract/permissions.ts'
import { changePassword, type LoginUser, logout, logoutByGet, whoAmI } from '../contract/session.ts'
import type { Store } from './store/store.ts'
import type { UserRow } from './store/users.ts'

export const SESSION_COOKIE = 'mwcloud-sid'
export const NAME_COOKIE = 'mwcloud-uid'

/** A signed-in caller. */
export interface Caller {
  user: LoginUser
  groupId: number
  /** Hash under which the session is stored. */
  session: string
  address: string
  /** The first password still stands. */
  defaultPassword: boolean
  /** … and the call comes from another machine: nothing but changing it is allowed (design 3). */
  mustChangePassword: boolean
}

/** Visibility of an object (reference 3.12), its own or the one it inherits. */
export interface Masks {
  'group-mask': number
  'usr-mask': number
}

/** Calls that a session with the first password may make from another machine. */
const ALWAYS: readonly Call[] = [logout, logoutByGet, whoAmI, changePassword as Call]

/** Milliseconds between writes of a session's last use: sliding need not be exact, and each write is an fsync. */
const TOUCH_EVERY = 30_000

export function userOf(row: UserRow): LoginUser {
  return { name: row.name, id: row.id, 'group-name': row.group_name, permission: row.permission, type: row.type }
}

/** Whether an address is this machine. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

export interface Gate {
  /** The caller of a request, or undefined when nobody is signed in. Slides the session's expiry. */
  caller(cookie: string | null, address: string): Caller | undefined
  /** 0 when `caller` may make `call`, else 37 or 31. */
  check(call: Call, caller: Caller | undefined): number
  /** Whether the caller may see an object with these masks. Admins see everything. */
  sees(caller: Caller, masks: Masks): boolean
  /** Makes a session. @returns its secret, which is kept as a hash only */
  open(userId: number, address: string): { secret: string; hash: string }
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The value of a cookie in a Cookie header. */
export function cookieValue(header: string | null, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

export function createGate(store: Store, now: () => number = Date.now): Gate {
  const { users, settings } = store
  return {
    caller(cookie, address) {
      const secret = cookieValue(cookie, SESSION_COOKIE)
      if (!secret) return undefined
      const session = users.session(hashOf(secret))
      if (!session) return undefined
      const minutes = settings.get('expired-time')
      if (minutes !== SESSION_NEVER && now() - session.seen > minutes * 60_000) {
        users.endSession(session.hash)
        return undefined
      }
      if (now() - session.seen > TOUCH_EVERY) users.touchSession(session.hash, now())
      const row = users.byId(session.user_id)
      if (!row) return undefined
      const defaultPassword = row.is_default_password === 1
      return {
        user: userOf(row),
        groupId: row.group_id,
        session: session.hash,
        address,
        defaultPassword,
        mustChangePassword: defaultPassword && !isLoopback(address)
      }
    },
    check(call, caller) {
      if (call.who === 'public') return SUCCESS
      if (!caller) return NOT_LOGGED_IN
      if (caller.mustChangePassword && !ALWAYS.includes(call)) return NOT_PERMITTED
      return permits(call.who, caller.user) ? SUCCESS : NOT_PERMITTED
    },
    sees: (caller, masks) =>
      caller.user.type === GROUP_ADMIN ||
      holds(masks['group-mask'], caller.groupId) ||
      holds(masks['usr-mask'], caller.user.id),
    open(userId, address) {
      const secret = randomBytes(32).toString('base64url')
      const hash = hashOf(secret)
      users.addSession(hash, userId, address, now())
      return { secret, hash }
    }
  }
}
