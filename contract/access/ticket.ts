// Tickets with which the console follows a hub to another address or port, where its cookies do not follow (docs/wire.md, "Sign-in and
// sessions"). The call that changes the address returns a ticket, and the console opens its new address with it:
// `/#/follow?ticket=…&to=/settings/network`.
import { declareCall } from '../call.ts'
import type { SessionResponse } from './session.ts'

/**
 * Exchanges a ticket for a session of the user to whom it was issued; the response sets its cookies. 39 for a ticket that is wrong, was used,
 * or has expired, and if the session that asked for it has ended.
 */
export const redeemTicket = declareCall<{ ticket: string }, SessionResponse>('POST', '/session/redeem', 'public')
