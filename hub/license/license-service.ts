// The licence of this hub: stores it, decides whether it is in force, and checks it once a day with the licence server. A licence that ends
// stops nothing; only more than the built-in limits is then refused.
import { type KeyObject, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  evaluateLicense,
  FREE_LIMITS,
  LICENSE_STATE,
  type LicenseLimits,
  type LicenseReason
} from '../../contract/license/license.ts'
import type { ServerRequest } from '../../license/server/serve.ts'
import {
  LICENSE_FILE_MAX,
  type LicenseStatement,
  openLicense,
  openServerStatement,
  type ServerStatement,
  type SignedStatement,
  type StatementFault,
  type StoredLicense
} from '../../license/statement.ts'
import { logger } from '../../process-log/logger.ts'
import type { SettingsStore } from '../store/settings.ts'

export interface LicenseStatus {
  /** `LICENSE_STATE`. */
  state: number
  reason?: LicenseReason
  statement?: LicenseStatement
  /** When the licence server answered last, in milliseconds since the epoch. */
  checkedAt?: number
  /** Limits in force. */
  limits: LicenseLimits
}

export interface LicenseOptions {
  settings: SettingsStore
  /** Public keys of the issuers. */
  trusted: readonly KeyObject[]
  /** Fingerprint of this machine. */
  machine: string
  /** Address of the licence server, without a path; undefined: licences come from files only. */
  server: string | undefined
  now: () => number
  /** The state may have changed. */
  onChange(): void
}

const STATE_OF_FAULT: Readonly<Record<StatementFault, number>> = {
  damaged: LICENSE_STATE.invalid,
  signature: LICENSE_STATE.caLicenseError,
  'key-unknown': LICENSE_STATE.caKeyError
}

const HOUR = 60 * 60 * 1000
const CHECK_INTERVAL = 24 * HOUR
const SERVER_TIMEOUT = 10_000

/** The licence server did not answer, or not as a licence server does. */
export class LicenseServerError extends Error {}

export class LicenseService {
  readonly #options: LicenseOptions
  #timer: NodeJS.Timeout | undefined

  constructor(options: LicenseOptions) {
    this.#options = options
  }

  /** Fingerprint of this machine. */
  get machine(): string {
    return this.#options.machine
  }

  /** Whether a licence server is configured. */
  get hasServer(): boolean {
    return this.#options.server !== undefined
  }

  /** Starts to note the time, and to check the licence with its server. */
  start(): void {
    this.#tick()
    this.#timer = setInterval(() => this.#tick(), HOUR)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  status(): LicenseStatus {
    const { settings, trusted, machine, now } = this.#options
    const stored = settings.get('license')
    if (!stored) return { state: LICENSE_STATE.none, limits: FREE_LIMITS }
    const statement = openLicense(stored.signed, trusted)
    if (typeof statement === 'string') return { state: STATE_OF_FAULT[statement], limits: FREE_LIMITS }
    const { server } = stored
    const { state, reason } = evaluateLicense(
      { ...statement, ...(server && { server }) },
      { machine, now: now(), latest: Math.max(settings.get('license-clock'), statement.issued) }
    )
    return {
      state,
      ...(reason && { reason }),
      statement,
      ...(server && { checkedAt: server.at }),
      limits: state === LICENSE_STATE.valid ? statement.limits : FREE_LIMITS
    }
  }

  /** Stores the licence of a file. Returns its state; a licence that is not valid is not stored. */
  install(signed: unknown): number {
    const { settings, trusted, machine, now } = this.#options
    const statement = openLicense(signed, trusted)
    if (typeof statement === 'string') return STATE_OF_FAULT[statement]
    const { state } = evaluateLicense(statement, { machine, now: now(), latest: settings.get('license-clock') })
    if (state === LICENSE_STATE.valid) this.store({ signed: signed as SignedStatement })
    return state
  }

  /**
   * Asks the licence server to activate a licence for this machine.
   * @returns the state, and the licence to `store` if it is valid
   * @throws LicenseServerError
   */
  async activate(title: string, sn: string): Promise<{ state: number; license?: StoredLicense }> {
    const { state, license } = await this.#ask('activate', title, sn)
    return { state, ...(license && { license: { signed: license, server: this.#answered(state) } }) }
  }

  /** Tells the licence server that this machine gives its licence back. @throws LicenseServerError */
  async deactivate(): Promise<number> {
    const { statement } = this.status()
    if (!statement) return LICENSE_STATE.none
    if (!this.#options.settings.get('license')?.server) return LICENSE_STATE.valid
    return (await this.#ask('deactivate', statement.title, statement.sn)).state
  }

  /** Replaces the stored licence; undefined removes it. */
  store(license: StoredLicense | undefined): void {
    this.#options.settings.set('license', license ?? null)
    this.#apply()
  }

  /** Stores the limits in force, if they have changed. */
  #apply(): void {
    const { settings, onChange } = this.#options
    const { limits } = this.status()
    if (!isDeepStrictEqual(limits, settings.get('license-limits'))) settings.set('license-limits', limits)
    onChange()
  }

  /** Notes the latest time, and asks the server when the last answer is a day old. */
  #tick(): void {
    const { settings, now } = this.#options
    const stored = settings.get('license')
    try {
      if (now() > settings.get('license-clock')) settings.set('license-clock', now())
      this.#apply()
    } catch (error) {
      // For instance on a full disk, on which the hub must start. The next hour tries again.
      logger.warn(`The state of the licence cannot be stored: ${(error as Error).message}`)
    }
    if (stored?.server && now() - stored.server.at >= CHECK_INTERVAL) void this.#check(stored)
  }

  async #check(stored: StoredLicense): Promise<void> {
    const { statement } = this.status()
    if (!statement) return
    try {
      const { state, license } = await this.#ask('check', statement.title, statement.sn)
      this.store({ signed: license ?? stored.signed, server: this.#answered(state) })
    } catch (error) {
      logger.warn(`The licence server does not answer: ${(error as Error).message}`)
    }
  }

  #answered(state: number): StoredLicense['server'] {
    return { state, at: this.#options.now() }
  }

  /** Sends a request to the licence server, and accepts only a signed answer to it, with a licence for this machine. */
  async #ask(action: string, title: string, sn: string): Promise<ServerStatement> {
    const { server, machine, trusted } = this.#options
    if (server === undefined) throw new LicenseServerError('no licence server is configured')
    const request: ServerRequest = { 'user-name': title, sn, machine, nonce: randomUUID() }
    const response = await fetch(`${server}/${action}`, {
      method: 'POST',
      body: JSON.stringify(request),
      headers: { 'content-type': 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(SERVER_TIMEOUT)
    }).catch((error: Error) => {
      throw new LicenseServerError(error.message)
    })
    const answer = openServerStatement(await readJson(response), trusted, request.nonce)
    if (typeof answer === 'string') throw new LicenseServerError(`its answer is refused: ${answer}`)
    if (answer.license) {
      const license = openLicense(answer.license, trusted)
      if (typeof license === 'string' || license.machine !== machine || license.sn !== sn || license.title !== title)
        throw new LicenseServerError('it answered with another licence')
    } else if (answer.state === LICENSE_STATE.valid && action !== 'deactivate')
      throw new LicenseServerError('it answered without the licence')
    return answer
  }
}

/** Reads a response of limited length. @throws LicenseServerError */
async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > LICENSE_FILE_MAX) throw new Error('its answer is too long')
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (error) {
    throw new LicenseServerError((error as Error).message)
  }
}
