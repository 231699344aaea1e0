// The web server: one fetch handler for everything, and its door to the network.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { isLoopback } from '../auth/gate.ts'
import type { Peer } from './api.ts'

/** Headers of every answer. The console needs nothing from elsewhere, and nobody may frame it. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The console's own requests say where they come from, and nobody else learns it: `origin.ts` asks for it.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin'
}

export function withSecurity(response: Response): Response {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value)
  return response
}

/**
 * Where a request comes from. A front server on this machine says so in X-Forwarded-For; its last entry is the one it
 * wrote itself. From anywhere else the header is the sender's invention.
 */
export function peerOf(headers: { get(name: string): string | null }, socket: Pick<Socket, 'remoteAddress'>): Peer {
  const direct = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const forwarded = isLoopback(direct) ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  const secure = 'encrypted' in socket || (isLoopback(direct) && headers.get('x-forwarded-proto') === 'https')
  return { address: forwarded || direct, secure }
}

/**
 * What a connection may take up, in bytes and milliseconds. Node looks after the time-outs at each interval. A whole request may take as
 * long as an update of the console does over a line of 16 kbit/s.
 */
export const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2000
}

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export interface Listening {
  port: number
  close(): Promise<void>
}

/**
 * Listens for browsers.
 * @param port 0 lets the system choose
 * @throws when the port is taken or the address is not ours
 */
export async function listen(
  fetch: (request: Request, peer: Peer) => Promise<Response>,
  upgrade: Upgrade,
  port: number,
  host: string,
  limits = LIMITS
): Promise<Listening> {
  const listener = getRequestListener(
    (request, env) => fetch(request, peerOf(request.headers, (env as { incoming: IncomingMessage }).incoming.socket)),
    { overrideGlobalObjects: false, hostname: host }
  )
  const server: Server = createServer(limits, listener)
  const sockets = new Set<Duplex>()
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    try {
      upgrade(request, socket, head)
    } catch (error) {
      // Thrown here it would end the hub.
      console.error('upgrade:', error)
      socket.destroy()
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await closed
    }
  }
}
