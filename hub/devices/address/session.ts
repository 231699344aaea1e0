// Session with a device at an address: sends requests, and signs in again when the device has dropped the session.
// Sends one request at a time, because some devices accept one connection only.
import type { Socket } from 'node:net'
import { AUTH_FAILED, DEVICE_BUSY, INVALID_DATA, SUCCESS } from '../../../contract/codes.ts'
import { LinkError } from '../../../device-link/link-error.ts'
import type { DeviceRequest, DeviceResponse } from '../../../device-link/request.ts'
import { createConcurrencyLimit } from '../concurrency-limit.ts'
import type { FileUpload, UploadOptions } from '../link/upload.ts'
import {
  type DeviceEndpoint,
  type EndpointResponse,
  openConnection,
  sendHttpRequest,
  silenceLimit
} from './http-call.ts'
import type { Generation } from './logins.ts'
import { sendFile } from './send-file.ts'

interface SessionOptions {
  generation: Generation
  user: string
  password: string
  /** Serial number; empty if it is not known yet. */
  sn: string
  /**
   * Called for each connection, because a host name may resolve to another address than before.
   * @param port another port of the device than that of its API, without HTTPS
   * @throws LinkError
   */
  resolveEndpoint(port?: number): Promise<DeviceEndpoint>
  /** Milliseconds for signing in. */
  timeout: number
}

export interface Session {
  /**
   * @param timeout milliseconds, including those in which the hub waits for the response to an earlier request
   * @throws LinkError as `sendHttpRequest`; 36 if the device refuses the login, 49 if its response to the login is
   * invalid; 42 if the request was not sent, because the device did not respond to an earlier one in time or receives a
   * file
   */
  request(call: DeviceRequest, timeout: number): Promise<DeviceResponse>
  /**
   * As `request`, after all earlier requests, however long they take.
   * @param timeout milliseconds from then on
   */
  requestLast(call: DeviceRequest, timeout: number): Promise<DeviceResponse>
  /** Connects to the web server of the device, where users sign in themselves. @throws LinkError as `openConnection` */
  connect(timeout: number): Promise<Socket>
  /** Connects to another port of the device. Each direction ends separately. @throws LinkError as `openConnection` */
  connectToPort(port: number, timeout: number): Promise<Socket>
  /** Sends a file. @throws LinkError as `request` */
  upload(file: FileUpload, options: UploadOptions): Promise<DeviceResponse>
  /** SHA-256 of the certificate of the last connection as hex; empty without HTTPS. */
  readonly cert: string
}

/** Maximum size in bytes of the response to a login, and of all cookies. */
const LOGIN_MAX = 16 << 10
const COOKIES_MAX = 4096

/** @returns undefined if the text is not JSON */
export function parseJson(text: Buffer | string): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return undefined
  }
}

/** Cookies of a response as a Cookie header: names and values without attributes. */
function cookiesOf({ headers }: EndpointResponse): string {
  const pairs = (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]?.trim() ?? '')
  const cookies = pairs.filter((pair) => /^[\w-]+=[!-~]*$/.test(pair)).join('; ')
  return cookies.length > COOKIES_MAX ? '' : cookies
}

/** The connections of a session on which the hub sends no requests of its own. */
export const directConnections = (
  resolveEndpoint: SessionOptions['resolveEndpoint']
): Pick<Session, 'connect' | 'connectToPort'> => ({
  connect: async (timeout) => (await openConnection(await resolveEndpoint(), timeout)).socket,
  connectToPort: async (port, timeout) =>
    (await openConnection(await resolveEndpoint(port), timeout, { allowHalfOpen: true })).socket
})

export function createSession(options: SessionOptions): Session {
  const { generation, user, password, sn, resolveEndpoint, timeout: loginTimeout } = options
  let cert = ''
  let cookies: string | undefined
  const connection = createConcurrencyLimit(1)
  let uploads = 0
  /** Milliseconds of the last response to a quick request, and of the one before. */
  let responseTimes: readonly [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]

  async function send(call: DeviceRequest, timeout: number, cookie?: string): Promise<EndpointResponse> {
    const headers = { ...call.headers, ...(cookie && { cookie }) }
    const endpoint = await resolveEndpoint()
    const silenceMax = call.isQuick ? silenceLimit(Math.min(...responseTimes)) : undefined
    const startedAt = performance.now()
    const response = await sendHttpRequest(endpoint, { ...call, headers }, timeout, silenceMax)
    if (call.isQuick) responseTimes = [performance.now() - startedAt, responseTimes[0]]
    cert = response.cert
    return response
  }

  async function signIn(): Promise<void> {
    const response = await send({ ...generation.login(user, password), maxBody: LOGIN_MAX }, loginTimeout)
    const body = parseJson(response.body)
    const code = generation.code(body)
    if (code !== undefined && generation.loginRefusedCodes.includes(code))
      throw new LinkError(AUTH_FAILED, 'the device refuses the login')
    if (code !== SUCCESS) throw new LinkError(INVALID_DATA, 'the response to the login cannot be read')
    cookies = cookiesOf(response) || (generation.cookie?.(body, sn) ?? '')
  }

  /** Sends a request. Repeats it once in a new session if the device has ended the session. */
  async function withSession(work: (cookie: string) => Promise<EndpointResponse>): Promise<DeviceResponse> {
    if (cookies === undefined) await signIn()
    const response = await work(cookies ?? '')
    const code = generation.code(parseJson(response.body))
    if (code === undefined || !generation.sessionExpiredCodes.includes(code)) return response
    await signIn()
    return work(cookies ?? '')
  }

  async function request(call: DeviceRequest, timeout: number): Promise<DeviceResponse> {
    if (uploads > 0) throw new LinkError(DEVICE_BUSY, 'the device receives a file')
    const deadline = performance.now() + timeout
    const release = await connection.acquireWithin(timeout)
    if (!release) throw new LinkError(DEVICE_BUSY, 'the device has not responded to an earlier request yet')
    return withSession((cookie) => send(call, Math.max(1, Math.ceil(deadline - performance.now())), cookie)).finally(
      release
    )
  }

  async function requestLast(call: DeviceRequest, timeout: number): Promise<DeviceResponse> {
    const release = await connection.acquire()
    return withSession((cookie) => send(call, timeout, cookie)).finally(release)
  }

  async function upload(file: FileUpload, uploadOptions: UploadOptions): Promise<DeviceResponse> {
    uploads++
    const release = await connection.acquire()
    return withSession(async (cookie) => sendFile(await resolveEndpoint(), file, cookie, uploadOptions)).finally(() => {
      uploads--
      release()
    })
  }

  return {
    get cert() {
      return cert
    },
    ...directConnections(resolveEndpoint),
    request,
    requestLast,
    upload
  }
}
