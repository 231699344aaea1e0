// Handlers for login, logout, the current session, and changing a password.

import { isCommonPassword } from '../../../accounts/common-passwords.ts'
import type { LockOut } from '../../../accounts/lock-out.ts'
import { validateNewPassword } from '../../../accounts/new-password.ts'
import type { PasswordCheck } from '../../../accounts/password-check.ts'
import { FIRST_PASSWORD_MD5, hashPassword } from '../../../accounts/passwords.ts'
import { lacksSecondFactor } from '../../../accounts/restrictions.ts'
import { isExpired } from '../../../accounts/session-times.ts'
import { requireManageable } from '../../../accounts/user-management.ts'
import { isPermitted, USER_CONTROL } from '../../../contract/access/permissions.ts'
import {
  changePassword,
  checkPassword,
  getSession,
  login,
  logout,
  logoutByGet,
  reauthenticate
} from '../../../contract/access/session.ts'
import { ADMIN_USER_ID } from '../../../contract/access/user.ts'
import {
  ACCOUNT_EXPIRED,
  INVALID_ARG,
  MISMATCH,
  NOT_EXIST,
  NOT_PERMITTED,
  REAUTHENTICATION_REQUIRED,
  SECOND_FACTOR_REQUIRED,
  STATE_CHANGED
} from '../../../contract/codes.ts'
import { SESSION_DAYS_MAX, SESSION_NEVER } from '../../../contract/limits.ts'
import { LOG_UNKNOWN, LOG_WARNING } from '../../../contract/log.ts'
import { hashSecret, readSessionSecrets } from '../../../web-server/credentials.ts'
import { isLocalRequest } from '../../../web-server/host-header.ts'
import { ENDLESS_COOKIE_DAYS, setSessionCookies } from '../../../web-server/session-cookies.ts'
import { type Caller, type Gate, toLoginUser } from '../../auth/gate.ts'
import type { SetupCode } from '../../auth/setup-code.ts'
import type { SignInTickets } from '../../auth/sign-in-tickets.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handleChange,
  handlePreparedChange,
  requireCaller
} from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import type { UserRow } from '../../store/users.ts'
import { displaySession, renewDisplayCookie } from './display.ts'
import { activePasswordRules, newPasswordRules } from './password-rules.ts'
import { requireSecondFactor } from './second-factor-check.ts'
import { handleRedeemTicket } from './ticket.ts'

interface LoginParts {
  store: Store
  gate: Gate
  lockOut: LockOut
  passwordCheck: PasswordCheck
  setupCode: SetupCode
  signInTickets: SignInTickets
  now: () => number
  sessionsEnded: () => void
}

/**
 * Fields about password and second factor in the replies of login and session. Fields that do not apply are left out.
 */
function accountFields(
  { store }: { store: Store },
  row: UserRow | undefined,
  {
    defaultPassword,
    mustChangePassword,
    mustEnroll
  }: Pick<Caller, 'defaultPassword' | 'mustChangePassword' | 'mustEnroll'>
) {
  const rules = activePasswordRules(store)
  const since = row?.second_factor_since
  return {
    ...(row &&
      since && { 'second-factor': { since, 'recovery-codes': store.secondFactors.countRecoveryCodes(row.id) } }),
    ...(mustEnroll && { 'must-enroll': true }),
    ...(defaultPassword && { 'default-password': true }),
    ...(mustChangePassword && { 'must-change-password': true }),
    ...(rules && { 'pwd-rule': rules })
  }
}

/**
 * Reads a user again after its password was checked.
 * @throws CallError with `code` if the user was deleted or has another password or second factor now; the id may belong
 * to another user then
 */
function requireSameUser({ store }: { store: Store }, row: UserRow | undefined, code: number): UserRow {
  const current = row && store.users.byId(row.id)
  if (!current || current.password !== row.password || current.second_factor_since !== row.second_factor_since)
    throw new CallError(code)
  return current
}

/** Sessions of one browser that end when its user signs out. */
const SESSIONS_PRESENTED_MAX = 4

