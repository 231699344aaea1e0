// A connection to a port of a device, carried as an HTTP/2 CONNECT over its link (contract/device/link.ts).
import { type ClientHttp2Stream, constants } from 'node:http2'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Link } from './link.ts'
import { noAnswer, offline } from './link-error.ts'

/** What goes in comes out at the port, and the other way; each direction ends by itself. Errors are heard already. */
export type Tunnel = ClientHttp2Stream

/** Milliseconds for the device to connect. */
const CONNECT_TIMEOUT = 10_000

/**
 * Has a device connect to its own 127.0.0.1:`port`.
 * @throws LinkError 10007 without a link; 10004 when nothing listens there, or when the device does not say in time
 */
export function openTunnel(link: Link | undefined, sn: string, port: number): Promise<Tunnel> {
  return new Promise((resolve, reject) => {
    if (!link?.isUp || link.isOver || link.session.closed || link.session.destroyed) return reject(offline(sn))
    const stream = link.session.request({ ':method': 'CONNECT', ':authority': `127.0.0.1:${port}` })
    // Without a listener an error would end the hub.
    stream.on('error', () => {})
    const fail = (why: string) => {
      clearTimeout(timer)
      reject(link.isOver ? offline(sn) : noAnswer(why))
      stream.close(constants.NGHTTP2_CANCEL)
    }
    const timer = setTimeout(() => fail(`${sn} did not connect to port ${port}`), CONNECT_TIMEOUT)
    const gone = () => fail(`${sn} broke off`)
    stream.once('close', gone)
    stream.once('response', (headers) => {
      if (headers[':status'] !== 200) return fail(`${sn} answered ${headers[':status']} for port ${port}`)
      clearTimeout(timer)
      stream.off('close', gone)
      resolve(stream)
    })
  })
}

/** Ends a connection as broken off. One whose own direction has ended cannot say that any more, and is closed. */
export function cut(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

/** Carries bytes between a connection and a tunnel, each direction as fast as its reader, until both have ended or one is cut. */
export function join(socket: Socket, tunnel: Tunnel): void {
  const isCut = () => tunnel.aborted || tunnel.rstCode !== constants.NGHTTP2_NO_ERROR
  socket.pipe(tunnel)
  tunnel.pipe(socket, { end: false })
  // Of a link that is lost the end comes first, and what it was in the same breath.
  tunnel.on('end', () => setImmediate(() => isCut() || socket.end()))
  tunnel.on('close', () => isCut() && cut(socket))
  socket.on('close', (broken) => {
    // `close` with a code would send an end first, as if all had been said.
    if (broken || !socket.readableEnded) tunnel.destroy(new Error('cut'))
  })
}

/**
 * A stream for Node's HTTP to speak through. It writes a head as text and a body as bytes in one go, which a stream of HTTP/2 garbles
 * (Node 24.21): here one piece of bytes is written at a time.
 */
export function asBytes(stream: Tunnel): Duplex {
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
