// HTTP as bytes on a line, for what no client would send.
import { connect } from 'node:net'

export interface RawAnswer {
  /** All that came. */
  text: string
  /** Status of each answer in it. */
  statuses: number[]
  /** The other end closed the line. */
  closed: boolean
}

/**
 * Sends `parts` one after the other, as fast as they are taken, and reads until the line is closed or `enough` says so.
 * What the other end no longer takes is not sent.
 */
export function sendRaw(
  port: number,
  parts: Iterable<string | Uint8Array>,
  enough: (answer: RawAnswer) => boolean = ({ statuses }) => statuses.length > 0
): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1')
  const answer: RawAnswer = { text: '', statuses: [], closed: false }
  return new Promise((resolve) => {
    const end = () => {
      socket.destroy()
      resolve(answer)
    }
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      answer.text += chunk
      answer.statuses = [...answer.text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status))
      if (enough(answer)) end()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      answer.closed = true
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
