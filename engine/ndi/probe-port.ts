// Whether a program answers at a port of a source.
import { connect } from 'node:net'

/** Milliseconds for a response. The time covers the loss of one packet. */
const PROBE_TIMEOUT = 1500

/** `refuses`: the machine responds, and no program listens. */
export type ProbeOutcome = 'answers' | 'refuses' | 'silent'

/** Connects to a TCP port and closes the connection. @param port 0-65535 */
export function probePort(host: string, port: number): Promise<ProbeOutcome> {
  const { promise, resolve } = Promise.withResolvers<ProbeOutcome>()
  const socket = connect({ host, port, timeout: PROBE_TIMEOUT })
  const finish = (outcome: ProbeOutcome) => {
    socket.destroy()
    resolve(outcome)
  }
  socket.once('connect', () => finish('answers'))
  socket.once('timeout', () => finish('silent'))
  socket.once('error', ({ code }: NodeJS.ErrnoException) => finish(code === 'ECONNREFUSED' ? 'refuses' : 'silent'))
  return promise
}
