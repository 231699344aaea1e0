// Who is calling, and may they: the one place that decides. It reads the declaration of the call, never a list of its own.
import { createHash, randomBytes } from 'node:crypto'
import type { Call } from '../contract/call.ts'
import { NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../contract/codes.ts'
import { REGISTRATION } from '../contract/device.ts'
import { SESSION_NEVER } from '../contract/limits.ts'
import { GROUP_ADMIN, holds, permits } from '../contract/permissions.ts'
import { changePassword, type LoginUser, logout, logoutByGet, whoAmI } from '../contract/session.ts'
import type { DeviceRow } from './store/devices.ts'
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

/** Visibility of an object (reference 3.12). Admins see everything. */
interface Masks {
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
  /** The user behind a stored session, if it is still good. Slides nothing. */
  session(hash: string): Caller | undefined
  /** 0 when `caller` may make `call`, else 37 or 31. */
  check(call: Call, caller: Caller | undefined): number
  /** Whether the caller may see a device: by its own masks, or by the global default, which pending and rejected ones always use. */
  seesDevice(caller: Caller, device: DeviceRow): boolean
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

  function sees(caller: Caller, masks: Masks): boolean {
    if (caller.user.type === GROUP_ADMIN) return true
    return holds(masks['group-mask'], caller.groupId) || holds(masks['usr-mask'], caller.user.id)
  }

  /** The caller of a session that has not expired. */
  function session(hash: string, address?: string): Caller | undefined {
    const row = users.session(hash)
    if (!row) return undefined
    const minutes = settings.get('expired-time')
    if (minutes !== SESSION_NEVER && now() - row.seen > minutes * 60_000) return undefined
    const user = users.byId(row.user_id)
    if (!user) return undefined
    if (address !== undefined && now() - row.seen > TOUCH_EVERY) users.touchSession(hash, now())
    const defaultPassword = user.is_default_password === 1
    return {
      user: userOf(user),
      groupId: user.group_id,
      session: hash,
      address: address ?? row.address,
      defaultPassword,
      mustChangePassword: defaultPassword && !isLoopback(address ?? row.address)
    }
  }

  return {
    caller(cookie, address) {
      const secret = cookieValue(cookie, SESSION_COOKIE)
      return secret ? session(hashOf(secret), address) : undefined
    },
    session: (hash) => session(hash),
    check(call, caller) {
      if (call.who === 'public') return SUCCESS
      if (!caller) return NOT_LOGGED_IN
      if (caller.mustChangePassword && !ALWAYS.includes(call)) return NOT_PERMITTED
      return permits(call.who, caller.user) ? SUCCESS : NOT_PERMITTED
    },
    seesDevice(caller, device) {
      const own = device.reg_state === REGISTRATION.accepted && device.is_inherit === 0
      return sees(
        caller,
        own ? { 'group-mask': device.group_mask, 'usr-mask': device.usr_mask } : settings.get('device-security')
      )
    },
    open(userId, address) {
      // Whoever is gone without a word has left a session behind.
      const minutes = settings.get('expired-time')
      if (minutes !== SESSION_NEVER) users.forgetSessions(now() - minutes * 60_000)
      const secret = randomBytes(32).toString('base64url')
      const hash = hashOf(secret)
      users.addSession(hash, userId, address, now())
      return { secret, hash }
    }
  }
}