/** After the commit, closes the connections of sessions that have ended. */
export function announceEndedSessions(
  { sessionsEnded, store }: { store: Store; sessionsEnded: () => void },
  context: Context
): void {
  context.afterCommit(() => {
    sessionsEnded()
    store.changes.markChanged('user')
  })
}

/** @param isStored false during a storage fault: the session is deleted when the fault ends */
function endOwnSession(
  parts: { store: Store; sessionsEnded: () => void },
  context: Context,
  isStored: boolean
): object {
  const { session } = requireCaller(context)
  // A browser may have a session over HTTP and one over TLS. Signing out must not sign in with the other one.
  const presented = readSessionSecrets(context.cookie).slice(0, SESSIONS_PRESENTED_MAX).map(hashSecret)
  for (const each of new Set([session, ...presented])) {
    if (isStored) parts.store.users.endSession(each)
    else parts.store.users.endSessionLater(each)
  }
  setSessionCookies(context, '', '', 0)
  announceEndedSessions(parts, context)
  return {}
}

/**
 * Opens a session for a user whose password was checked.
 * @param isStored false during a storage fault: the session is in memory until the fault ends
 */
function signIn(parts: LoginParts, context: Context, name: string, checked: UserRow | undefined, isStored: boolean) {
  const { gate, lockOut, store } = parts
  const row = requireSameUser(parts, checked, MISMATCH)
  lockOut.recordSuccess(name, context.address)
  if (isExpired(row, parts.now())) throw new CallError(ACCOUNT_EXPIRED)
  const openSession = isStored ? gate.openSession : gate.openMemorySession
  const { secret } = openSession.call(gate, row.id, context.address, context.userAgent)
  if (isStored) store.users.setLastLogin(row.id, Date.now())
  const isEndless = store.settings.get('expired-time') === SESSION_NEVER
  const days = isEndless ? ENDLESS_COOKIE_DAYS : SESSION_DAYS_MAX
  setSessionCookies(context, secret, row.name, days)
  context.afterCommit(() => store.changes.markChanged('user'))
  const defaultPassword = row.is_default_password === 1
  const mustChangePassword = defaultPassword && !isLocalRequest(context.address, context.host)
  return {
    token: secret,
    'is-hardware': false as const,
    user: toLoginUser(row),
    ...accountFields(parts, row, { defaultPassword, mustChangePassword, mustEnroll: lacksSecondFactor(row) })
  }
}

/**
 * On a hub that manages its machine, requires the setup code beside the default password.
 * @throws CallError 1101 without the code; 39 with a wrong one, and while the user is locked out
 */
function requireSetupCode(
  { setupCode, lockOut, store }: LoginParts,
  { address, host }: Context,
  row: UserRow,
  code: string | undefined
): void {
  if (!setupCode.isRequired(row, address, host)) return
  const field = 'setup-code'
  if (code === undefined) throw new CallError(SECOND_FACTOR_REQUIRED, { field })
  const refusal = (seconds: number) => new CallError(MISMATCH, { field, ...(seconds > 0 && { 'locked-s': seconds }) })
  const locked = lockOut.secondsToWaitForCode(row.name, address)
  if (locked > 0) throw refusal(locked)
  if (setupCode.matches(code)) return
  if (lockOut.recordCodeFailure(row.name, address))
    store.logEvent({ event: 'login-locked', detail: `${row.name} ${address}`, level: LOG_WARNING })
  throw refusal(lockOut.secondsToWaitForCode(row.name, address))
}

function handleLogin(parts: LoginParts): Handler {
  const { store } = parts
  return handlePreparedChange(
    login,
    async (context, request) => {
      const row = store.users.byName(request.id)
      context.userName = row?.name ?? ''
      context.detail = row?.name ?? LOG_UNKNOWN
      await parts.passwordCheck.require(context.address, request.id, request.pass, row)
      if (row) requireSetupCode(parts, context, row, request['setup-code'])
      if (row) requireSecondFactor(parts, context.address, row, request.code)
      return row
    },
    (context, { id }, checked) => signIn(parts, context, id, checked, true),
    (context, { id }, checked) => signIn(parts, context, id, checked, false)
  )
}

