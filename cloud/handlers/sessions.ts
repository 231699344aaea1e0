// Lists and ends open sessions.
import { isPermitted, USER_CONTROL } from '../../contract/access/permissions.ts'
import { endSessions, listSessions } from '../../contract/access/user.ts'
import { canManage } from '../../contract/access/user-management.ts'
import { NOT_EXIST } from '../../contract/codes.ts'
import { browserText } from '../../web-server/browsers.ts'
import { CallError } from '../../web-server/call-error.ts'
import { readUsers } from '../auth/accounts.ts'
import { type Caller, endSession, isSessionValid, readSessionLimits } from '../auth/sessions.ts'
import { type Handler, handle, requireCaller } from '../http/handler.ts'
import type { Scope } from '../store/scope.ts'

/**
 * The sessions that the caller may see, most recently used first: the caller's own and, with USER_CONTROL, those of the
 * users whom the caller may change.
 */
async function readVisibleSessions(scope: Scope, { user: caller }: Caller, now: number) {
  const mayManage = isPermitted(USER_CONTROL, caller)
  const users = (await readUsers(scope)).filter((row) => row.id === caller.id || (mayManage && canManage(caller, row)))
  const limits = await readSessionLimits(scope, now)
  const sessions = await scope.select('sessions').selectAll().orderBy('last_used', 'desc').execute()
  return sessions.flatMap((session) => {
    const user = users.find(({ id }) => id === session.user_id)
    return user && isSessionValid(session, user, limits) ? [{ ...session, user: user.name }] : []
  })
}

export function sessionHandlers({ now }: { now: () => number }): Handler[] {
  return [
    handle(listSessions, async (context, scope) => {
      const caller = requireCaller(context)
      const rows = await readVisibleSessions(scope, caller, now())
      const list = rows.map(({ id, user, user_id, address, created, last_used, hash, agent }) => ({
        ...{ id, user, 'user-id': user_id, ip: address, created, seen: last_used },
        ...(hash === caller.session && { own: true }),
        ...(agent && { agent }),
        browser: browserText(context.language, agent)
      }))
      return { list }
    }),
    // Ends all of the given sessions, or none if one of them does not exist.
    handle(endSessions, async (context, scope, { id }) => {
      const ids = [...new Set([id].flat())]
      const rows = (await readVisibleSessions(scope, requireCaller(context), now())).filter((row) =>
        ids.includes(row.id)
      )
      context.detail = rows.map(({ user, address }) => `${user} ${address}`).join(', ')
      if (rows.length < ids.length) throw new CallError(NOT_EXIST)
      for (const { hash } of rows) await endSession(scope, hash)
      return {}
    })
  ]
}
