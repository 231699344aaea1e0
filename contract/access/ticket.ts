// Tickets with which the console follows a hub to another address or port, where its cookies do not follow
// (docs/wire.md, "Sign-in and sessions"). The call that changes the address returns a ticket, and the console opens its
// new address with it: `/#/follow?ticket=…&to=/settings/network`.
import { declareCall } from '../call.ts'

export const redeemTicket = declareCall('POST /session/redeem', 'public')
