// When connections were opened, for confirmations that must arrive over a connection that is newer than a change.
import type { ServerResponse } from 'node:http'

export class OpenTimes {
  readonly #times = new WeakMap<object, number>()

  /** When the first request arrived over a connection, on the clock of `performance.now()`. Called for each request. */
  of(connection: object): number {
    const openedAt = this.#times.get(connection) ?? performance.now()
    this.#times.set(connection, openedAt)
    return openedAt
  }
}

/** Ends the connection after the response: HTTP/2 finishes the running requests, and gets no new ones. */
export function endConnection(incoming: object, response: ServerResponse): void {
  const { stream } = incoming as { stream?: { session?: { close(): void } } }
  if (stream) stream.session?.close()
  else response.shouldKeepAlive = false
}
