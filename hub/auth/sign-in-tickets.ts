// One-time tickets that sign a user in at another address or port of the hub (contract/access/ticket.ts). They are in
// memory, as hashes: a ticket lives for a minute or two, and a restart ends it.
import { randomBytes } from 'node:crypto'
import { hashSecret } from '../../web-server/credentials.ts'
import type { Caller } from './gate.ts'

/** Tickets that wait to be redeemed. Another one replaces the oldest. */
export const TICKETS_MAX = 32

/** Where a ticket was redeemed. */
export interface Redemption {
  /** Address of the client, and port of the hub to which it is connected; undefined in process. */
  address: string
  port: number | undefined
}

interface Ticket {
  /** The session that asked for it, and when that session last proved the password. */
  session: string
  /** Milliseconds on the clock of the tickets. */
  expires: number
  onRedeemed: ((redemption: Redemption) => unknown) | undefined
}

export class SignInTickets {
  readonly #tickets = new Map<string, Ticket>()
  readonly #now: () => number

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Issues a ticket to a caller with a session of its own. An access token, a wall display and a user of the cloud get
   * none.
   * @param lifetime milliseconds
   * @param onRedeemed called once, when the session that the ticket opens is stored: the client has reached the hub at
   * its new address. The response waits for a promise that it returns
   */
  issue(
    { session, byToken, byCloud, display }: Pick<Caller, 'session' | 'byToken' | 'byCloud' | 'display'>,
    lifetime: number,
    onRedeemed?: (redemption: Redemption) => unknown
  ): string | undefined {
    if (byToken || byCloud || display !== undefined) return undefined
    const [oldest] = this.#tickets.keys()
    if (this.#tickets.size >= TICKETS_MAX && oldest !== undefined) this.#tickets.delete(oldest)
    const secret = randomBytes(32).toString('base64url')
    this.#tickets.set(hashSecret(secret), { session, expires: this.#now() + lifetime, onRedeemed })
    return secret
  }

  /** Takes a ticket: it cannot be redeemed again. @returns undefined if it is unknown, was redeemed, or has expired */
  redeem(secret: string): Pick<Ticket, 'session' | 'onRedeemed'> | undefined {
    const hash = hashSecret(secret)
    const ticket = this.#tickets.get(hash)
    this.#tickets.delete(hash)
    return ticket && ticket.expires > this.#now() ? ticket : undefined
  }
}
