// Sessions of users of organisations.
import { randomBytes, randomInt } from 'node:crypto'
import type { Selectable } from 'kysely'
import { scopesOfToken } from '../../accounts/access-tokens.ts'
import { lacksSecondFactor } from '../../accounts/restrictions.ts'
import {
  isExpired,
  SESSIONS_MAX,
  type SessionLimits,
  sessionLimits,
  USE_INTERVAL
} from '../../accounts/session-times.ts'
import { GROUP_ADMIN } from '../../contract/access/permissions.ts'
import { permissionsOfScopes, type TokenScope } from '../../contract/access/token.ts'
import type { CloudUser } from '../../contract/cloud/calls.ts'
import { ORGANISATION_NAME } from '../../contract/cloud/link.ts'
import { hashSecret } from '../../web-server/credentials.ts'
import type { Scope } from '../store/scope.ts'
import type { Tables } from '../store/tables.ts'
import { isGuest, readUser, toCloudUser, type UserRow } from './accounts.ts'
import { readSettings } from './settings.ts'

/** Ids of sessions are below this number. They are random, so that sign-ins do not wait for each other. */
const SESSION_IDS = 2 ** 47

/** A signed-in user. */
export interface Caller {
  user: CloudUser
  userId: number
  groupId: number
  /** Whether the caller sees only what names him. */
  isGuest: boolean
  /** Hash of the session, or `token:<id>`. */
  session: string
  /** Name of the access token, or its first characters if it has none; undefined with a session. */
  tokenName?: string
  /** Scopes of the token; undefined with a session, which has no scopes. */
  scopes?: readonly TokenScope[]
  /** Whether the user still has the default password. */
  defaultPassword: boolean
  /** The user's group demands a second factor that the user does not have. */
  mustEnroll: boolean
  /** When the session last proved the password, in milliseconds since the epoch. */
  authenticatedAt: number
}

type SessionRow = Selectable<Tables['sessions']>

/** A use of a session. */
interface Use {
  now: number
  address: string
  /** Whether the use extends the session. */
  extends: boolean
}

/** Which session a cookie names: `<organisation>.<secret>`. */
export interface SessionKey {
  organisation: string
  hash: string
}

export function readSessionKey(value: string): SessionKey | undefined {
  const [organisation = '', secret] = value.split('.')
  return ORGANISATION_NAME.test(organisation) && secret ? { organisation, hash: hashSecret(secret) } : undefined
}

/** The oldest times of valid sessions of the organisation. */
export async function readSessionLimits(scope: Scope, now: number): Promise<SessionLimits> {
  const { values } = await readSettings(scope)
  return sessionLimits(values['expired-time'], values['admin-session'], now)
}

/** Whether a session of a user is valid. */
export function isSessionValid(session: SessionRow, user: UserRow, limits: SessionLimits): boolean {
  const { createdSince, seenSince, adminCreatedSince = 0, now } = limits
  const since = user.type === GROUP_ADMIN ? Math.max(createdSince, adminCreatedSince) : createdSince
  return session.created >= since && session.last_used >= seenSince && !isExpired(user, now)
}

export async function endSession(scope: Scope, hash: string): Promise<void> {
  await scope.delete('sessions').where('hash', '=', hash).execute()
}

/** Ends all sessions of a user but one. */
export async function endOtherSessions(scope: Scope, userId: number, hash = ''): Promise<void> {
  await scope.delete('sessions').where('user_id', '=', userId).where('hash', '!=', hash).execute()
}

/** @returns the value of the session cookie */
export async function openSession(
  scope: Scope,
  userId: number,
  { now, address, agent }: { now: number; address: string; agent: string }
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const { createdSince, seenSince } = await readSessionLimits(scope, now)
  // Removes sessions that expired because the user never signed out.
  await scope
    .delete('sessions')
    .where('user_id', '=', userId)
    .where((where) => where.or([where('last_used', '<', seenSince), where('created', '<', createdSince)]))
    .execute()
  const surplus = await scope
    .select('sessions')
    .select('hash')
    .where('user_id', '=', userId)
    .orderBy('last_used', 'desc')
    .offset(SESSIONS_MAX - 1)
    .limit(1000)
    .execute()
  for (const { hash } of surplus) await endSession(scope, hash)
  const times = { created: now, last_used: now, authenticated: now }
  const row = { hash: hashSecret(secret), id: randomInt(1, SESSION_IDS), user_id: userId, address, agent, ...times }
  await scope.insert('sessions', row).execute()
  return `${scope.organisation}.${secret}`
}

/** The caller of a session; undefined if it has ended. */
export async function readCaller(scope: Scope, hash: string, use: Use): Promise<Caller | undefined> {
  const { now, address } = use
  const session = await scope.select('sessions').selectAll().where('hash', '=', hash).executeTakeFirst()
  const row = session && (await readUser(scope, 'id', session.user_id))
  if (!session || !row || !isSessionValid(session, row, await readSessionLimits(scope, now))) return undefined
  if (use.extends && now - session.last_used > USE_INTERVAL)
    await scope.update('sessions').set({ last_used: now, address }).where('hash', '=', hash).execute()
  return { ...callerOf(row, session.authenticated), session: hash, mustEnroll: lacksSecondFactor(row) }
}

const callerOf = (row: UserRow, authenticatedAt: number): Omit<Caller, 'session' | 'mustEnroll'> => ({
  user: toCloudUser(row),
  userId: row.id,
  groupId: row.group_id,
  isGuest: isGuest(row),
  defaultPassword: row.default_password === 1,
  authenticatedAt
})

/**
 * The caller that a user is without a session, for work that goes on after the user has signed out; undefined if the
 * user was deleted, the account has ended, or the user has to set up a second factor first.
 */
export async function readAbsentCaller(scope: Scope, userId: number, now: number): Promise<Caller | undefined> {
  const row = await readUser(scope, 'id', userId)
  if (!row || isExpired(row, now) || lacksSecondFactor(row)) return undefined
  return { ...callerOf(row, 0), session: '', mustEnroll: false }
}

/** The caller of an access token, with the permissions that its scopes include; undefined if it has ended. */
export async function readCallerByToken(
  scope: Scope,
  hash: string,
  { now, address }: Use
): Promise<Caller | undefined> {
  const token = await scope.select('tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
  const row = token && (await readUser(scope, 'id', token.user_id))
  if (!token || !row || isExpired(token, now) || isExpired(row, now)) return undefined
  if (now - token.used > USE_INTERVAL)
    await scope.update('tokens').set({ used: now, used_address: address }).where('id', '=', token.id).execute()
  const scopes = scopesOfToken(token)
  const caller = callerOf(row, 0)
  const permission = (caller.user.permission & permissionsOfScopes(scopes)) >>> 0
  return {
    ...caller,
    user: { ...caller.user, permission },
    ...{ scopes, session: `token:${token.id}`, tokenName: token.name || `${token.begin}…`, mustEnroll: false }
  }
}

export async function recordAuthentication(scope: Scope, hash: string, now: number): Promise<void> {
  await scope.update('sessions').set({ authenticated: now }).where('hash', '=', hash).execute()
}
