// Connection to a port of a device: carried as an HTTP/2 CONNECT stream over the device link (contract/device/link.ts),
// or made to the address of a device that has none.
import { type ClientHttp2Stream, constants } from 'node:http2'
import type { Socket } from 'node:net'
import type { Link } from '../../../device-link/link.ts'
import { noResponseError, offlineError } from '../../../device-link/link-error.ts'

/** Byte stream to and from the port. Each direction ends separately. Has a listener for 'error'. */
export type Tunnel = ClientHttp2Stream | Socket

/** Milliseconds for the device to connect. */
const CONNECT_TIMEOUT = 10_000

/**
 * Requests a device to connect to its own 127.0.0.1:`port`.
 * @throws LinkError 10007 without a link; 10004 if the connection is refused, or the device does not respond in time
 */
export function openTunnel(link: Link | undefined, sn: string, port: number): Promise<ClientHttp2Stream> {
  return new Promise((resolve, reject) => {
    if (!link?.isUp || link.hasEnded || link.session.closed || link.session.destroyed) return reject(offlineError(sn))
    const stream = link.session.request({ ':method': 'CONNECT', ':authority': `127.0.0.1:${port}` })
    // An 'error' event without a listener would end the process.
    stream.on('error', () => {})
    const fail = (reason: string) => {
      clearTimeout(timer)
      reject(link.hasEnded ? offlineError(sn) : noResponseError(reason))
      stream.close(constants.NGHTTP2_CANCEL)
    }
    const timer = setTimeout(() => fail(`${sn} did not connect to port ${port} in time`), CONNECT_TIMEOUT)
    const onClose = () => fail(`${sn} closed the tunnel`)
    stream.once('close', onClose)
    stream.once('response', (headers) => {
      if (headers[':status'] !== 200) return fail(`${sn} responded with status ${headers[':status']} for port ${port}`)
      clearTimeout(timer)
      stream.off('close', onClose)
      resolve(stream)
    })
  })
}

/**
 * Resets a connection. If its outgoing direction has already ended, a reset cannot be sent, and the connection is
 * closed.
 */
export function resetConnection(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

/** Whether the device, or the loss of its link, has reset a tunnel. */
const isReset = (tunnel: Tunnel): boolean =>
  'rstCode' in tunnel ? tunnel.aborted || tunnel.rstCode !== constants.NGHTTP2_NO_ERROR : tunnel.errored !== null

/** Ends a tunnel that nobody uses. */
export function cancelTunnel(tunnel: Tunnel): void {
  if ('rstCode' in tunnel) tunnel.close(constants.NGHTTP2_CANCEL)
  else tunnel.destroy()
}

/**
 * Carries bytes between a connection and a tunnel, with back-pressure, until both directions have ended or one side is
 * reset.
 */
export function pipeTunnel(socket: Socket, tunnel: Tunnel): void {
  socket.pipe(tunnel)
  tunnel.pipe(socket, { end: false })
  // If the link is lost, 'end' comes before the reset code is known, within the same event loop iteration.
  tunnel.on('end', () => setImmediate(() => isReset(tunnel) || socket.end()))
  tunnel.on('close', () => isReset(tunnel) && resetConnection(socket))
  socket.on('close', (hadError) => {
    // `close` with a code would send an end of stream first, as if the data were complete.
    if (!hadError && socket.readableEnded) return
    if ('rstCode' in tunnel) tunnel.destroy(new Error('the connection was reset'))
    else resetConnection(tunnel)
  })
}
