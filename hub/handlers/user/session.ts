// Signing in and out, one's own password or another's, and the sessions that are open.
import { INVALID_ARG, MISMATCH, NOT_EXIST, NOT_PERMITTED, STATE_CHANGED, TRY_AGAIN } from '../../../contract/codes.ts'
import { LOG_UNKNOWN, LOG_WARNING } from '../../../contract/log.ts'
import { networkOf } from '../../../contract/network-prefix.ts'
import { GROUP_ADMIN } from '../../../contract/permissions.ts'
import { changePassword, login, logout, logoutByGet, whoAmI } from '../../../contract/session.ts'
import { endSessions, FIRST_USER, listSessions } from '../../../contract/user.ts'
import { createTurns } from '../../auth/fair-queue.ts'
import { type Caller, isLoopback, NAME_COOKIE, SESSION_COOKIE, userOf } from '../../auth/gate.ts'
import { checkPassword, FIRST_PASSWORD, hashPassword } from '../../auth/passwords.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer, type Context, change, changeAfter, Refusal, signedIn } from '../../http/handler.ts'
import { browserText } from '../../messages/browsers.ts'
import type { UserRow } from '../../store/users.ts'
import { refuseUnfit, rulesOf } from './new-password.ts'

/** Password checks that may wait for their turn: of one address, and of how many. Each costs one core's 30 ms. */
const WAITING = { each: 20, addresses: 200 }

export function sessionAnswers({ store, gate, lockOut, sessionsEnded }: Hub): Answer[] {
  const { users } = store
  const turns = createTurns(WAITING.each, WAITING.addresses)

  function setCookie(context: Context, name: string, value: string, httpOnly: boolean, days: number): void {
    const flags = `${httpOnly ? '; HttpOnly' : ''}${context.secure ? '; Secure' : ''}`
    context.headers.append('set-cookie', `${name}=${value}; Path=/; SameSite=Strict; Max-Age=${days * 86_400}${flags}`)
  }

  /** What both the login and the session answer carry besides the user; absent where it does not apply. */
  function passwordFlags({
    defaultPassword,
    mustChangePassword
  }: Pick<Caller, 'defaultPassword' | 'mustChangePassword'>) {
    const rules = rulesOf(store)
    return {
      ...(defaultPassword && { 'default-password': true }),
      ...(mustChangePassword && { 'must-change-password': true }),
      ...(rules && { 'password-rules': rules })
    }
  }

  function refuseLocked(name: string, address: string): void {
    const wait = lockOut.wait(name, address)
    if (wait > 0) throw new Refusal(MISMATCH, { 'locked-s': wait })
  }

  /**
   * Ends well when `pass` is the password of `row`; else counts the failure and refuses. One password is checked at a time, so that a
   * hundred guesses sent at once count one after the other. Addresses take turns; a user who signed in from there before has his own.
   */
  async function prove({ address }: Context, name: string, pass: string, row: UserRow | undefined): Promise<void> {
    // Whoever is locked takes nobody's turn.
    refuseLocked(name, address)
    const known = lockOut.knows(name, address)
    const proof = async () => {
      refuseLocked(name, address)
      if (await checkPassword(pass, row?.password)) return
      if (!lockOut.failed(name, address)) throw new Refusal(MISMATCH)
      store.note({ event: 'login-locked', detail: row ? `${name} ${address}` : address, level: LOG_WARNING })
      throw new Refusal(MISMATCH, { 'locked-s': lockOut.wait(name, address) })
    }
    const turn = turns.take(`${networkOf(address)} ${known ? name : ''}`, proof, known)
    if (!turn) throw new Refusal(TRY_AGAIN)
    return turn
  }

  /** A user as it is now; refused with `code` when it is gone, or has another password than before: the bit may be another's. */
  function unchanged(row: UserRow | undefined, code: number): UserRow {
    const now = row && users.byId(row.id)
    if (!now || now.password !== row.password) throw new Refusal(code)
    return now
  }

  function ended(context: Context): void {
    context.after(() => {
      sessionsEnded()
      store.changes.bump('user')
    })
  }

  function endSession(context: Context): object {
    users.endSession(signedIn(context).session)
    setCookie(context, SESSION_COOKIE, '', true, 0)
    setCookie(context, NAME_COOKIE, '', false, 0)
    ended(context)
    return {}
  }

  /** The sessions that the caller may see: his own, or all. */
  function sessionsFor({ user }: Caller) {
    const all = users.sessions(gate.goodSince())
    return user.type === GROUP_ADMIN ? all : all.filter((row) => row.user_id === user.id)
  }

  return [
    changeAfter(
      login,
      async (context, request) => {
        const row = users.byName(request.id)
        context.name = row?.name ?? ''
        context.detail = row?.name ?? LOG_UNKNOWN
        await prove(context, request.id, request.pass, row)
        return row
      },
      (context, request, proved) => {
        const row = unchanged(proved, MISMATCH)
        lockOut.succeeded(request.id, context.address)
        const { secret } = gate.open(row.id, context.address, context.agent)
        users.signedIn(row.id, Date.now())
        setCookie(context, SESSION_COOKIE, secret, true, 365)
        setCookie(context, NAME_COOKIE, encodeURIComponent(row.name), false, 365)
        context.after(() => store.changes.bump('user'))
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
        const row = users.byName(name)
        if (!row) throw new Refusal(NOT_EXIST)
        context.objects = [`user:${row.id}`]
        refuseUnfit(store, name, request)
        if (own) {
          if (request['old-passwd'] === undefined)
            throw new Refusal(INVALID_ARG, { field: 'old-passwd', fault: 'required' })
          // Guessing the old password from a stolen session waits like guessing at the door.
          await prove(context, name, request['old-passwd'], row)
          if (request['old-passwd'] === request.passwd)
            throw new Refusal(INVALID_ARG, { field: 'passwd', fault: 'invalid' })
        }
        return { row, hash: await hashPassword(request.passwd) }
      },
      (context, { passwd }, { row, hash }) => {
        const { user, session } = signedIn(context)
        const own = row.id === user.id
        // As above: the right to it may have gone since then.
        if (!own && user.type !== GROUP_ADMIN) throw new Refusal(NOT_PERMITTED)
        const { id } = unchanged(row, own ? MISMATCH : STATE_CHANGED)
        users.setPassword(id, hash, id === FIRST_USER && passwd === FIRST_PASSWORD, session)
        ended(context)
        context.after(() => store.changes.bump('session'))
        return {}
      }
    ),
    answer(listSessions, (context) => {
      const caller = signedIn(context)
      return {
        list: sessionsFor(caller).map((row) => ({
          id: row.id,
          user: row.user,
          'user-id': row.user_id,
          ip: row.address,
          created: row.created,
          seen: row.seen,
          ...(row.hash === caller.session && { own: true }),
          ...(row.agent && { agent: row.agent }),
          browser: browserText(context.language, row.agent)
        }))
      }
    }),
    change(endSessions, (context, request) => {
      const ids = [...new Set([request.id].flat())]
      const rows = sessionsFor(signedIn(context)).filter(({ id }) => ids.includes(id))
      context.detail = rows.map(({ user, address }) => `${user} ${address}`).join(', ')
      // Of several, all or none.
      if (rows.length < ids.length) throw new Refusal(NOT_EXIST)
      context.objects = [...new Set(rows.map((row) => `user:${row.user_id}`))]
      for (const { hash } of rows) users.endSession(hash)
      ended(context)
      return {}
    })
  ]
}
