// Who is calling, and may they: the one place that decides. It reads the declaration of the call, never a list of its own.
import { createHash, randomBytes } from 'node:crypto'
import type { Call } from '../../contract/call.ts'
import { NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../contract/codes.ts'
import { REGISTRATION, type Visibility } from '../../contract/device/device.ts'
import { SESSION_NEVER } from '../../contract/limits.ts'
import { GROUP_ADMIN, holds, permits } from '../../contract/permissions.ts'
import { changePassword, type LoginUser, logout, logoutByGet, whoAmI } from '../../contract/session.ts'
import { addToken, deleteTokens, listTokens, UNLIMITED } from '../../contract/token.ts'
import { endSessions } from '../../contract/user.ts'
import type { DeviceRow } from '../store/devices.ts'
import type { Store } from '../store/store.ts'
import type { TokenRow } from '../store/tokens.ts'
import type { UserRow } from '../store/users.ts'

export const SESSION_COOKIE = 'mwcloud-sid'
export const NAME_COOKIE = 'mwcloud-uid'

/** A signed-in caller. */
export interface Caller {
  user: LoginUser
  groupId: number
  /** What the call came with: the hash under which the session is stored, or `token:<id>`. Sockets and previews are kept under it. */
  session: string
  /** It came with an access token. */
  byToken: boolean
  address: string
  /** The first password still stands. */
  defaultPassword: boolean
  /** … and the call comes from another machine: nothing but changing it is allowed (design 3). */
  mustChangePassword: boolean
}

/** Calls that a session with the first password may make from another machine. */
const ALWAYS: readonly Call[] = [logout, logoutByGet, whoAmI, changePassword as Call]

/**
 * Calls that no access token makes: a token may do what its owner may now, but who may sign in, how and for how long is decided by
 * somebody who is there. Otherwise a token that fell into wrong hands could make another one, and outlive its end. Users are not
 * among them: to add them is what automation is for, and whoever holds a token of an administrator is one until it is revoked.
 */
const NOT_BY_TOKEN: readonly Call[] = [
  logout,
  logoutByGet,
  changePassword as Call,
  endSessions as Call,
  listTokens as Call,
  addToken as Call,
  deleteTokens as Call
]

/** Milliseconds between writes of the last use of a session or token: it need not be exact, and each write is an fsync. */
const TOUCH_EVERY = 30_000

/** Sessions of one user: a program that signs in for each call it makes, and never out, must not fill the disk. */
export const SESSIONS_MAX = 100

/** Session cookies of one request that are looked at. */
const SESSIONS_TRIED = 8

/** What a token's key begins with. No hash does. */
const TOKEN = 'token:'

export function userOf(row: UserRow): LoginUser {
  return { name: row.name, id: row.id, 'group-name': row.group_name, permission: row.permission, type: row.type }
}

/** Whether an address is this machine. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

export interface Gate {
  /**
   * The caller of a request with these headers, or undefined when nobody is signed in. With `Authorization: Bearer` the cookies do
   * not count, be the token good or not; other schemes are none of ours. Slides the session's expiry.
   */
  caller(headers: RequestHeaders, address: string): Caller | undefined
  /** The user behind `Caller.session`, if it is still good. Slides nothing. */
  session(key: string): Caller | undefined
  /** 0 when `caller` may make `call`, else 37 or 31. */
  check(call: Call, caller: Caller | undefined): number
  /**
   * Whether the caller may see a device: by its own masks, else by those of its group, of the groups around that, or by the global
   * default, which pending and rejected ones always use.
   */
  seesDevice(caller: Caller, device: DeviceRow): boolean
  /** The same for many devices at once. */
  sightOf(caller: Caller): (device: DeviceRow) => boolean
  /** The same for device groups, by id; 0 is what has none. */
  catalogsSeenBy(caller: Caller): (id: number) => boolean
  /**
   * Serials of the devices that the caller may see; undefined = all there are and ever were, for the Admin group. Of a device that
   * was deleted nobody else can be told any more: who saw it is not known.
   */
  visibleSerials(caller: Caller): ReadonlySet<string> | undefined
  /** Milliseconds since the epoch: sessions not used since then are over. */
  goodSince(): number
  /**
   * Makes a session. Of too many of one user the one that was not used for the longest time ends.
   * @param agent what the browser calls itself
   * @returns its secret, which is kept as a hash only
   */
  open(userId: number, address: string, agent?: string): { secret: string; hash: string }
}

