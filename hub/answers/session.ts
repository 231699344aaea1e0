import { INVALID_ARG, MISMATCH, NOT_EXIST, NOT_PERMITTED, TRY_AGAIN } from '../../contract/codes.ts'
import { LOG_WARNING } from '../../contract/log.ts'
import { GROUP_ADMIN } from '../../contract/permissions.ts'
import { changePassword, login, logout, logoutByGet, whoAmI } from '../../contract/session.ts'
import { type Answer, answer, type Context, change, changeAfter, Refusal, signedIn } from '../answer.ts'
import { type Caller, isLoopback, NAME_COOKIE, SESSION_COOKIE, userOf } from '../gate.ts'
import type { Hub } from '../parts.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import type { UserRow } from '../store/users.ts'

/** MD5 of the empty password, which no account may have. */
const NO_PASSWORD = 'd41d8cd98f00b204e9800998ecf8427e'

/** Password checks that may wait for their turn. */
const QUEUE_MAX = 50

/** Flags that both the login and the session answer carry; absent when they do not apply. */
function passwordFlags({
  defaultPassword,
  mustChangePassword
}: Pick<Caller, 'defaultPassword' | 'mustChangePassword'>) {
  return {
    ...(defaultPassword && { 'default-password': true }),
    ...(mustChangePassword && { 'must-change-password': true })
  }
}

export function sessionAnswers({ store, gate, lockOut, sessionsEnded }: Hub): Answer[] {
  function setCookie(context: Context, name: string, value: string, httpOnly: boolean, days: number): void {
    const flags = `${httpOnly ? '; HttpOnly' : ''}${context.secure ? '; Secure' : ''}`
    context.headers.append('set-cookie', `${name}=${value}; Path=/; SameSite=Strict; Max-Age=${days * 86_400}${flags}`)
  }

  // One password is checked at a time: a hundred guesses sent at once count one after the other, and cost one core's 30 ms each.
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0

  /** Ends well when `pass` is the password of `row`; else counts the failure and refuses. */
  function prove(context: Context, name: string, pass: string, row: UserRow | undefined): Promise<void> {
    if (waiting >= QUEUE_MAX) throw new Refusal(TRY_AGAIN)
    waiting++
    const mine = turn.then(async () => {
      const wait = lockOut.wait(name, context.address)
      if (wait > 0) throw new Refusal(MISMATCH, { 'locked-s': wait })
      if (await checkPassword(pass, row?.password)) return
      if (!lockOut.failed(name, context.address)) throw new Refusal(MISMATCH)
      store.note({ event: 'login-locked', detail: `${name} ${context.address}`, level: LOG_WARNING })
      throw new Refusal(MISMATCH, { 'locked-s': lockOut.wait(name, context.address) })
    })
    turn = mine.catch(() => {}).finally(() => waiting--)
    return mine
  }

  function endSession(context: Context): object {
    store.users.endSession(signedIn(context).session)
    setCookie(context, SESSION_COOKIE, '', true, 0)
    setCookie(context, NAME_COOKIE, '', false, 0)
    context.after(sessionsEnded)
    return {}
  }

  return [
    changeAfter(
      login,
      async (context, request) => {
        context.detail = context.name = request.id.replace(/\p{Cc}/gu, '')
        const row = store.users.byName(request.id)
        await prove(context, request.id, request.pass, row)
        return row
      },
      (context, request, row) => {
        if (!row) throw new Refusal(MISMATCH)
        lockOut.succeeded(request.id, context.address)
        const { secret } = gate.open(row.id, context.address)
        setCookie(context, SESSION_COOKIE, secret, true, 365)
        setCookie(context, NAME_COOKIE, encodeURIComponent(row.name), false, 365)
        const defaultPassword = row.is_default_password === 1
        const mustChangePassword = defaultPassword && !isLoopback(context.address)
        return {
          token: secret,
          'is-hardware': false,
          user: userOf(row),
          ...passwordFlags({ defaultPassword, mustChangePassword })
        }
      }
    ),
    change(logout, endSession),
    change(logoutByGet, endSession),
    answer(whoAmI, (context) => {
      const caller = signedIn(context)
      return { user: caller.user, ...passwordFlags(caller) }
    }),
    changeAfter(
      changePassword,
      async (context, request) => {
        const caller = signedIn(context)
        const name = request.name ?? caller.user.name
        context.detail = name
        const own = name === caller.user.name
        if (!own && (caller.user.type !== GROUP_ADMIN || caller.mustChangePassword)) throw new Refusal(NOT_PERMITTED)
        const row = store.users.byName(name)
        if (!row) throw new Refusal(NOT_EXIST)
        if (request.passwd === NO_PASSWORD) throw new Refusal(INVALID_ARG, { field: 'passwd' })
        if (own) {
          if (request['old-passwd'] === undefined) throw new Refusal(INVALID_ARG, { field: 'old-passwd' })
          // Guessing the old password from a stolen session waits like guessing at the door.
          await prove(context, name, request['old-passwd'], row)
          if (request['old-passwd'] === request.passwd) throw new Refusal(INVALID_ARG, { field: 'passwd' })
        }
        return { row, hash: await hashPassword(request.passwd) }
      },
      (context, _request, { row, hash }) => {
        store.users.setPassword(row.id, hash, signedIn(context).session)
        context.after(sessionsEnded)
        return {}
      }
    )
  ]
}
