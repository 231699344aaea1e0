// Handlers for wall displays (contract/access/display.ts): creating a one-time code, and exchanging it for a session.

import type { LockOut } from '../../../accounts/lock-out.ts'
import { addDisplay, DISPLAYS_MAX, openDisplay } from '../../../contract/access/display.ts'
import { GROUP_VIEWER } from '../../../contract/access/permissions.ts'
import type { SessionResponse } from '../../../contract/access/session.ts'
import { MISMATCH, TOO_MANY } from '../../../contract/codes.ts'
import { LOG_WARNING } from '../../../contract/log.ts'
import { hashSecret, NAME_COOKIE, readSessionSecrets } from '../../../web-server/credentials.ts'
import { ENDLESS_COOKIE_DAYS, setCookie, setSessionCookie } from '../../../web-server/session-cookies.ts'
import { addDisplayCode, takeDisplayCode } from '../../auth/displays.ts'
import type { Caller, Gate } from '../../auth/gate.ts'
import { CallError, type Context, type Handler, handleChange, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'

interface DisplayParts {
  store: Store
  gate: Gate
  lockOut: LockOut
}

/** Name under which wrong codes are counted. No user can have it, because names are printable. */
const LOCK_OUT_NAME = '\u0000display'

/** What a display gets as its session: never the group type of an administrator, so that the console offers nothing. */
export function displaySession({ user, mustChangePassword }: Caller, display: string): SessionResponse {
  return {
    user: { ...user, type: GROUP_VIEWER },
    display,
    ...(mustChangePassword && { 'must-change-password': true })
  }
}

/** Sets the cookie of a display again: browsers keep a cookie for a limited time only, and a display has no end. */
export function renewDisplayCookie(context: Context): void {
  const { session } = requireCaller(context)
  const secret = readSessionSecrets(context.cookie).find((value) => hashSecret(value) === session)
  if (secret) setSessionCookie(context, secret, ENDLESS_COOKIE_DAYS)
}

function handleAddDisplay({ store }: { store: Store }): Handler {
  return handleChange(addDisplay, (context, { name }) => {
    context.detail = name
    const { displayCodes } = store
    displayCodes.removeExpired(Date.now())
    if (displayCodes.count() >= DISPLAYS_MAX) throw new CallError(TOO_MANY, { max: DISPLAYS_MAX })
    return addDisplayCode(store, requireCaller(context).user.id, name)
  })
}

function handleOpenDisplay({ store, gate, lockOut }: DisplayParts): Handler {
  function refuse(address: string): never {
    if (!lockOut.recordFailure(LOCK_OUT_NAME, address)) throw new CallError(MISMATCH, { field: 'code' })
    store.logEvent({ event: 'login-locked', detail: address, level: LOG_WARNING })
    throw new CallError(MISMATCH, { field: 'code', 'locked-s': lockOut.secondsToWait(LOCK_OUT_NAME, address) })
  }

  return handleChange(openDisplay, (context, { code }) => {
    const { address } = context
    const seconds = lockOut.secondsToWait(LOCK_OUT_NAME, address)
    if (seconds > 0) throw new CallError(MISMATCH, { field: 'code', 'locked-s': seconds })
    const display = takeDisplayCode(store, code) ?? refuse(address)
    const { secret, hash } = gate.openDisplaySession(display.userId, display.name, address, context.userAgent)
    const caller = gate.callerOfSession(hash) ?? refuse(address)
    context.userName = caller.user.name
    context.detail = display.name
    lockOut.recordSuccess(LOCK_OUT_NAME, address)
    setSessionCookie(context, secret, ENDLESS_COOKIE_DAYS)
    // The name of a user who signed in here before.
    setCookie(context, NAME_COOKIE, '', false, 0)
    context.afterCommit(() => store.changes.markChanged('user'))
    return displaySession(caller, display.name)
  })
}

export function displayHandlers(parts: DisplayParts): Handler[] {
  return [handleAddDisplay(parts), handleOpenDisplay(parts)]
}