/** Headers of a request, as `fetch` has them. */
export interface RequestHeaders {
  get(name: string): string | null
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The value of a cookie in a Cookie header. */
export function cookieValue(header: string | null, name: string): string | undefined {
  return cookieValues(header, name)[0]
}

/** The same where there are several of a name. */
function cookieValues(header: string | null, name: string): string[] {
  return (header?.split(';') ?? []).flatMap((part) => {
    const at = part.indexOf('=')
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : []
  })
}

/** The token of an Authorization header: empty where it is no token of ours, undefined where nobody is named that way. */
export function bearerOf(header: string | null): string | undefined {
  if (!/^bearer(\s|$)/i.test(header ?? '')) return undefined
  return /^bearer +([A-Za-z0-9]{64})$/i.exec(header ?? '')?.[1] ?? ''
}

export function createGate(store: Store, now: () => number = Date.now): Gate {
  const { users, tokens, settings } = store

  function sees(caller: Caller, masks: Visibility): boolean {
    return holds(masks['group-mask'], caller.groupId) || holds(masks['usr-mask'], caller.user.id)
  }

  /** Whether the caller sees what has these masks; what inherits is seen as `above` is. */
  function seesRow(caller: Caller, row: Pick<DeviceRow, 'is_inherit' | 'group_mask' | 'usr_mask'>, above: boolean) {
    return row.is_inherit === 0 ? sees(caller, { 'group-mask': row.group_mask, 'usr-mask': row.usr_mask }) : above
  }

  function catalogsSeenBy(caller: Caller): (id: number) => boolean {
    if (caller.user.type === GROUP_ADMIN) return () => true
    const globally = sees(caller, settings.get('device-security'))
    const rows = new Map(store.catalogs.all().map((row) => [row.id, row]))
    const seen = (id: number): boolean => {
      const row = rows.get(id)
      return row ? seesRow(caller, row, row.is_inherit !== 0 && seen(row.parent_id)) : globally
    }
    return seen
  }

  function sightOf(caller: Caller): (device: DeviceRow) => boolean {
    if (caller.user.type === GROUP_ADMIN) return () => true
    const seen = catalogsSeenBy(caller)
    const inCatalog = new Map<number, boolean>()
    const above = (id: number) => {
      const known = inCatalog.get(id) ?? seen(id)
      inCatalog.set(id, known)
      return known
    }
    // The group and the masks that a pending or rejected device was given count from its acceptance on.
    return (device) =>
      device.reg_state === REGISTRATION.accepted ? seesRow(caller, device, above(device.catalog_id)) : above(0)
  }

  function callerOf(userId: number, session: string, address: string, byToken: boolean): Caller | undefined {
    const user = users.byId(userId)
    if (!user) return undefined
    const defaultPassword = user.is_default_password === 1
    const mustChangePassword = defaultPassword && !isLoopback(address)
    return {
      user: userOf(user),
      groupId: user.group_id,
      session,
      byToken,
      address,
      defaultPassword,
      mustChangePassword
    }
  }

  function goodSince(): number {
    const minutes = settings.get('expired-time')
    return minutes === SESSION_NEVER ? 0 : now() - minutes * 60_000
  }

  /** The caller of a session that has not expired. With an address it is used, and not only looked at. */
  function bySession(hash: string, address?: string): Caller | undefined {
    const row = users.session(hash)
    if (!row || row.seen < goodSince()) return undefined
    if (address !== undefined && now() - row.seen > TOUCH_EVERY) {
      users.touchSession(hash, now(), address)
      store.changes.bump('user')
    }
    return callerOf(row.user_id, hash, address ?? row.address, false)
  }

  /** The same for a token. */
  function byToken(row: TokenRow | undefined, address?: string): Caller | undefined {
    if (!row || (row.expires !== UNLIMITED && now() >= row.expires)) return undefined
    if (address !== undefined && now() - row.used > TOUCH_EVERY) {
      tokens.touch(row.id, now(), address)
      store.changes.bump('user')
    }
    return callerOf(row.user_id, `${TOKEN}${row.id}`, address ?? row.used_address, true)
  }

  return {
    caller(headers, address) {
      const bearer = bearerOf(headers.get('authorization'))
      if (bearer !== undefined) return bearer ? byToken(tokens.byHash(hashOf(bearer)), address) : undefined
      // A page at another port of this host can set a cookie of this name for some paths, which then stands before ours, but no good one.
      for (const secret of cookieValues(headers.get('cookie'), SESSION_COOKIE).slice(0, SESSIONS_TRIED)) {
        const caller = secret && bySession(hashOf(secret), address)
        if (caller) return caller
      }
      return undefined
    },
    session: (key) => (key.startsWith(TOKEN) ? byToken(tokens.byId(Number(key.slice(TOKEN.length)))) : bySession(key)),
    check(call, caller) {
      if (call.who === 'public') return SUCCESS
      if (!caller) return NOT_LOGGED_IN
      if (caller.mustChangePassword && !ALWAYS.includes(call)) return NOT_PERMITTED
      if (caller.byToken && NOT_BY_TOKEN.includes(call)) return NOT_PERMITTED
      return permits(call.who, caller.user) ? SUCCESS : NOT_PERMITTED
    },
    seesDevice: (caller, device) => sightOf(caller)(device),
    sightOf,
    catalogsSeenBy,
    visibleSerials(caller) {
      if (caller.user.type === GROUP_ADMIN) return undefined
      return new Set(
        store.devices
          .all()
          .filter(sightOf(caller))
          .map((row) => row.sn)
      )
    },
    goodSince,
    open(userId, address, agent = '') {
      // Whoever is gone without a word has left a session behind.
      users.forgetSessions(goodSince())
      const secret = randomBytes(32).toString('base64url')
      const hash = hashOf(secret)
      users.addSession(hash, userId, address, agent, now())
      users.limitSessions(userId, SESSIONS_MAX)
      return { secret, hash }
    }
  }
}
