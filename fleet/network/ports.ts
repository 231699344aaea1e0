// Ports of a device that the hub can connect to: its web page on port 80, and an echo service (RFC 862) on port 7 for tests of port
// forwarding. Both run inside the process without listening on a real port, because many devices share one machine. Other ports of the
// machine cannot be reached.
import type { Server } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import { Duplex } from 'node:stream'
import { WEB_PAGE_PORT } from '../../contract/device/link.ts'
import type { Appliance } from '../apis/appliance.ts'
import type { Behaviour } from '../behaviour.ts'
import { createWebPage } from './web-page.ts'

const ECHO_PORT = 7

interface ConnectHandlerOptions {
  appliance: Appliance
  behaviour(): Behaviour
}

/** Creates the handler of CONNECT requests (contract/device/link.ts). */
export function createConnectHandler({ appliance, behaviour }: ConnectHandlerOptions) {
  let webServer: Server | undefined

  return (stream: ServerHttp2Stream, authority: string): void => {
    const [host, port] = authority.split(':')
    const isOwn = host === '127.0.0.1' || host === 'localhost'
    if (behaviour() === 'stall') return
    const isWeb = Number(port) === WEB_PAGE_PORT && appliance.entry.model.api !== 'none'
    if (!isOwn || !(isWeb || Number(port) === ECHO_PORT)) {
      stream.respond({ ':status': 502 }, { endStream: true })
      return
    }
    stream.respond({ ':status': 200 })
    if (isWeb) {
      webServer ??= createWebPage(appliance, behaviour)
      webServer.emit('connection', tunnelAsDuplex(stream))
    } else stream.pipe(stream)
  }
}

/**
 * Wraps a stream for Node's HTTP server, which writes headers as text and a body as bytes in one batch. HTTP/2 streams corrupt such a batch
 * (Node 24.21), so the wrapper writes one chunk of bytes at a time.
 */
export function tunnelAsDuplex(stream: ServerHttp2Stream): Duplex {
  const duplex = new Duplex({
    read: () => void stream.resume(),
    write: (chunk, _encoding, done) => void stream.write(chunk, done),
    final: (done) => void stream.end(done),
    destroy(error, done) {
      if (!stream.closed) stream.destroy(error ?? new Error('the connection was reset'))
      done(error)
    }
  })
  duplex.on('error', () => {})
  stream.on('data', (chunk) => duplex.push(chunk) || stream.pause())
  stream.on('end', () => duplex.push(null))
  stream.on('close', () => {
    const isReset = stream.rstCode !== constants.NGHTTP2_NO_ERROR
    duplex.destroy(isReset ? new Error('the connection was reset') : undefined)
  })
  return duplex
}
