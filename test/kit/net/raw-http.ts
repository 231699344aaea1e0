// Sends HTTP as raw bytes, for requests that no HTTP client would send.
import { connect } from 'node:net'

export interface RawResponse {
  /** All received bytes, as Latin-1. */
  text: string
  /** Status of each response. */
  statuses: number[]
  /** Whether the server closed the connection. */
  closed: boolean
}

/**
 * Sends `parts` one after another, as fast as the server accepts them, and reads until the connection is closed or
 * `isComplete` returns true. Stops sending when the server closes the connection.
 */
export function sendRaw(
  port: number,
  parts: Iterable<string | Uint8Array>,
  isComplete: (response: RawResponse) => boolean = ({ statuses }) => statuses.length > 0
): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1')
  const response: RawResponse = { text: '', statuses: [], closed: false }
  return new Promise((resolve) => {
    const end = () => {
      socket.destroy()
      resolve(response)
    }
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      response.text += chunk
      response.statuses = [...response.text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status))
      if (isComplete(response)) end()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      response.closed = true
      end()
    })
    const rest = parts[Symbol.iterator]()
    const write = (): void => {
      for (let next = rest.next(); !next.done && !socket.destroyed; next = rest.next())
        if (!socket.write(next.value)) return void socket.once('drain', write)
    }
    socket.once('connect', write)
  })
}
