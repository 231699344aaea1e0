// Tickets for downloads (contract/file/download.ts). They are in memory, as hashes: a restart of the hub ends them.
import { randomBytes } from 'node:crypto'
import { DOWNLOAD_MINUTES, DOWNLOAD_TICKETS_MAX } from '../../contract/file/download.ts'
import { hashSecret } from '../../web-server/credentials.ts'

export const TICKET_LIFETIME = DOWNLOAD_MINUTES * 60_000

/** One file, for one user. */
export interface Grant<File> {
  /** The session or access token that asked for the ticket; when it ends, so does the ticket. */
  session: string
  userId: number
  file: File
}

interface Ticket<File> extends Grant<File> {
  /** Milliseconds on the clock of the tickets. */
  expires: number
}

export class DownloadTickets<File> {
  /** By hash, oldest first. */
  readonly #tickets = new Map<string, Ticket<File>>()
  readonly #now: () => number

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get size(): number {
    return this.#tickets.size
  }

  /** Issues a ticket, which can be used until it expires: a download that broke off is continued with it. */
  issue(grant: Grant<File>): string {
    for (const [hash, { expires }] of this.#tickets) if (expires <= this.#now()) this.#tickets.delete(hash)
    const own = [...this.#tickets].filter(([, { userId }]) => userId === grant.userId)
    for (const [hash] of own.slice(0, Math.max(0, own.length - DOWNLOAD_TICKETS_MAX + 1))) this.#tickets.delete(hash)
    const secret = randomBytes(32).toString('base64url')
    this.#tickets.set(hashSecret(secret), { ...grant, expires: this.#now() + TICKET_LIFETIME })
    return secret
  }

  /** @returns undefined if the ticket is unknown or has expired */
  find(secret: string): Grant<File> | undefined {
    const ticket = this.#tickets.get(hashSecret(secret))
    return ticket && ticket.expires > this.#now() ? ticket : undefined
  }

  /** Removes tickets, such as those of ended sessions. */
  removeWhere(hasEnded: (grant: Grant<File>) => boolean): void {
    for (const [hash, ticket] of this.#tickets) if (hasEnded(ticket)) this.#tickets.delete(hash)
  }
}
