// Handler that exchanges a one-time ticket for a session (contract/access/ticket.ts).
import type { SessionResponse } from '../../../contract/access/session.ts'
import { redeemTicket } from '../../../contract/access/ticket.ts'
import { MISMATCH } from '../../../contract/codes.ts'
import { SESSION_DAYS_MAX, SESSION_NEVER } from '../../../contract/limits.ts'
import { ENDLESS_COOKIE_DAYS, setSessionCookies } from '../../../web-server/session-cookies.ts'
import type { Caller, Gate } from '../../auth/gate.ts'
import type { SignInTickets } from '../../auth/sign-in-tickets.ts'
import { CallError, type Context, type Handler, handlePreparedChange } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'

interface TicketParts {
  store: Store
  gate: Gate
  signInTickets: SignInTickets
}

/** Opens a session for the user of another one. It has proved the password when the other one did. */
function openSessionLike(
  { store, gate }: { store: Store; gate: Gate },
  context: Context,
  { user, authenticatedAt }: Caller
): void {
  const { secret, hash } = gate.openSession(user.id, context.address, context.userAgent)
  store.users.recordAuthentication(hash, authenticatedAt)
  const isEndless = store.settings.get('expired-time') === SESSION_NEVER
  setSessionCookies(context, secret, user.name, isEndless ? ENDLESS_COOKIE_DAYS : SESSION_DAYS_MAX)
}

/** @param describeAccount the fields about password and second factor in the reply */
export function handleRedeemTicket(
  parts: TicketParts,
  describeAccount: (caller: Caller) => Omit<SessionResponse, 'user'>
): Handler {
  const { gate, signInTickets, store } = parts
  return handlePreparedChange(
    redeemTicket,
    // Taken before the transaction, which may run twice.
    async (_context, { ticket }) => signInTickets.redeem(ticket),
    (context, _request, redeemed) => {
      const caller = redeemed && gate.callerOfSession(redeemed.session)
      if (!caller) throw new CallError(MISMATCH, { field: 'ticket' })
      context.userName = caller.user.name
      context.detail = caller.user.name
      openSessionLike(parts, context, caller)
      context.afterCommit(() => {
        store.changes.markChanged('user')
        return redeemed.onRedeemed?.({ address: context.address, port: context.localPort })
      })
      return { user: caller.user, ...describeAccount(caller) }
    }
  )
}
