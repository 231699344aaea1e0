// The licence of this hub: stores it, decides whether it is in force, and checks it once a day with the licence server.
// A licence that ends stops nothing; only more than the built-in limits is then refused.
import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  CLOCK_TOLERANCE,
  evaluateLicense,
  FREE_LIMITS,
  LICENSE_PERMISSION,
  LICENSE_STATE,
  type LicenseLimits,
  type LicenseReason,
  type LicenseRefusal,
  lowerLimits
} from '../../contract/license/license.ts'
import {
  type LicenseStatement,
  openLicense,
  type SignedStatement,
  type StoredLicense
} from '../../license/statement.ts'
import { logger } from '../../process-log/logger.ts'
import type { SettingsStore } from '../store/settings.ts'
import {
  askLicenseServer,
  type LicenseAction,
  ServerAwayError,
  STATE_OF_FAULT,
  type TrustedAnswer,
  UntrustedAnswerError
} from './license-server.ts'

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

/** The state of a licence that was offered to the hub, and why it is refused. */
interface InstallResult {
  /** `LICENSE_STATE`. */
  state: number
  reason?: LicenseRefusal
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

const HOUR = 60 * 60 * 1000
const CHECK_INTERVAL = 24 * HOUR

export class LicenseService {
  readonly #options: LicenseOptions
  #timer: NodeJS.Timeout | undefined
  #isStarted = false
  #isAsking = false

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

  /** Whether a request to the licence server runs. Only one runs at a time. */
  get isAsking(): boolean {
    return this.#isAsking
  }

  /** Starts to note the time, and to check the licence with its server. */
  start(): void {
    this.#isStarted = true
    this.#tick()
  }

  close(): void {
    this.#isStarted = false
    clearTimeout(this.#timer)
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
      // A licence that has ended does not raise a limit that it had lowered.
      limits: state === LICENSE_STATE.valid ? statement.limits : lowerLimits(statement.limits, FREE_LIMITS)
    }
  }

  /** Stores the licence of a file. A licence that is not valid is refused, and the one before stays. */
  install(signed: unknown): InstallResult {
    const { settings, trusted, machine, now } = this.#options
    const statement = openLicense(signed, trusted)
    if (typeof statement === 'string') return { state: STATE_OF_FAULT[statement] }
    const { sn, issued, permissions } = statement
    const known = settings.get('license-issued')
    // A statement that is newer than all others proves the time, so that a clock which was wrong once does not end all
    // licences.
    const isNewest = issued > Math.max(0, ...Object.values(known))
    const latest = isNewest ? issued : Math.max(settings.get('license-clock'), issued)
    const result = evaluateLicense(statement, { machine, now: now(), latest })
    if (result.state !== LICENSE_STATE.valid) return result
    if ((permissions & LICENSE_PERMISSION.file) === 0) return { state: LICENSE_STATE.invalid, reason: 'server-only' }
    if (issued < (known[sn] ?? 0)) return { state: LICENSE_STATE.invalid, reason: 'older' }
    if (isNewest) settings.set('license-clock', Math.max(issued, now()))
    this.store({ signed: signed as SignedStatement })
    return result
  }

  /**
   * Asks the licence server to activate a licence for this machine. The refusal of the stored licence takes effect at
   * once.
   * @returns the state, and the licence to `store` if it is valid
   * @throws ServerAwayError, UntrustedAnswerError
   */
  async activate(title: string, sn: string): Promise<{ state: number; license?: StoredLicense }> {
    const { state, license, time } = await this.#ask('activate', title, sn)
    const stored = this.#options.settings.get('license')
    const { statement } = this.status()
    if (stored && state !== LICENSE_STATE.valid && statement?.sn === sn && statement.title === title)
      this.store({ signed: stored.signed, server: this.#answered(state, time) })
    return { state, ...(license && { license: { signed: license.signed, server: this.#answered(state, time) } }) }
  }

  /**
   * Gives the licence back to the licence server. A licence that is not in force can be removed without an answer.
   * @throws ServerAwayError, UntrustedAnswerError
   */
  async deactivate(): Promise<void> {
    const { statement, state } = this.status()
    if (!statement || !this.hasServer || !this.#options.settings.get('license')?.server) return
    try {
      await this.#ask('deactivate', statement.title, statement.sn)
    } catch (error) {
      if (state === LICENSE_STATE.valid) throw error
    }
  }

  /** Replaces the stored licence; undefined removes it. */
  store(license: StoredLicense | undefined): void {
    const { settings, trusted } = this.#options
    settings.set('license', license ?? null)
    const statement = openLicense(license?.signed, trusted)
    if (typeof statement === 'object') {
      const known = settings.get('license-issued')
      const { sn, issued } = statement
      if (issued > (known[sn] ?? 0)) settings.set('license-issued', { ...known, [sn]: issued })
    }
    // The server has signed its time, so that it also corrects a latest time that came from a wrong clock.
    if (license?.server?.time !== undefined) settings.set('license-clock', license.server.time)
    this.#apply()
    if (this.#isStarted) this.#schedule()
  }

  /** Stores the limits in force, if they have changed. */
  #apply(): void {
    const { settings, onChange } = this.#options
    const { limits } = this.status()
    if (!isDeepStrictEqual(limits, settings.get('license-limits'))) settings.set('license-limits', limits)
    onChange()
  }

  /** Calls `#tick` in an hour, or when the licence ends. */
  #schedule(): void {
    clearTimeout(this.#timer)
    const left = (this.status().statement?.expires ?? 0) - this.#options.now()
    this.#timer = setTimeout(() => this.#tick(), left > 0 ? Math.min(HOUR, left + 1) : HOUR)
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
    this.#schedule()
    // Also if the clock was set back since the last answer.
    if (stored?.server && Math.abs(now() - stored.server.at) >= CHECK_INTERVAL) void this.#check(stored)
  }

  async #check(stored: StoredLicense): Promise<void> {
    const { statement } = this.status()
    if (!statement || this.#isAsking) return
    try {
      const { state, license, time } = await this.#ask('check', statement.title, statement.sn)
      const { settings } = this.#options
      // Meanwhile another licence may have been stored.
      if (!isDeepStrictEqual(settings.get('license'), stored)) return
      this.store({ signed: license?.signed ?? stored.signed, server: this.#answered(state, time) })
    } catch (error) {
      const fault = error instanceof UntrustedAnswerError ? 'cannot be trusted' : 'does not answer'
      logger.warn(`The licence server ${fault}: ${(error as Error).message}`)
    }
  }

  #answered(state: number, time: number): StoredLicense['server'] {
    return { state, at: this.#options.now(), time }
  }

  /** Sends one request to the licence server. @throws ServerAwayError, UntrustedAnswerError */
  async #ask(action: LicenseAction, title: string, sn: string): Promise<TrustedAnswer> {
    const { server, machine, trusted, settings } = this.#options
    if (server === undefined) throw new ServerAwayError('no licence server is configured')
    this.#isAsking = true
    try {
      const answer = await askLicenseServer({ server, trusted, action, title, sn, machine })
      const known = settings.get('license-issued')[sn] ?? 0
      if (answer.license && answer.license.statement.issued < known - CLOCK_TOLERANCE)
        throw new UntrustedAnswerError('it answered with an older licence')
      return answer
    } finally {
      this.#isAsking = false
    }
  }
}
