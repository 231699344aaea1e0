// The web server: listens on a port and passes requests to one fetch handler.

import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { isLoopback } from '../auth/gate.ts'
import { logger } from '../log/logger.ts'
import type { Peer } from './api.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'

/** Headers of every response. The console loads nothing from other origins, and must not be framed. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The console's own requests carry a Referer, which `origin.ts` checks; requests to other sites do not.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin'
}

export function addSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}

/**
 * The client's address, and whether it uses TLS. X-Forwarded-For and X-Forwarded-Proto count only from a reverse proxy on this machine. The
 * last entry of X-Forwarded-For is the one that the proxy added; the others may be forged.
 */
export function peerOf(headers: { get(name: string): string | null }, socket: Pick<Socket, 'remoteAddress'>): Peer {
  const direct = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const forwarded = isLoopback(direct) ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  const secure = 'encrypted' in socket || (isLoopback(direct) && headers.get('x-forwarded-proto') === 'https')
  return { address: forwarded || direct, secure }
}

/**
 * Limits of a connection in bytes and milliseconds. Node checks the timeouts at each interval. `requestTimeout` is long enough for a console
 * update over a line of 16 kbit/s.
 */
export const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2000
}

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export interface HttpServer {
  port: number
  close(): Promise<void>
}

/**
 * Starts the web server.
 * @param port 0 lets the system choose
 * @param onUpgrade called for requests that ask for another protocol, such as WebSocket
 * @throws when the port is in use or the address is not one of this machine
 */
export async function listen(
  fetch: (request: Request, peer: Peer) => Promise<Response>,
  onUpgrade: UpgradeListener,
  port: number,
  host: string,
  limits = LIMITS
): Promise<HttpServer> {
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
      onUpgrade(request, socket, head)
    } catch (error) {
      // An uncaught error would end the hub.
      logger.error('Upgrade request failed', error)
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
