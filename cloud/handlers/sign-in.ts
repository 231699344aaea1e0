// Sign-in, sign-out and the own password.

import type { LockOut } from '../../accounts/lock-out.ts'
import type { PasswordCheck } from '../../accounts/password-check.ts'
import { EMPTY_PASSWORD_MD5, FIRST_PASSWORD_MD5, hashPassword } from '../../accounts/passwords.ts'
import { changePassword, getSession, login, logout } from '../../contract/cloud/calls.ts'
import { INVALID_ARG, MISMATCH } from '../../contract/codes.ts'
import { SESSION_DAYS_MAX } from '../../contract/limits.ts'
import { CallError } from '../../web-server/call-error.ts'
import { isLocalRequest } from '../../web-server/host-header.ts'
import { setSessionCookie } from '../../web-server/session-cookies.ts'
import { openSession, readUserByName } from '../auth/sessions.ts'
import { type Context, type Handler, handle, handlePrepared, requireCaller } from '../http/handler.ts'
import type { Store } from '../store/store.ts'

interface SignInParts {
  store: Store
  passwordCheck: PasswordCheck
  lockOut: LockOut
  now: () => number
}

/** The name under which failed sign-ins are counted: users of two organisations may have one name. */
const lockName = (organisation: string, name: string) => `${organisation}/${name}`

/** What a session says about its password. */
function passwordFields(context: Context, isDefault: boolean) {
  const mustChange = isDefault && !isLocalRequest(context.address, context.host)
  return { ...(isDefault && { 'default-password': true }), ...(mustChange && { 'must-change-password': true }) }
}

/** @throws CallError 7 for a password that no user may choose */
export function requireUsablePassword(md5: string): void {
  if (md5 === EMPTY_PASSWORD_MD5) throw new CallError(INVALID_ARG, { field: 'passwd', fault: 'required' })
  if (md5 === FIRST_PASSWORD_MD5) throw new CallError(INVALID_ARG, { field: 'passwd', fault: 'invalid' })
}

/** Checks the password of a user, with lock-out. @returns the user. @throws CallError */
async function requirePassword({ store, passwordCheck }: SignInParts, context: Context, name: string, md5: string) {
  const found = await store.within(context.organisation, (scope) => readUserByName(scope, name))
  const checked = found && { password: found.row.password_hash }
  await passwordCheck.require(context.address, lockName(context.organisation, name), md5, checked)
  if (!found) throw new CallError(MISMATCH)
  return found.row
}

function handleLogin(parts: SignInParts): Handler {
  return handlePrepared(
    login,
    async (context, { id, pass }) => {
      const row = await requirePassword(parts, context, id, pass)
      context.userName = row.name
      return row
    },
    async (context, scope, { id }, checked) => {
      const found = await readUserByName(scope, id)
      // During the check the user may have been deleted, or may have another password.
      if (!found || found.row.id !== checked.id || found.row.password_hash !== checked.password_hash)
        throw new CallError(MISMATCH)
      parts.lockOut.recordSuccess(lockName(context.organisation, id), context.address)
      const secret = await openSession(scope, found.row.id, parts.now())
      setSessionCookie(context, secret, SESSION_DAYS_MAX)
      return { user: found.user, ...passwordFields(context, found.row.default_password === 1) }
    }
  )
}

function handleChangePassword(parts: SignInParts): Handler {
  return handlePrepared(
    changePassword,
    async (context, { passwd, 'old-passwd': old }) => {
      requireUsablePassword(passwd)
      if (passwd === old) throw new CallError(INVALID_ARG, { field: 'passwd', fault: 'invalid' })
      const row = await requirePassword(parts, context, requireCaller(context).user.name, old)
      return { row, hash: await hashPassword(passwd) }
    },
    async (context, scope, _request, { row, hash }) => {
      const { session, userId } = requireCaller(context)
      const { numUpdatedRows } = await scope
        .update('users')
        .set({ password_hash: hash, default_password: 0 })
        .where('id', '=', userId)
        .where('password_hash', '=', row.password_hash)
        .executeTakeFirstOrThrow()
      if (Number(numUpdatedRows) !== 1) throw new CallError(MISMATCH)
      await scope.delete('sessions').where('user_id', '=', userId).where('hash', '!=', session).execute()
      return {}
    }
  )
}

export function signInHandlers(parts: SignInParts): Handler[] {
  return [
    handleLogin(parts),
    handle(logout, async (context, scope) => {
      await scope.delete('sessions').where('hash', '=', requireCaller(context).session).execute()
      setSessionCookie(context, '', 0)
      return {}
    }),
    handle(getSession, async (context) => {
      const { user, defaultPassword } = requireCaller(context)
      return { user, ...passwordFields(context, defaultPassword) }
    }),
    handleChangePassword(parts)
  ]
}
