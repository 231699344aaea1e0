// Sign-in, sign-out, the current session, and passwords.
import { isCommonPassword } from '../../accounts/common-passwords.ts'
import type { LockOut } from '../../accounts/lock-out.ts'
import { type NewPasswordRules, validateNewPassword } from '../../accounts/new-password.ts'
import type { PasswordCheck } from '../../accounts/password-check.ts'
import { FIRST_PASSWORD_MD5, hashPassword } from '../../accounts/passwords.ts'
import { lacksSecondFactor } from '../../accounts/restrictions.ts'
import { isExpired, mustReauthenticate } from '../../accounts/session-times.ts'
import { requireManageable } from '../../accounts/user-management.ts'
import { isPermitted, USER_CONTROL } from '../../contract/access/permissions.ts'
import { setProfile } from '../../contract/access/profile.ts'
import { changePassword, checkPassword, logout, logoutByGet, reauthenticate } from '../../contract/access/session.ts'
import { getSession, login } from '../../contract/cloud/calls.ts'
import {
  ACCOUNT_EXPIRED,
  INVALID_ARG,
  MISMATCH,
  NOT_EXIST,
  NOT_PERMITTED,
  REAUTHENTICATION_REQUIRED,
  STATE_CHANGED
} from '../../contract/codes.ts'
import { SESSION_DAYS_MAX, SESSION_NEVER } from '../../contract/limits.ts'
import { LOG_UNKNOWN } from '../../contract/log.ts'
import { activeRules } from '../../contract/rules/password.ts'
import { CallError } from '../../web-server/call-error.ts'
import { readSessionSecrets } from '../../web-server/credentials.ts'
import { isLocalRequest } from '../../web-server/host-header.ts'
import { ENDLESS_COOKIE_DAYS, setSessionCookies } from '../../web-server/session-cookies.ts'
import { readUser, toCloudUser, type UserRow } from '../auth/accounts.ts'
import { countRecoveryCodes, type SecondFactors } from '../auth/second-factor.ts'
import { endOtherSessions, endSession, openSession, readSessionKey, recordAuthentication } from '../auth/sessions.ts'
import { readSettings } from '../auth/settings.ts'
import { type Context, type Handler, handle, handlePrepared, requireCaller } from '../http/handler.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'

export interface SignInParts {
  store: Store
  passwordCheck: PasswordCheck
  lockOut: LockOut
  secondFactors: SecondFactors
  now: () => number
}

/** Sessions of one browser that end when its user signs out. */
const SESSIONS_PRESENTED_MAX = 4

/** The name under which failed sign-ins are counted: users of two organisations may have one name. */
export const lockName = (organisation: string, name: string) => `${organisation}/${name}`

/** The password rules of the organisation. */
export async function readPasswordRules(scope: Scope): Promise<NewPasswordRules> {
  const { values, isSet } = await readSettings(scope)
  return { rules: activeRules(values['pwd-rule']), isSet: isSet('pwd-rule') }
}

/** What login and session say about password and second factor. Fields that do not apply are left out. */
async function accountFields(context: Context, scope: Scope, row: UserRow) {
  const { rules } = await readPasswordRules(scope)
  const isDefault = row.default_password === 1
  const mustChange = isDefault && !isLocalRequest(context.address, context.host)
  const since = row.second_factor_since
  return {
    ...(since > 0 && { 'second-factor': { since, 'recovery-codes': await countRecoveryCodes(scope, row.id) } }),
    ...(lacksSecondFactor(row) && { 'must-enroll': true }),
    ...(isDefault && { 'default-password': true }),
    ...(mustChange && { 'must-change-password': true }),
    ...(rules && { 'pwd-rule': rules })
  }
}

/** Checks the password of a user, with lock-out. @returns the user. @throws CallError */
export async function requirePassword(
  { store, passwordCheck }: SignInParts,
  context: Context,
  name: string,
  md5: string
) {
  const row = await store.within(context.organisation, (scope) => readUser(scope, 'name', name))
  context.userName = row?.name ?? ''
  context.detail = row?.name ?? LOG_UNKNOWN
  const checked = row && { password: row.password_hash }
  await passwordCheck.require(context.address, lockName(context.organisation, name), md5, checked)
  if (!row) throw new CallError(MISMATCH)
  return row
}

/** Checks password and second factor of a user. @returns the user. @throws CallError */
async function requireProof(
  parts: SignInParts,
  context: Context,
  name: string,
  { pass, code }: { pass: string; code?: string | undefined }
): Promise<UserRow> {
  const row = await requirePassword(parts, context, name, pass)
  const sender = { address: context.address, lockName: lockName(context.organisation, name) }
  await parts.secondFactors.require(sender, row, code)
  return row
}

/**
 * Reads a user again after the password was checked.
 * @throws CallError with `code` if the user was deleted or has another password now; the id may belong to another user
 */
async function requireSameUser(scope: Scope, checked: UserRow, code: number): Promise<UserRow> {
  const row = await readUser(scope, 'id', checked.id)
  if (row?.password_hash !== checked.password_hash || row.second_factor_since !== checked.second_factor_since)
    throw new CallError(code)
  return row
}

