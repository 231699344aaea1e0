// Stands in front of the hub while the console is worked on: passes everything on, and has its pages reload when told to.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

const SCRIPT_PATH = '/dev/reload.js'
const EVENTS_PATH = '/dev/reload'
// A script of its own: the hub's content security policy forbids inline ones.
const SCRIPT = `new EventSource('${EVENTS_PATH}').addEventListener('reload', () => location.reload())\n`

function forwardedFor(incoming: IncomingMessage): Record<string, string> {
  return { 'x-forwarded-for': incoming.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '' }
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, hubPort: number): void {
  const isPage = incoming.url === '/' || incoming.url?.endsWith('.html')
  const headers = { ...incoming.headers, ...forwardedFor(incoming) }
  if (isPage) for (const name of ['accept-encoding', 'if-none-match']) delete headers[name]
  const options = { host: '127.0.0.1', port: hubPort, method: incoming.method, path: incoming.url, headers }
  const inner = request(options, (answer) => {
    if (!isPage) {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      return
    }
    const { 'content-length': _, ...rest } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, rest)
    answer.pipe(outgoing, { end: false })
    answer.on('end', () => outgoing.end(`<script src="${SCRIPT_PATH}"></script>\n`))
  })
  // The hub is starting anew: the console waits as for any hub that does not answer.
  inner.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
  outgoing.on('close', () => inner.destroy())
  incoming.pipe(inner)
}

function passUpgradeOn(incoming: IncomingMessage, socket: Duplex, head: Buffer, hubPort: number): void {
  const inner = connect(hubPort, '127.0.0.1', () => {
    const headers = Object.entries({ ...incoming.headers, ...forwardedFor(incoming) })
    const lines = headers.map(([name, value]) => `${name}: ${value}`)
    inner.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    inner.write(head)
    socket.pipe(inner).pipe(socket)
  })
  for (const [one, other] of [
    [inner, socket],
    [socket, inner]
  ] as const)
    one.on('error', () => other.destroy()).on('close', () => other.destroy())
}

export interface DevDoor {
  port: number
  /** Has every open page reload. */
  reload(): void
  close(): void
}

/**
 * @param port 0 lets the system choose
 * @throws when the port is taken
 */
export async function startDevDoor(hubPort: number, port: number, host: string): Promise<DevDoor> {
  const pages = new Set<ServerResponse>()
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === SCRIPT_PATH) {
      outgoing.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' }).end(SCRIPT)
    } else if (incoming.url === EVENTS_PATH) {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders()
      pages.add(outgoing)
      outgoing.on('close', () => pages.delete(outgoing))
    } else passOn(incoming, outgoing, hubPort)
  })
  server.on('upgrade', (incoming, socket, head) => passUpgradeOn(incoming, socket, head, hubPort))
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
