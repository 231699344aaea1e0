// Carries a WebSocket of a browser to a hub: as a connection inside of the link, on which the request is sent once more
// as HTTP/1.1. From then on both sides get the bytes as they are.
import type { IncomingMessage } from 'node:http'
import { constants } from 'node:http2'
import type { Duplex } from 'node:stream'
import { ASSERTION_HEADER, CONSOLE_AUTHORITY } from '../../contract/cloud/relay.ts'
import type { Link } from '../../device-link/link.ts'
import { tunnelAsDuplex } from '../../device-link/tunnel-duplex.ts'
import { socketHeaders } from './relay-headers.ts'

/** Milliseconds for the hub to accept the connection. */
const CONNECT_TIMEOUT = 15_000

interface SocketTarget {
  link: Link
  /** Path with query. */
  target: string
  host: string
  /** The hub has refused the assertion. */
  onRefused(): void
}

export function relaySocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { link, target, host, onRefused }: SocketTarget,
  assertion: string
): void {
  const stream = link.session.request({
    ':method': 'CONNECT',
    ':authority': CONSOLE_AUTHORITY,
    [ASSERTION_HEADER]: assertion
  })
  stream.on('error', () => {})
  const fail = () => {
    clearTimeout(timer)
    stream.close(constants.NGHTTP2_CANCEL)
    socket.destroy()
  }
  const timer = setTimeout(fail, CONNECT_TIMEOUT)
  stream.once('close', fail)
  socket.once('close', fail)
  stream.once('response', ({ ':status': status }) => {
    if (status === 401) onRefused()
    if (status !== 200) return fail()
    clearTimeout(timer)
    const tunnel = tunnelAsDuplex(stream)
    const lines = Object.entries({
      host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      ...socketHeaders(request.headers)
    })
    tunnel.write(`GET ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
    if (head.length > 0) tunnel.write(head)
    tunnel.pipe(socket)
    socket.pipe(tunnel)
    tunnel.once('close', () => socket.destroy())
  })
}
