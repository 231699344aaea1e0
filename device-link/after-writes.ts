// Waits until HTTP/2 can take over a connection.
import type { Duplex } from 'node:stream'

/**
 * Calls a function when all that was written to a socket has been sent, or the socket is destroyed. Over TLS a write
 * may end later than the response to it arrives, and Node (24.21) aborts the process if HTTP/2 has taken over the
 * socket before.
 */
export function afterWrites(socket: Duplex, done: () => void): void {
  if (socket.destroyed || socket.writableLength === 0) done()
  else setImmediate(afterWrites, socket, done)
}
