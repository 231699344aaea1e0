// Handlers that list and end open sessions.

import type { LockOut } from '../../../accounts/lock-out.ts'
import type { PasswordCheck } from '../../../accounts/password-check.ts'
import { isPermitted, USER_CONTROL } from '../../../contract/access/permissions.ts'
import { endSessions, listSessions } from '../../../contract/access/user.ts'
import { canManage } from '../../../contract/access/user-management.ts'
import { NOT_EXIST } from '../../../contract/codes.ts'
import { browserText } from '../../../web-server/browsers.ts'
import type { Caller, Gate } from '../../auth/gate.ts'
import type { SetupCode } from '../../auth/setup-code.ts'
import type { SignInTickets } from '../../auth/sign-in-tickets.ts'
import { CallError, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { displayHandlers } from './display.ts'
import { announceEndedSessions, loginHandlers } from './login.ts'
import { profileHandler } from './profile.ts'
import { secondFactorHandlers } from './second-factor.ts'

interface SessionParts {
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
 * The sessions that the caller may see: the caller's own and, with USER_CONTROL, those of the users whom the caller may
 * change.
 */
function visibleSessions({ store, gate }: { store: Store; gate: Gate }, caller: Caller) {
  const mayManage = isPermitted(USER_CONTROL, caller.user)
  const users = store.users
    .all()
    .filter((row) => row.id === caller.user.id || (mayManage && canManage(caller.user, row)))
  const ids = new Set(users.map(({ id }) => id))
  return store.users
    .sessions(gate.sessionLimits())
    .filter((row) => ids.has(row.user_id) && gate.callerOfSession(row.hash) !== undefined)
}

function handleListSessions(parts: { store: Store; gate: Gate }): Handler {
  return handle(listSessions, (context) => {
    const caller = requireCaller(context)
    return {
      list: visibleSessions(parts, caller).map((row) => ({
        id: row.id,
        user: row.user,
        'user-id': row.user_id,
        ip: row.address,
        created: row.created,
        seen: row.seen,
        ...(row.hash === caller.session && { own: true }),
        ...(row.display && { display: row.display }),
        ...(row.agent && { agent: row.agent }),
        browser: browserText(context.language, row.agent)
      }))
    }
  })
}

/** Ends all of the given sessions, or none if one of them does not exist. */
function handleEndSessions(parts: SessionParts): Handler {
  return handleChange(endSessions, (context, request) => {
    const ids = [...new Set([request.id].flat())]
    const rows = visibleSessions(parts, requireCaller(context)).filter(({ id }) => ids.includes(id))
    context.detail = rows.map(({ user, address, display }) => `${display || user} ${address}`).join(', ')
    if (rows.length < ids.length) throw new CallError(NOT_EXIST)
    context.objects = [...new Set(rows.map((row) => `user:${row.user_id}`))]
    for (const { hash } of rows) parts.store.users.endSession(hash)
    announceEndedSessions(parts, context)
    return {}
  })
}

export function sessionHandlers(parts: SessionParts): Handler[] {
  return [
    ...loginHandlers(parts),
    ...secondFactorHandlers(parts),
    ...displayHandlers(parts),
    profileHandler(parts),
    handleListSessions(parts),
    handleEndSessions(parts)
  ]
}
