// Whether a program listens at the UDP port of a receiver that does not respond. A receiver that was killed and one
// that hangs are both silent over SRT, but the system of the first one answers that its port is closed.
import { createSocket } from 'node:dgram'

/** Milliseconds between two probes of a port, and the longest wait for an answer. */
const INTERVAL = 1000

export class PortProbe {
  #probedAt = Number.NEGATIVE_INFINITY
  /** When the last datagram was sent that found the port closed. */
  #closedAt = Number.NEGATIVE_INFINITY
  #openedAt = Number.NEGATIVE_INFINITY

  /**
   * Sends an empty datagram, once a second at most, which an SRT receiver drops. @param now milliseconds
   * @param onClosed called if the port turns out to be closed
   */
  probe(address: string, port: number, now: number, onClosed: () => void): void {
    if (now - this.#probedAt < INTERVAL) return
    this.#probedAt = now
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4').unref()
    const timer = setTimeout(() => socket.close(), INTERVAL)
    timer.unref()
    socket.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      socket.close()
      if (error.code !== 'ECONNREFUSED') return
      this.#closedAt = now
      onClosed()
    })
    socket.connect(port, address, () => socket.send(''))
  }

  /** Takes note that a program at the port has answered. */
  noteOpen(now: number): void {
    this.#openedAt = now
  }

  /** Whether the port was closed within the last milliseconds, and no program has answered since. */
  wasClosed(now: number, within: number): boolean {
    return now - this.#closedAt < within && this.#closedAt > this.#openedAt
  }
}
