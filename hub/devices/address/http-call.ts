// One call to a device at an address, over a connection of its own: plain HTTP, or HTTPS with the certificate that counts.

import { createHash } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { CONN_REFUSED, NO_RESPONSE, TARGET_TIMEOUT, VERIFY_FAILED } from '../../../contract/codes.ts'
import { LinkError, noAnswer } from '../link/link-error.ts'
import { gather } from '../link/read-body.ts'
import type { DeviceRequest } from '../link/request.ts'

/** Where a connection goes. */
export interface Place {
  /** IPv4 address that was judged. */
  ip: string
  /** As it was named, for the Host header. */
  name: string
  port: number
  https: boolean
  /** SHA-256 of the only certificate that is taken, as hex; empty: whichever comes. */
  cert: string
}

export interface PlaceAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** Of the certificate that was met; empty without one. */
  cert: string
}

const BODY_MAX = 8 << 20
/** Milliseconds for a connection, within the time that a call has. */
const CONNECT = 4000

/** What the system says of a connection that did not come about, in the hub's codes. */
function failed(error: NodeJS.ErrnoException): LinkError {
  if (error instanceof LinkError) return error
  const code =
    error.code === 'ECONNREFUSED'
      ? CONN_REFUSED
      : /^E(HOST|NET)UNREACH$/.test(error.code ?? '')
        ? NO_RESPONSE
        : TARGET_TIMEOUT
  return new LinkError(code, error.code ?? 'the connection failed')
}

/**
 * Connects, and looks at the certificate before a byte of ours is sent.
 * @param limit milliseconds
 * @throws LinkError as `exchange`
 */
export function open({ ip, port, https, cert }: Place, limit: number): Promise<{ socket: Socket; cert: string }> {
  return new Promise((resolve, reject) => {
    // Nobody has signed it: what counts is that it is the same as before (device-address.ts).
    const tls = https ? connectTls({ host: ip, port, rejectUnauthorized: false }) : undefined
    const socket = tls ?? connect({ host: ip, port })
    const timer = setTimeout(() => socket.destroy(new LinkError(TARGET_TIMEOUT, 'no connection in time')), limit)
    socket.on('error', (error) => reject(failed(error)))
    socket.on('close', () => {
      clearTimeout(timer)
      reject(noAnswer('the connection was closed'))
    })
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      const raw = tls?.getPeerCertificate().raw
      const met = raw ? createHash('sha256').update(raw).digest('hex') : ''
      if (!https || cert === '' || met === cert) return resolve({ socket, cert: met })
      reject(new LinkError(VERIFY_FAILED, 'the device has another certificate than before'))
      socket.destroy()
    })
  })
}

/**
 * Makes a call and waits for the whole answer. Redirects are answers like others: nobody follows them.
 * @param timeout milliseconds until the last byte of it
 * @throws LinkError 44, 47, 10004 where there is no usable answer, 40 for another certificate
 */
export async function exchange(place: Place, call: DeviceRequest, timeout: number): Promise<PlaceAnswer> {
  const { method, path, headers, body, maxBody = BODY_MAX } = call
  const signal = AbortSignal.timeout(timeout)
  const { socket, cert } = await open(place, Math.min(CONNECT, timeout))
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error)
      socket.destroy()
    }
    const late = () => fail(noAnswer(`no answer within ${timeout / 1000} s`))
    if (signal.aborted) return late()
    signal.addEventListener('abort', late, { once: true })
    const outgoing = request({
      createConnection: () => socket,
      host: place.name,
      port: place.port,
      method,
      path,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) }
    })
    outgoing.on('error', () => fail(noAnswer('the device broke off')))
    outgoing.on('response', (incoming) => {
      const said = gather(incoming, maxBody, fail)
      incoming.on('close', () => {
        signal.removeEventListener('abort', late)
        socket.destroy()
        if (!incoming.complete) return reject(noAnswer('the device broke off its answer'))
        const { statusCode: status = 0, headers: received } = incoming
        resolve({ status, headers: received, body: said(), cert })
      })
    })
    outgoing.end(body)
  })
}
