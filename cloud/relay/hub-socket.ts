// Carries a WebSocket of a browser to the console of a hub: its request is sent once more, as HTTP/1.1, on a connection
// through the hub. From then on both sides get the bytes as they are.
import type { IncomingMessage } from 'node:http'
import { type Duplex, pipeline } from 'node:stream'
import { socketHeaders } from './relay-headers.ts'

/** @param target path with query */
export function relaySocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  tunnel: Duplex,
  { target, host }: { target: string; host: string }
): void {
  if (socket.destroyed) return void tunnel.destroy()
  const headers = { host, connection: 'Upgrade', upgrade: 'websocket', ...socketHeaders(request.headers) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  tunnel.write(`GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  if (head.length > 0) tunnel.write(head)
  pipeline(tunnel, socket, tunnel, () => {
    tunnel.destroy()
    socket.destroy()
  })
}
