// Development proxy in front of the hub: forwards all requests, and adds a script to pages that reloads them after a
// build.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

const SCRIPT_PATH = '/dev/reload.js'
const EVENTS_PATH = '/dev/reload'
// An external script, because the hub's Content-Security-Policy forbids inline scripts.
const SCRIPT = `new EventSource('${EVENTS_PATH}').addEventListener('reload', () => location.reload())\n`

function forwardedFor(incoming: IncomingMessage): Record<string, string> {
  return { 'x-forwarded-for': incoming.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '' }
}

function forwardRequest(incoming: IncomingMessage, outgoing: ServerResponse, hubPort: number): void {
  const isPage = incoming.url === '/' || incoming.url?.endsWith('.html')
  const headers = { ...incoming.headers, ...forwardedFor(incoming) }
  if (isPage) for (const name of ['accept-encoding', 'if-none-match']) delete headers[name]
  const options = { host: '127.0.0.1', port: hubPort, method: incoming.method, path: incoming.url, headers }
  const upstream = request(options, (response) => {
    if (!isPage) {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
      return
    }
    const { 'content-length': _, ...rest } = response.headers
    outgoing.writeHead(response.statusCode ?? 502, rest)
    response.pipe(outgoing, { end: false })
    response.on('end', () => outgoing.end(`<script src="${SCRIPT_PATH}"></script>\n`))
  })
  // The hub restarts: the console retries as with any unreachable hub.
  upstream.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
  outgoing.on('close', () => upstream.destroy())
  incoming.pipe(upstream)
}

function forwardUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, hubPort: number): void {
  const upstream = connect(hubPort, '127.0.0.1', () => {
    const headers = Object.entries({ ...incoming.headers, ...forwardedFor(incoming) })
    const lines = headers.map(([name, value]) => `${name}: ${value}`)
    upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    upstream.write(head)
    socket.pipe(upstream).pipe(socket)
  })
  for (const [source, target] of [
    [upstream, socket],
    [socket, upstream]
  ] as const)
    source.on('error', () => target.destroy()).on('close', () => target.destroy())
}

export interface DevProxy {
  port: number
  /** Reloads every open page. */
  reload(): void
  close(): void
}

/**
 * Starts the proxy.
 * @param port 0: the system chooses a port
 * @throws Error if the port is in use
 */
export async function startDevProxy(hubPort: number, port: number, host: string): Promise<DevProxy> {
  const pages = new Set<ServerResponse>()
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === SCRIPT_PATH) {
      outgoing.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' }).end(SCRIPT)
    } else if (incoming.url === EVENTS_PATH) {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders()
      pages.add(outgoing)
      outgoing.on('close', () => pages.delete(outgoing))
    } else forwardRequest(incoming, outgoing, hubPort)
  })
  server.on('upgrade', (incoming, socket, head) => forwardUpgrade(incoming, socket, head, hubPort))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections()
      server.close()
    },
    reload() {
      for (const page of pages) page.write('event: reload\ndata:\n\n')
    }
  }
}