/** The password of another user takes USER_CONTROL, and a user whom the caller may change. */
function handleChangePassword(parts: LoginParts): Handler {
  const { store } = parts
  const { users } = store
  return handlePreparedChange(
    changePassword,
    async (context, request) => {
      const caller = requireCaller(context)
      const name = request.name ?? caller.user.name
      context.detail = name
      const isOwn = name === caller.user.name
      if (!isOwn && (!isPermitted(USER_CONTROL, caller.user) || caller.isRestricted)) throw new CallError(NOT_PERMITTED)
      if (!isOwn && parts.gate.mustReauthenticate(caller)) throw new CallError(REAUTHENTICATION_REQUIRED)
      const row = users.byName(name)
      if (!row) throw new CallError(NOT_EXIST)
      if (!isOwn) requireManageable(caller, row)
      context.objects = [`user:${row.id}`]
      validateNewPassword(newPasswordRules(store), name, request)
      if (isOwn) {
        if (request['old-passwd'] === undefined)
          throw new CallError(INVALID_ARG, { field: 'old-passwd', fault: 'required' })
        // With a stolen session, guesses of the old password are limited like guesses at login.
        await parts.passwordCheck.require(context.address, name, request['old-passwd'], row)
        if (request['old-passwd'] === request.passwd)
          throw new CallError(INVALID_ARG, { field: 'passwd', fault: 'invalid' })
      }
      return { row, hash: await hashPassword(request.passwd) }
    },
    (context, { passwd }, { row, hash }) => {
      const caller = requireCaller(context)
      const { user, session } = caller
      const isOwn = row.id === user.id
      const current = requireSameUser(parts, row, isOwn ? MISMATCH : STATE_CHANGED)
      // Checked again, because the permissions of both users may have changed in the meantime.
      if (!isOwn && !isPermitted(USER_CONTROL, user)) throw new CallError(NOT_PERMITTED)
      if (!isOwn) requireManageable(caller, current)
      const { id } = current
      users.setPassword(id, hash, id === ADMIN_USER_ID && passwd === FIRST_PASSWORD_MD5, session)
      announceEndedSessions(parts, context)
      context.afterCommit(() => store.changes.markChanged('session'))
      return {}
    }
  )
}

function handleGetSession(parts: { store: Store }): Handler {
  return handle(getSession, (context) => {
    const caller = requireCaller(context)
    if (caller.display !== undefined) {
      renewDisplayCookie(context)
      return displaySession(caller, caller.display)
    }
    return { user: caller.user, ...accountFields(parts, parts.store.users.byId(caller.user.id), caller) }
  })
}

/** Proves the password of a session again. Guesses are limited like guesses at login. */
function handleReauthenticate(parts: LoginParts): Handler {
  const { gate, lockOut, store } = parts
  return handlePreparedChange(
    reauthenticate,
    async (context, { pass, code }) => {
      const { user } = requireCaller(context)
      const row = store.users.byId(user.id)
      await parts.passwordCheck.require(context.address, user.name, pass, row)
      if (row) requireSecondFactor(parts, context.address, row, code)
      return row
    },
    (context, _request, checked) => {
      const { name } = requireSameUser(parts, checked, MISMATCH)
      lockOut.recordSuccess(name, context.address)
      gate.recordAuthentication(requireCaller(context).session)
      return {}
    }
  )
}

export function loginHandlers(parts: LoginParts): Handler[] {
  return [
    handleLogin(parts),
    ...[logout, logoutByGet].map((call) =>
      handleChange(
        call,
        (context) => endOwnSession(parts, context, true),
        (context) => endOwnSession(parts, context, false)
      )
    ),
    handleGetSession(parts),
    handleRedeemTicket(parts, (caller) => accountFields(parts, parts.store.users.byId(caller.user.id), caller)),
    handleReauthenticate(parts),
    handle(checkPassword, (_context, { passwd }) => ({ common: isCommonPassword(passwd) })),
    handleChangePassword(parts)
  ]
}
