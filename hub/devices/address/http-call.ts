// Sends one request to a device at an address, over a separate connection: HTTP, or HTTPS with a pinned certificate.

import { createHash } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { CONN_REFUSED, NO_RESPONSE, TARGET_TIMEOUT } from '../../../contract/codes.ts'
import { CertificateError, LinkError, noResponseError, SilenceError } from '../../../device-link/link-error.ts'
import { collectBody } from '../../../device-link/read-body.ts'
import type { DeviceRequest } from '../../../device-link/request.ts'

export interface DeviceEndpoint {
  /** IP address that passed the address policy. */
  ip: string
  /** Address or host name as entered by the user, for the Host header. */
  name: string
  port: number
  https: boolean
  /** SHA-256 of the pinned certificate as hex. Empty: any certificate is accepted. */
  cert: string
  /** Address of this machine from which the connection is made; absent: the system chooses. */
  localAddress?: string
}

export interface EndpointResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** SHA-256 of the device's certificate as hex; empty without HTTPS. */
  cert: string
}

const DEFAULT_BODY_MAX = 8 << 20
/** Milliseconds to connect, within the timeout of the request. */
const CONNECT_TIMEOUT = 4000

/** Translates an error of the system into a result code. */
function connectionError(error: NodeJS.ErrnoException): LinkError {
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
 * Connects to a device, and checks its certificate before anything is sent.
 * @param timeout milliseconds
 * @param options `allowHalfOpen`: a plain connection stays open for sending when the device has ended its direction
 * @throws LinkError as `sendHttpRequest`
 */
export function openConnection(
  { ip, port, https, cert, localAddress }: DeviceEndpoint,
  timeout: number,
  { allowHalfOpen = false } = {}
): Promise<{ socket: Socket; cert: string }> {
  return new Promise((resolve, reject) => {
    // The certificates of devices are self-signed. The hub checks that it is the same one as on the first connection.
    const target = { host: ip, port, ...(localAddress !== undefined && { localAddress }) }
    const tls = https ? connectTls({ ...target, rejectUnauthorized: false }) : undefined
    const socket = tls ?? connect({ ...target, allowHalfOpen })
    const timer = setTimeout(() => socket.destroy(new LinkError(TARGET_TIMEOUT, 'the connection timed out')), timeout)
    socket.on('error', (error) => reject(connectionError(error)))
    socket.on('close', () => {
      clearTimeout(timer)
      reject(noResponseError('the connection was closed'))
    })
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      const raw = tls?.getPeerCertificate().raw
      const received = raw ? createHash('sha256').update(raw).digest('hex') : ''
      if (!https || cert === '' || received === cert) return resolve({ socket, cert: received })
      reject(new CertificateError(received))
      socket.destroy()
    })
  })
}

/**
 * Milliseconds without a byte after which a device counts as offline, unless it usually takes long: then this many
 * times as long as usual.
 */
const SILENCE_MAX = 2400
const SILENCE_FACTOR = 8

/** The limit for one device. @param usual milliseconds that its responses usually take */
export const silenceLimit = (usual: number): number => Math.max(SILENCE_MAX, SILENCE_FACTOR * usual)

/** Connects for a request. @throws SilenceError if the device has not accepted the connection within `silenceMax` */
async function connectWithin(endpoint: DeviceEndpoint, timeout: number, silenceMax: number) {
  const startedAt = performance.now()
  try {
    return await openConnection(endpoint, Math.min(CONNECT_TIMEOUT, timeout, silenceMax))
  } catch (error) {
    const isTimeout = error instanceof LinkError && error.code === TARGET_TIMEOUT
    throw isTimeout && performance.now() - startedAt > silenceMax - 1 ? new SilenceError() : error
  }
}

/** Calls a listener when a socket has received nothing for a time in milliseconds. */
function watchSilence(socket: Socket, silenceMax: number, onSilence: () => void): void {
  if (!Number.isFinite(silenceMax)) return
  socket.setTimeout(silenceMax, () => {
    const { bytesRead } = socket
    // If the hub itself was delayed, the response has arrived meanwhile, and is read before this runs.
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) onSilence()
    })
  })
}

/**
 * Sends a request and waits for the complete response. Redirects are not followed.
 * @param timeout milliseconds until the last byte of the response
 * @param silenceMax milliseconds without a byte after which the device counts as offline
 * @throws LinkError 44 (connection refused), 47 (no response) or 10004 if there is no usable response, 40 if the
 * certificate has changed
 * @throws SilenceError after `silenceMax`
 */
export async function sendHttpRequest(
  endpoint: DeviceEndpoint,
  call: DeviceRequest,
  timeout: number,
  silenceMax = Number.POSITIVE_INFINITY
): Promise<EndpointResponse> {
  const { method, path, headers, body, maxBody = DEFAULT_BODY_MAX } = call
  const signal = AbortSignal.timeout(timeout)
  const { socket, cert } = await connectWithin(endpoint, timeout, silenceMax)
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error)
      socket.destroy()
    }
    const onTimeout = () => fail(noResponseError(`no response within ${timeout / 1000} s`))
    if (signal.aborted) return onTimeout()
    signal.addEventListener('abort', onTimeout, { once: true })
    watchSilence(socket, silenceMax, () => fail(new SilenceError()))
    const outgoing = request({
      createConnection: () => socket,
      host: endpoint.name,
      port: endpoint.port,
      method,
      path,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) }
    })
    outgoing.on('error', () => fail(noResponseError('the device closed the connection')))
    outgoing.on('response', (incoming) => {
      const collectedBody = collectBody(incoming, maxBody, fail)
      incoming.on('close', () => {
        signal.removeEventListener('abort', onTimeout)
        socket.destroy()
        if (!incoming.complete) return reject(noResponseError('the device aborted its response'))
        const { statusCode: status = 0, headers: received } = incoming
        resolve({ status, headers: received, body: collectedBody(), cert })
      })
    })
    outgoing.end(body)
  })
}
