// Authenticates callers and checks their permissions. The declaration of a call defines who may make it.
import { randomBytes } from 'node:crypto'
import { scopesOfToken, type TokenRow } from '../../accounts/access-tokens.ts'
import { lacksSecondFactor } from '../../accounts/restrictions.ts'
import {
  isExpired,
  mustReauthenticate,
  SESSIONS_MAX,
  type SessionLimits,
  sessionLimits,
  USE_INTERVAL
} from '../../accounts/session-times.ts'
import { isTokenPermitted } from '../../accounts/token-access.ts'
import { DISPLAY_PERMISSIONS } from '../../contract/access/display.ts'
import { GROUP_ADMIN, GUEST_PERMISSIONS, isPermitted } from '../../contract/access/permissions.ts'
import { BACKGROUND_HEADER, type LoginUser } from '../../contract/access/session.ts'
import { NEVER_EXPIRES, permissionsOfScopes } from '../../contract/access/token.ts'
import type { Call } from '../../contract/call.ts'
import { NOT_LOGGED_IN, NOT_PERMITTED, REAUTHENTICATION_REQUIRED, SUCCESS } from '../../contract/codes.ts'
import { hashSecret, type RequestHeaders, readBearerToken, readSessionSecrets } from '../../web-server/credentials.ts'
import { isLocalRequest, isLoopback } from '../../web-server/host-header.ts'
import type { VisibleChannels } from '../store/channel-visibility.ts'
import type { DeviceRow } from '../store/devices.ts'
import type { VisibleSources } from '../store/source-access.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'
import type { Caller } from './caller.ts'
import { NOT_BY_CLOUD } from './cloud-access.ts'
import type { CloudCallers } from './cloud-callers.ts'
import { isPermittedWhileRestricted } from './restrictions.ts'
import {
  catalogsVisibleTo,
  channelsVisibleTo,
  devicesVisibleTo,
  sourcesVisibleTo,
  visibleChannels,
  visibleSources
} from './visibility.ts'

export type { Caller } from './caller.ts'

/** Session cookies checked per request. */
const COOKIES_MAX = 8

/** Prefix of session keys of access tokens. Hashes do not contain a colon. */
const TOKEN_PREFIX = 'token:'

/** Whether a user sees only what names the user: a guest outside of the Admin group. */
export const isGuest = ({ guest, type }: Pick<UserRow, 'guest' | 'type'>): boolean =>
  guest === 1 && type !== GROUP_ADMIN

export function toLoginUser({ name, nick, id, type, ...row }: UserRow): LoginUser {
  const permission = isGuest({ ...row, type }) ? (row.permission & GUEST_PERMISSIONS) >>> 0 : row.permission
  return { name, ...(nick && { nick }), id, 'group-name': row.group_name, permission, type }
}

function newSecret(): { secret: string; hash: string } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashSecret(secret) }
}

export class Gate {
  readonly #store: Store
  readonly #now: () => number
  readonly #cloudCallers: Pick<CloudCallers, 'find'> | undefined

  /** @param cloudCallers undefined: there are no callers from a cloud */
  constructor(store: Store, now: () => number = Date.now, cloudCallers?: Pick<CloudCallers, 'find'>) {
    this.#store = store
    this.#now = now
    this.#cloudCallers = cloudCallers
  }

  /**
   * The caller of a request; undefined without a valid session or token. An `Authorization: Bearer` header takes
   * precedence over cookies, even if its token is invalid; other schemes are ignored. Extends the session, unless the
   * console marks the request as one that it makes by itself.
   */
  caller(headers: RequestHeaders, address: string): Caller | undefined {
    const caller = this.#findCaller(headers, address)
    // A page of another site that resolves its name to this machine (DNS rebinding) has its own name in the Host
    // header.
    if (!caller?.defaultPassword || isLocalRequest(address, headers.get('host'))) return caller
    return { ...caller, mustChangePassword: true, isRestricted: true }
  }