function handleLogin(parts: SignInParts): Handler {
  return handlePrepared(
    login,
    (context, request) => requireProof(parts, context, request.id, request),
    async (context, scope, { id }, checked) => {
      const { address, userAgent } = context
      const now = parts.now()
      const row = await requireSameUser(scope, checked, MISMATCH)
      parts.lockOut.recordSuccess(lockName(context.organisation, id), address)
      if (isExpired(row, now)) throw new CallError(ACCOUNT_EXPIRED)
      const secret = await openSession(scope, row.id, { now, address, agent: userAgent })
      await scope.update('users').set({ last_login: now }).where('id', '=', row.id).execute()
      const isEndless = (await readSettings(scope)).values['expired-time'] === SESSION_NEVER
      setSessionCookies(context, secret, row.name, isEndless ? ENDLESS_COOKIE_DAYS : SESSION_DAYS_MAX)
      const account = await accountFields(context, scope, row)
      return { token: secret, 'is-hardware': false, user: toCloudUser(row), ...account }
    }
  )
}

/** Proves the password of a session again. Guesses are limited like guesses at login. */
function handleReauthenticate(parts: SignInParts): Handler {
  return handlePrepared(
    reauthenticate,
    (context, request) => requireProof(parts, context, requireCaller(context).user.name, request),
    async (context, scope, _request, checked) => {
      const { name } = await requireSameUser(scope, checked, MISMATCH)
      parts.lockOut.recordSuccess(lockName(context.organisation, name), context.address)
      await recordAuthentication(scope, requireCaller(context).session, parts.now())
      return {}
    }
  )
}

/** The user whose password the caller changes. @throws CallError if the caller may not */
async function requireTarget(parts: SignInParts, context: Context, scope: Scope, name: string): Promise<UserRow> {
  const caller = requireCaller(context)
  const isOwn = name === caller.user.name
  if (!isOwn && (!isPermitted(USER_CONTROL, caller.user) || context.isRestricted)) throw new CallError(NOT_PERMITTED)
  if (!isOwn && mustReauthenticate(caller.authenticatedAt, parts.now())) throw new CallError(REAUTHENTICATION_REQUIRED)
  const row = await readUser(scope, 'name', name)
  if (!row) throw new CallError(NOT_EXIST)
  if (!isOwn) requireManageable(caller, row)
  return row
}

/** The password of another user takes USER_CONTROL, and a user whom the caller may change. */
function handleChangePassword(parts: SignInParts): Handler {
  return handlePrepared(
    changePassword,
    async (context, request) => {
      const { user } = requireCaller(context)
      const { name = user.name, passwd, 'old-passwd': old } = request
      context.detail = name
      const row = await parts.store.within(context.organisation, async (scope) => {
        const target = await requireTarget(parts, context, scope, name)
        validateNewPassword(await readPasswordRules(scope), name, request)
        return target
      })
      if (passwd === FIRST_PASSWORD_MD5) throw new CallError(INVALID_ARG, { field: 'passwd', fault: 'invalid' })
      if (name === user.name) {
        if (old === undefined) throw new CallError(INVALID_ARG, { field: 'old-passwd', fault: 'required' })
        // With a stolen session, guesses of the old password are limited like guesses at login.
        await requirePassword(parts, context, name, old)
        if (passwd === old) throw new CallError(INVALID_ARG, { field: 'passwd', fault: 'invalid' })
      }
      return { row, hash: await hashPassword(passwd) }
    },
    async (context, scope, _request, { row, hash }) => {
      const { session, user } = requireCaller(context)
      const isOwn = row.id === user.id
      const current = await requireSameUser(scope, row, isOwn ? MISMATCH : STATE_CHANGED)
      // Checked again, because the permissions of both users may have changed in the meantime.
      if (!isOwn) await requireTarget(parts, context, scope, current.name)
      const change = { password_hash: hash, default_password: 0 }
      await scope.update('users').set(change).where('id', '=', row.id).execute()
      await endOtherSessions(scope, row.id, session)
      return {}
    }
  )
}

/** A browser may have a session over HTTP and one over TLS. Signing out must not sign in with the other one. */
async function signOut(context: Context, scope: Scope): Promise<object> {
  const presented = readSessionSecrets(context.cookie)
    .slice(0, SESSIONS_PRESENTED_MAX)
    .flatMap((value) => readSessionKey(value) ?? [])
    .filter(({ organisation }) => organisation === context.organisation)
  for (const hash of [requireCaller(context).session, ...presented.map((key) => key.hash)])
    await endSession(scope, hash)
  setSessionCookies(context, '', '', 0)
  return {}
}

export function signInHandlers(parts: SignInParts): Handler[] {
  return [
    handleLogin(parts),
    handle(logout, signOut),
    handle(logoutByGet, signOut),
    handle(getSession, async (context, scope) => {
      const { user } = requireCaller(context)
      const row = await readUser(scope, 'id', user.id)
      return { user, ...(row && (await accountFields(context, scope, row))) }
    }),
    handleReauthenticate(parts),
    handle(checkPassword, async (_context, _scope, { passwd }) => ({ common: isCommonPassword(passwd) })),
    handleChangePassword(parts),
    handle(setProfile, async (context, scope, { nick }) => {
      const { user } = requireCaller(context)
      context.detail = user.name
      await scope.update('users').set({ nick }).where('id', '=', user.id).execute()
      return {}
    })
  ]
}
