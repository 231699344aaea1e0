// Requests to the licence server. Its answers are accepted only if a trusted key has signed them for this request and
// this machine.
import { type KeyObject, randomUUID } from 'node:crypto'
import { LICENSE_STATE } from '../../contract/license/license.ts'
import type { ServerRequest } from '../../license/server/serve.ts'
import {
  LICENSE_FILE_MAX,
  type LicenseStatement,
  openLicense,
  openServerStatement,
  type SignedStatement,
  type StatementFault
} from '../../license/statement.ts'

export type LicenseAction = 'activate' | 'check' | 'deactivate'

/** Milliseconds for a whole answer. */
export const SERVER_TIMEOUT = 10_000

/** The state of a licence whose signed statement is refused. */
export const STATE_OF_FAULT: Readonly<Record<StatementFault, number>> = {
  damaged: LICENSE_STATE.invalid,
  signature: LICENSE_STATE.caLicenseError,
  'key-unknown': LICENSE_STATE.caKeyError
}

/**
 * Checks the address of a licence server, and returns it without the `/` at its end. @throws Error for another kind of
 * address
 */
export function parseServerAddress(text: string): string {
  const { protocol, username, search, hash } = URL.parse(text) ?? {}
  if (!protocol || !['http:', 'https:'].includes(protocol) || username || search || hash)
    throw new Error(`LICENSE_SERVER: ${text} is not an address like http://licenses.example.com:8090`)
  return text.replace(/\/+$/, '')
}

/** The licence server cannot be reached, or does not answer in time. */
export class ServerAwayError extends Error {}

/** The licence server answered, but its answer is not trusted. */
export class UntrustedAnswerError extends Error {
  /** `LICENSE_STATE`. */
  readonly state: number
  constructor(message: string, state: number = LICENSE_STATE.error) {
    super(message)
    this.state = state
  }
}

export interface TrustedAnswer {
  /** `LICENSE_STATE`. */
  state: number
  /** Milliseconds since the epoch by the server's clock. */
  time: number
  /** Only if `state` is `valid`. */
  license?: { signed: SignedStatement; statement: LicenseStatement }
}

interface Question {
  /** Address of the server, without a path. */
  server: string
  trusted: readonly KeyObject[]
  action: LicenseAction
  title: string
  sn: string
  /** Fingerprint of this machine. */
  machine: string
}

/**
 * Sends a request to the licence server.
 * @throws ServerAwayError, UntrustedAnswerError
 */
export async function askLicenseServer({ server, trusted, action, ...licence }: Question): Promise<TrustedAnswer> {
  const { title, sn, machine } = licence
  const request: ServerRequest = { 'user-name': title, sn, machine, nonce: randomUUID() }
  const answer = openServerStatement(await post(`${server}/${action}`, request), trusted, request.nonce)
  if (typeof answer === 'string')
    throw new UntrustedAnswerError(
      `its answer is refused: ${answer}`,
      answer === 'damaged' ? undefined : STATE_OF_FAULT[answer]
    )
  const { state, time, license: signed } = answer
  if (action === 'deactivate' || state !== LICENSE_STATE.valid) return { state, time }
  const statement = openLicense(signed, trusted)
  if (!signed || typeof statement === 'string') throw new UntrustedAnswerError('its answer has no licence')
  if (statement.machine !== machine) throw new UntrustedAnswerError('it answered with a licence for another machine')
  if (statement.sn !== sn || statement.title !== title)
    throw new UntrustedAnswerError('it answered with another licence')
  return { state, time, license: { signed, statement } }
}

/** Sends a request and reads the answer as JSON. @throws ServerAwayError, UntrustedAnswerError */
async function post(url: string, request: ServerRequest): Promise<unknown> {
  let body: Buffer
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify(request),
      headers: { 'content-type': 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(SERVER_TIMEOUT)
    })
    if (response.status >= 500) throw new ServerAwayError(`status ${response.status}`)
    if (response.status !== 200) throw new UntrustedAnswerError(`status ${response.status}`)
    body = await readLimited(response)
  } catch (error) {
    if (error instanceof UntrustedAnswerError || error instanceof ServerAwayError) throw error
    const { cause, message } = error as Error
    throw new ServerAwayError(cause instanceof Error ? cause.message : message)
  }
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new UntrustedAnswerError('its answer is not JSON')
  }
}

/** Reads at most as many bytes as a licence file may have. @throws UntrustedAnswerError if there are more */
async function readLimited(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > LICENSE_FILE_MAX) throw new UntrustedAnswerError('its answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
