// Tells clouds that the hub has left them, so that they forget its key. A cloud that cannot be reached is asked again
// for a day, also after a restart of the hub; until then the hub keeps the key, encrypted.
import { CLOUD_LEAVE_PATH, HUB_HELLO_HEADER, type HubHello } from '../../contract/cloud/link.ts'
import { withoutBrackets } from '../../contract/ipv6.ts'
import { DialledConnection } from '../../device-link/dialled-connection.ts'
import { logger } from '../../process-log/logger.ts'
import { lookUpServer } from '../machine/server-address.ts'
import type { StoredFarewell } from '../store/settings.ts'
import type { CloudSettings } from './cloud-settings.ts'
import { verifyCloud } from './verify-cloud.ts'

/** Milliseconds for which a cloud is asked, of an attempt, and between the first attempts and the last ones. */
const KEPT = 86_400_000
const TIMEOUT = 15_000
const DELAY = { first: 5000, longest: 600_000 } as const

interface FarewellsOptions {
  settings: CloudSettings
  helloFor(farewell: StoredFarewell): HubHello | undefined
  /** PEM certificates of trusted authorities instead of those of the machine; for tests. */
  authorities?: readonly string[] | undefined
}

export class Farewells {
  readonly #options: FarewellsOptions
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #current: DialledConnection | undefined
  #isClosed = false

  constructor(options: FarewellsOptions) {
    this.#options = options
  }

  /** Sends those that are stored. Does nothing while it is sending. */
  send(): void {
    clearTimeout(this.#timer)
    this.#failures = 0
    if (!this.#current) void this.#sendAll()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#current?.destroy()
  }

  async #sendAll(): Promise<void> {
    const { settings } = this.#options
    for (const farewell of settings.farewells) {
      if (this.#isClosed) return
      const isOver = Date.now() - farewell.since > KEPT || (await this.#send(farewell))
      if (isOver && !this.#isClosed) settings.removeFarewell(farewell)
    }
    if (this.#isClosed || settings.farewells.length === 0) return
    const delay = Math.min(DELAY.longest, DELAY.first * 2 ** this.#failures++)
    this.#timer = setTimeout(() => void this.#sendAll(), delay * (0.75 + Math.random() * 0.5)).unref()
  }

  /** @returns whether the cloud has answered, or can never be asked */
  async #send(farewell: StoredFarewell): Promise<boolean> {
    const hello = this.#options.helloFor(farewell)
    if (!hello) return true
    const { host, port, ssl } = farewell
    const connection = new DialledConnection({
      target: { host: withoutBrackets(host), port, lookup: lookUpServer },
      tls: ssl ? { isVerifiedLater: true, authorities: this.#options.authorities } : undefined,
      timeout: TIMEOUT,
      onSession() {}
    })
    this.#current = connection
    try {
      await verifyCloud(connection, { key: farewell['signing-key'], fingerprint: farewell.fingerprint }, ssl)
      const header = Buffer.from(JSON.stringify(hello)).toString('base64url')
      const { status } = await connection.exchange(
        { method: 'POST', path: CLOUD_LEAVE_PATH, headers: { [HUB_HELLO_HEADER]: header } },
        0
      )
      return status === 204
    } catch (error) {
      logger.info('A cloud was not told that the hub has left', { host, reason: (error as Error).message })
      return false
    } finally {
      this.#current = undefined
      connection.destroy()
    }
  }
}
