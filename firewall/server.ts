// The socket on which the service listens. Its folder lets only the user of the hub reach it.
import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { type FirewallResponse, parseRequest, REQUEST_MAX } from './protocol.ts'
import type { FirewallService } from './service.ts'

/**
 * Connections at once, requests at once (those of connections that were closed included), and milliseconds for a
 * request to arrive.
 */
const CONNECTIONS_MAX = 8
const REQUESTS_MAX = 8
const REQUEST_TIMEOUT = 5000

function respond(socket: Socket, response: FirewallResponse): void {
  socket.end(`${JSON.stringify(response)}\n`)
}

type Handle = FirewallService['handle']

/** Refuses more requests at once than `REQUESTS_MAX`. */
function limitRequests(handle: Handle): Handle {
  let count = 0
  return async (request) => {
    if (count >= REQUESTS_MAX) return { error: 'failed', detail: 'too many requests' }
    count++
    try {
      return await handle(request)
    } finally {
      count--
    }
  }
}

function serve(socket: Socket, handle: Handle): void {
  let text = ''
  const timer = setTimeout(() => socket.destroy(), REQUEST_TIMEOUT)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => clearTimeout(timer))
  socket.on('end', () => {
    if (text !== '') socket.destroy()
  })
  socket.setEncoding('utf8')
  socket.on('data', (chunk) => {
    text += chunk
    const end = text.indexOf('\n')
    if (end < 0 && text.length <= REQUEST_MAX) return
    clearTimeout(timer)
    socket.removeAllListeners('data')
    socket.resume()
    const request = end >= 0 && end <= REQUEST_MAX ? parseRequest(text.slice(0, end)) : undefined
    text = ''
    if (!request) respond(socket, { error: 'invalid' })
    else void handle(request).then((response) => respond(socket, response))
  })
}

/**
 * Listens on a Unix socket, which replaces one that an earlier process has left. The group of the process may connect.
 */
export function listen(path: string, service: Pick<FirewallService, 'handle'>): Promise<Server> {
  rmSync(path, { force: true })
  const handle = limitRequests((request) => service.handle(request))
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, handle))
  server.maxConnections = CONNECTIONS_MAX
  const mask = process.umask(0o117)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      process.umask(mask)
      resolve(server)
    })
  })
}
