// Sessions of users of organisations.
import { randomBytes } from 'node:crypto'
import type { CloudUser } from '../../contract/cloud/calls.ts'
import { ORGANISATION_NAME } from '../../contract/cloud/link.ts'
import { SESSION_DAYS_MAX, SESSION_EXPIRY } from '../../contract/limits.ts'
import { hashSecret } from '../../web-server/credentials.ts'
import type { Scope } from '../store/scope.ts'

/** Milliseconds without a request after which a session ends, and for which it lives at most. */
const IDLE_MAX = SESSION_EXPIRY * 60_000
const LIFETIME = SESSION_DAYS_MAX * 86_400_000
/** Milliseconds between writes of the last use. */
const USE_INTERVAL = 30_000
/** Sessions of a user: a program that signs in for each call must not fill the disk. */
export const SESSIONS_MAX = 100

/** A signed-in user. */
export interface Caller {
  user: CloudUser
  userId: number
  /** Hash of the session. */
  session: string
  defaultPassword: boolean
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

/** The user with a name or an id, and the group; undefined if there is none. */
async function readUser(scope: Scope, column: 'id' | 'name', value: number | string) {
  const row = await scope.select('users').selectAll().where(column, '=', value).executeTakeFirst()
  const group = row && (await scope.select('user_groups').selectAll().where('id', '=', row.group_id).executeTakeFirst())
  if (!row || !group) return undefined
  const user: CloudUser = {
    organisation: scope.organisation,
    name: row.name,
    'group-name': group.name,
    permission: group.permission,
    type: group.type
  }
  return { row, user }
}

export const readUserByName = (scope: Scope, name: string) => readUser(scope, 'name', name)

/** @returns the value of the session cookie */
export async function openSession(scope: Scope, userId: number, now: number): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const own = () => scope.select('sessions').where('user_id', '=', userId)
  await scope
    .delete('sessions')
    .where('user_id', '=', userId)
    .where((where) => where.or([where('last_used', '<', now - IDLE_MAX), where('created', '<', now - LIFETIME)]))
    .execute()
  const surplus = await own()
    .select('hash')
    .orderBy('last_used', 'desc')
    .offset(SESSIONS_MAX - 1)
    .limit(1000)
    .execute()
  for (const { hash } of surplus) await scope.delete('sessions').where('hash', '=', hash).execute()
  await scope.insert('sessions', { hash: hashSecret(secret), user_id: userId, created: now, last_used: now }).execute()
  return `${scope.organisation}.${secret}`
}

/** The caller of a session, which this extends; undefined if it has ended. */
export async function readCaller(scope: Scope, hash: string, now: number): Promise<Caller | undefined> {
  const session = await scope.select('sessions').selectAll().where('hash', '=', hash).executeTakeFirst()
  if (!session || now - session.last_used > IDLE_MAX || now - session.created > LIFETIME) return undefined
  const found = await readUser(scope, 'id', session.user_id)
  if (!found) return undefined
  if (now - session.last_used > USE_INTERVAL)
    await scope.update('sessions').set({ last_used: now }).where('hash', '=', hash).execute()
  const { row, user } = found
  return { user, userId: row.id, session: hash, defaultPassword: row.default_password === 1 }
}
