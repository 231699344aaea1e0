// Session with a device at an address: sends requests, and signs in again when the device has dropped the session.
import type { Socket } from 'node:net'
import { AUTH_FAILED, INVALID_DATA, SUCCESS } from '../../../contract/codes.ts'
import { LinkError } from '../link/link-error.ts'
import type { DeviceRequest, DeviceResponse } from '../link/request.ts'
import type { FileUpload, UploadOptions } from '../link/upload.ts'
import { type DeviceEndpoint, type EndpointResponse, openConnection, sendHttpRequest } from './http-call.ts'
import type { Generation } from './logins.ts'
import { sendFile } from './send-file.ts'

interface SessionOptions {
  generation: Generation
  user: string
  password: string
  /** Serial number; empty if it is not known yet. */
  sn: string
  /** Called for each connection, because a host name may resolve to another address than before. @throws LinkError */
  resolveEndpoint(): Promise<DeviceEndpoint>
  /** Milliseconds for signing in. */
  timeout: number
}

export interface Session {
  /**
   * @throws LinkError as `sendHttpRequest`; 36 if the device refuses the login, 49 if its response to the login is
   * invalid
   */
  request(call: DeviceRequest, timeout: number): Promise<DeviceResponse>
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

/** @returns undefined if the body is not JSON */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
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

export function createSession(options: SessionOptions): Session {
  const { generation, user, password, sn, resolveEndpoint, timeout: loginTimeout } = options
  let cert = ''
  let cookies: string | undefined
  let signingIn: Promise<void> | undefined

  async function send(call: DeviceRequest, timeout: number, cookie?: string): Promise<EndpointResponse> {
    const headers = { ...call.headers, ...(cookie && { cookie }) }
    const response = await sendHttpRequest(await resolveEndpoint(), { ...call, headers }, timeout)
    cert = response.cert
    return response
  }

  async function sendLogin(): Promise<void> {
    const response = await send({ ...generation.login(user, password), maxBody: LOGIN_MAX }, loginTimeout)
    const body = parseJson(response.body)
    const code = generation.code(body)
    if (code !== undefined && generation.loginRefusedCodes.includes(code))
      throw new LinkError(AUTH_FAILED, 'the device refuses the login')
    if (code !== SUCCESS) throw new LinkError(INVALID_DATA, 'the response to the login cannot be read')
    cookies = cookiesOf(response) || (generation.cookie?.(body, sn) ?? '')
  }

  /** Signs in. Calls at the same time share one login. */
  function signIn(): Promise<void> {
    signingIn ??= sendLogin().finally(() => {
      signingIn = undefined
    })
    return signingIn
  }

  /** Sends a request. Repeats it once in a new session if the device has ended the session. */
  async function withSession(work: (cookie: string) => Promise<EndpointResponse>): Promise<DeviceResponse> {
    if (cookies === undefined) await signIn()
    const before = cookies
    const response = await work(before ?? '')
    const code = generation.code(parseJson(response.body))
    if (code === undefined || !generation.sessionExpiredCodes.includes(code)) return response
    // Another request may have signed in meanwhile.
    if (cookies === before) await signIn()
    return work(cookies ?? '')
  }

  return {
    get cert() {
      return cert
    },
    connect: async (timeout) => (await openConnection(await resolveEndpoint(), timeout)).socket,
    async connectToPort(port, timeout) {
      const endpoint = { ...(await resolveEndpoint()), port, https: false }
      return (await openConnection(endpoint, timeout, { allowHalfOpen: true })).socket
    },
    request: (call, timeout) => withSession((cookie) => send(call, timeout, cookie)),
    upload: (file, options) => withSession(async (cookie) => sendFile(await resolveEndpoint(), file, cookie, options))
  }
}