  #findCaller(headers: RequestHeaders, address: string): Caller | undefined {
    const token = readBearerToken(headers.get('authorization'))
    if (token !== undefined)
      return token ? this.#callerByToken(this.#store.tokens.byHash(hashSecret(token)), address) : undefined
    // A page at another port of this host can set a cookie of this name for some paths, which then precedes ours, but
    // not a valid one.
    for (const secret of readSessionSecrets(headers.get('cookie')).slice(0, COOKIES_MAX)) {
      const caller = this.#callerByHash(hashSecret(secret), address, headers.get(BACKGROUND_HEADER) === null)
      if (caller) return caller
    }
    return undefined
  }

  /** The caller of a session key; undefined if the session or token has ended. Does not extend the session. */
  callerOfSession(key: string): Caller | undefined {
    if (!key.startsWith(TOKEN_PREFIX)) return this.#callerByHash(key)
    return this.#callerByToken(this.#store.tokens.byId(Number(key.slice(TOKEN_PREFIX.length))))
  }

  /** @returns a result code: 0, 31 (not permitted), 37 (not signed in) or 1100 (the password has to be proved again) */
  checkPermission(call: Call, caller: Caller | undefined): number {
    if (call.access === 'public') return SUCCESS
    if (!caller) return NOT_LOGGED_IN
    if (caller.isRestricted && !isPermittedWhileRestricted(call, caller)) return NOT_PERMITTED
    if (caller.scopes && !isTokenPermitted(call, caller.scopes)) return NOT_PERMITTED
    if (caller.byCloud && NOT_BY_CLOUD.includes(call)) return NOT_PERMITTED
    if (!isPermitted(call.access, caller.user)) return NOT_PERMITTED
    return call.reauthenticate && this.mustReauthenticate(caller) ? REAUTHENTICATION_REQUIRED : SUCCESS
  }

  /** Whether the caller has to prove the password again before calls that require it. */
  mustReauthenticate({ authenticatedAt }: Caller): boolean {
    return mustReauthenticate(authenticatedAt, this.#now())
  }

  /** Records that a session has proved the password. */
  recordAuthentication(session: string): void {
    this.#store.users.recordAuthentication(session, this.#now())
  }

  /** Whether the caller is a member of the Admin group with a session: what a call with the access `admin` requires. */
  isAdmin({ user, byToken, display }: Caller): boolean {
    return user.type === GROUP_ADMIN && !byToken && display === undefined
  }

  /**
   * Whether the caller may read `GET /metrics`: the Admin group, because metrics include channels hidden from others; a
   * token needs its scope.
   */
  mayReadMetrics({ user, scopes, isRestricted }: Caller): boolean {
    return user.type === GROUP_ADMIN && !isRestricted && (!scopes || scopes.includes('metrics'))
  }

  /**
   * Whether the caller may see a device. The masks of the device decide, else those of its group and the groups above,
   * else the global default. For pending and rejected devices the global default decides.
   */
  canSeeDevice(caller: Caller, device: DeviceRow): boolean {
    return this.devicesVisibleTo(caller)(device)
  }

  /** `canSeeDevice` for many devices at once. */
  devicesVisibleTo(caller: Caller): (device: DeviceRow) => boolean {
    return devicesVisibleTo(this.#store, caller)
  }

  /** Whether the caller may see a device group, by ID; 0 stands for devices without a group. */
  catalogsVisibleTo(caller: Caller): (id: number) => boolean {
    return catalogsVisibleTo(this.#store, caller)
  }

  /**
   * Serial numbers of the devices that the caller may see; undefined = all, including deleted ones, for the Admin
   * group. Other users see nothing of deleted devices, because their visibility is no longer known.
   */
  visibleSerials(caller: Caller): ReadonlySet<string> | undefined {
    if (caller.user.type === GROUP_ADMIN) return undefined
    const visible = this.#store.devices.all().filter(this.devicesVisibleTo(caller))
    return new Set(visible.map(({ sn }) => sn))
  }

  /**
   * Whether the caller may see a channel, by ID. Its own masks decide, else the global default of channels. An ID that
   * no channel has follows the default; a deleted channel keeps its visibility.
   */
  canSeeChannel(caller: Caller, id: number): boolean {
    return this.channelsVisibleTo(caller)(id)
  }

  /** `canSeeChannel` for many channels at once. */
  channelsVisibleTo(caller: Caller): (id: number) => boolean {
    return channelsVisibleTo(this.#store, caller)
  }

  /** The same as a condition for SQL; undefined = all, for the Admin group. */
  visibleChannels(caller: Caller): VisibleChannels | undefined {
    return visibleChannels(this.#store, caller)
  }

  /** Whether the caller may see an input or output, by node ID: it follows the access of its channels. */
  sourcesVisibleTo(caller: Caller): (id: number) => boolean {
    return sourcesVisibleTo(this.#store, caller)
  }

  /** The same as a condition for SQL; undefined = all, for the Admin group. */
  visibleSources(caller: Caller): VisibleSources | undefined {
    return visibleSources(this.#store, caller)
  }

  /** Sessions that were opened or last used before these times are expired. */
  sessionLimits(): SessionLimits {
    const { settings } = this.#store
    return sessionLimits(settings.get('expired-time'), settings.get('admin-session'), this.#now())
  }

  /**
   * Creates a session. If the user has too many, the one unused for the longest time ends.
   * @param agent User-Agent header of the browser
   * @returns the session cookie's value, and the hash under which it is stored
   */
  openSession(userId: number, address: string, agent = ''): { secret: string; hash: string } {
    const { users } = this.#store
    // Removes sessions that expired because their users never signed out.
    users.removeExpiredSessions(this.sessionLimits())
    const { secret, hash } = newSecret()
    users.addSession(hash, userId, address, agent, this.#now())
    users.limitSessions(userId, SESSIONS_MAX)
    return { secret, hash }
  }

  /** Creates a session in memory, during a storage fault. It is stored when the fault ends. */
  openMemorySession(userId: number, address: string, agent = ''): { secret: string; hash: string } {
    const { secret, hash } = newSecret()
    const now = this.#now()
    const session = { hash, user_id: userId, address, agent, created: now, seen: now, authenticated: now, display: '' }
    this.#store.users.addMemorySession(session, SESSIONS_MAX)
    return { secret, hash }
  }

  /** Creates the session of a wall display, which has no end of its own. @param userId the display's creator */
  openDisplaySession(userId: number, name: string, address: string, agent = ''): { secret: string; hash: string } {
    const { secret, hash } = newSecret()
    this.#store.users.addSession(hash, userId, address, agent, this.#now(), name)
    return { secret, hash }
  }

  /** @param isUse whether the request extends the session */
  #callerByHash(hash: string, address?: string, isUse = false): Caller | undefined {
    const { users, changes } = this.#store
    // Reads the clock first: after a step of it the sessions are moved.
    const { createdSince, seenSince, adminCreatedSince = 0 } = this.sessionLimits()
    const row = users.session(hash)
    if (!row) return this.#cloudCallers?.find(hash)
    if (!row.display && (row.created < createdSince || row.seen < seenSince)) return undefined
    if (!row.display && row.created < adminCreatedSince && users.byId(row.user_id)?.type === GROUP_ADMIN)
      return undefined
    if (address !== undefined && isUse && this.#now() - row.seen > USE_INTERVAL) {
      users.recordSessionUse(hash, this.#now(), address)
      changes.markChanged('user')
    }
    return this.#toCaller(row.user_id, hash, address ?? row.address, {
      authenticatedAt: row.authenticated,
      display: row.display || undefined
    })
  }

  /** @param address records the use of the token if given */
  #callerByToken(row: TokenRow | undefined, address?: string): Caller | undefined {
    const { tokens, changes } = this.#store
    if (!row || (row.expires !== NEVER_EXPIRES && this.#now() >= row.expires)) return undefined
    if (address !== undefined && this.#now() - row.used > USE_INTERVAL) {
      tokens.recordUse(row.id, this.#now(), address)
      changes.markChanged('user')
    }
    const scopes = scopesOfToken(row)
    const caller = this.#toCaller(row.user_id, `${TOKEN_PREFIX}${row.id}`, address ?? row.used_address, { scopes })
    return caller && { ...caller, tokenName: row.name || `${row.begin}…` }
  }

  #toCaller(
    userId: number,
    session: string,
    address: string,
    { authenticatedAt = 0, scopes, display }: Partial<Pick<Caller, 'authenticatedAt' | 'scopes' | 'display'>>
  ): Caller | undefined {
    const row = this.#store.users.byId(userId)
    if (!row || isExpired(row, this.#now())) return undefined
    const user = toLoginUser(row)
    if (scopes) user.permission = (user.permission & permissionsOfScopes(scopes)) >>> 0
    if (display !== undefined) user.permission = (user.permission & DISPLAY_PERMISSIONS) >>> 0
    const defaultPassword = row.is_default_password === 1
    const mustChangePassword = defaultPassword && !isLoopback(address)
    const mustEnroll = scopes === undefined && display === undefined && lacksSecondFactor(row)
    return {
      user,
      groupId: row.group_id,
      isGuest: isGuest(row),
      session,
      byToken: scopes !== undefined,
      scopes,
      authenticatedAt,
      address,
      defaultPassword,
      mustChangePassword,
      mustEnroll,
      display,
      isRestricted: mustChangePassword || mustEnroll || display !== undefined
    }
  }
}
