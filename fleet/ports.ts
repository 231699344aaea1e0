// What listens on a device: its web page at port 80, and an echo (RFC 862) at port 7 for trying out port forwarding. Both live inside the
// process, since a hundred devices of one machine cannot all have its port 80; and nothing else of that machine is theirs to reach.
import type { Server } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import { Duplex } from 'node:stream'
import { WEB_PAGE_PORT } from '../contract/device/link.ts'
import type { Appliance } from './apis/appliance.ts'
import type { Behaviour } from './behaviour.ts'
import { createWebPage } from './web-page.ts'

const ECHO_PORT = 7

export interface PortsOptions {
  appliance: Appliance
  behaviour(): Behaviour
}

/** Makes the function that answers a CONNECT (contract/device/link.ts). */
export function createPorts({ appliance, behaviour }: PortsOptions) {
  let web: Server | undefined

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
      web ??= createWebPage(appliance, behaviour)
      web.emit('connection', asBytes(stream))
    } else stream.pipe(stream)
  }
}

/**
 * A stream for Node's HTTP to speak through. It writes a head as text and a body as bytes in one go, which a stream of HTTP/2 garbles
 * (Node 24.21): here one piece of bytes is written at a time.
 */
export function asBytes(stream: ServerHttp2Stream): Duplex {
  const bytes = new Duplex({
    read: () => void stream.resume(),
    write: (piece, _encoding, done) => void stream.write(piece, done),
    final: (done) => void stream.end(done),
    destroy(error, done) {
      if (!stream.closed) stream.destroy(error ?? new Error('cut'))
      done(error)
    }
  })
  bytes.on('error', () => {})
  stream.on('data', (piece) => bytes.push(piece) || stream.pause())
  stream.on('end', () => bytes.push(null))
  stream.on('close', () => bytes.destroy(stream.rstCode === constants.NGHTTP2_NO_ERROR ? undefined : new Error('cut')))
  return bytes
}
