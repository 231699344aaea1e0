// Signed in to a device at an address: makes calls, and signs in anew when the device has forgotten.
import type { Socket } from 'node:net'
import { AUTH_FAILED, INVALID_DATA, SUCCESS } from '../../../contract/codes.ts'
import { LinkError } from '../link/link-error.ts'
import type { DeviceAnswer, DeviceRequest } from '../link/request.ts'
import type { FileUpload, UploadOptions } from '../link/upload.ts'
import { exchange, open, type Place, type PlaceAnswer } from './http-call.ts'
import type { Generation } from './logins.ts'
import { sendFile } from './send-file.ts'

export interface SessionOptions {
  generation: Generation
  user: string
  password: string
  /** Serial number; empty while it is not known. */
  sn: string
  /** Where it is now: a name may lead elsewhere than before. @throws LinkError */
  place(): Promise<Place>
  /** Milliseconds for signing in. */
  timeout: number
}

export interface Session {
  /** @throws LinkError as `exchange`; 36 for a login that the device refuses, 49 for an answer to it that is none */
  request(call: DeviceRequest, timeout: number): Promise<DeviceAnswer>
  /** A connection to its web server, whose users sign in for themselves. @throws LinkError as `open` (exchange.ts) */
  connect(timeout: number): Promise<Socket>
  /** Sends a file. @throws LinkError as `request` */
  upload(call: FileUpload, options: UploadOptions): Promise<DeviceAnswer>
  /** Of the last connection: SHA-256 of the certificate, empty without one. */
  readonly cert: string
}

/** Bytes of an answer to a login, and of all cookies. */
const LOGIN_MAX = 16 << 10
const COOKIES_MAX = 4096

export function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Cookies as they are sent back: names and values without what says how long they are good. */
function cookiesOf({ headers }: PlaceAnswer): string {
  const pairs = (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]?.trim() ?? '')
  const joined = pairs.filter((pair) => /^[\w-]+=[!-~]*$/.test(pair)).join('; ')
  return joined.length > COOKIES_MAX ? '' : joined
}

export function createSession({ generation, user, password, sn, place, timeout }: SessionOptions): Session {
  let cert = ''
  let cookies: string | undefined
  let signing: Promise<void> | undefined

  async function ask(call: DeviceRequest, limit: number, cookie?: string): Promise<PlaceAnswer> {
    const headers = { ...call.headers, ...(cookie && { cookie }) }
    const answer = await exchange(await place(), { ...call, headers }, limit)
    cert = answer.cert
    return answer
  }

  async function signIn(): Promise<void> {
    const answer = await ask({ ...generation.login(user, password), maxBody: LOGIN_MAX }, timeout)
    const said = parsed(answer.body)
    const code = generation.code(said)
    if (code !== undefined && generation.refused.includes(code))
      throw new LinkError(AUTH_FAILED, 'the device refuses the login')
    if (code !== SUCCESS) throw new LinkError(INVALID_DATA, 'the answer to the login cannot be read')
    cookies = cookiesOf(answer) || (generation.cookie?.(said, sn) ?? '')
  }

  /** One login at a time, however many calls wait for it. */
  function signedIn(): Promise<void> {
    signing ??= signIn().finally(() => {
      signing = undefined
    })
    return signing
  }

  /** Makes a call, and once more when the device has forgotten who is signed in. */
  async function signedInFor(work: (cookie: string) => Promise<PlaceAnswer>): Promise<DeviceAnswer> {
    if (cookies === undefined) await signedIn()
    const before = cookies
    const answer = await work(before ?? '')
    const code = generation.code(parsed(answer.body))
    if (code === undefined || !generation.signedOut.includes(code)) return answer
    // Another call may have signed in meanwhile, or be about to.
    if (cookies === before) await signedIn()
    return work(cookies ?? '')
  }

  return {
    get cert() {
      return cert
    },
    connect: async (limit) => (await open(await place(), limit)).socket,
    request: (call, limit) => signedInFor((cookie) => ask(call, limit, cookie)),
    upload: (call, options) => signedInFor(async (cookie) => sendFile(await place(), call, cookie, options))
  }
}
