// Decides on hubs that register, and stores the new ones.
import { formatInvitation, type HubHello } from '../../contract/cloud/link.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../contract/device/link.ts'
import { networkPrefix } from '../../contract/network-prefix.ts'
import { RegistrationRate } from '../../device-link/registration-limits.ts'
import type { RegistrationResult } from '../../device-link/registration-server.ts'
import { logger } from '../../process-log/logger.ts'
import { createRateLimit } from '../../process-log/rate-limit.ts'
import { hashSecret } from '../../web-server/credentials.ts'
import { addLogEntry } from '../store/log.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'

/** Seconds after which a hub may try again, because of a limit, or because the database does not answer. */
const RETRY_AFTER = 30
/** Hubs of an organisation that may wait for approval. */
export const PENDING_MAX = 1000
/** Refusals of one network and of all that are written to the log in a minute. */
const REFUSALS_LOGGED = { perNetwork: 5, total: 60 }

interface RegistrationsOptions {
  store: Store
  now: () => number
  /** Milliseconds of a clock that never jumps. */
  monotonic?: () => number
}

type Decision = RegistrationResult & { event?: string }

export class Registrations {
  readonly #options: RegistrationsOptions
  readonly #rate: RegistrationRate
  readonly #refusals: ReturnType<typeof createRateLimit>

  constructor(options: RegistrationsOptions) {
    this.#options = options
    this.#rate = new RegistrationRate(options.monotonic)
    this.#refusals = createRateLimit(REFUSALS_LOGGED.perNetwork, REFUSALS_LOGGED.total, options.monotonic)
  }

  /**
   * Decides on a hub. The rate of each network is limited for all but accepted hubs: many of them may connect again at
   * once from one address, such as that of a load balancer, and find their rows unchanged.
   */
  async register(hello: HubHello, address: string): Promise<RegistrationResult> {
    try {
      return await this.#options.store.within(hello.organisation, async (scope) => {
        const { event, ...result } = await this.#decide(scope, hello, address)
        if (event && (event === 'hub-registered' || this.#refusals.take(networkPrefix(address)) !== 'drop'))
          await this.#log(scope, event, hello, address)
        return result as RegistrationResult
      })
    } catch (error) {
      logger.error('Registration of a hub failed', error)
      return { retryAfter: RETRY_AFTER }
    }
  }

  /**
   * Forgets a hub that has left. One that leaves another hub behind, with its key, is not forgotten.
   * @param isCopy whether another hub with the key is connected. Asked only for a key that is known
   * @returns whether it was forgotten; undefined: it has to ask again
   */
  async leave(hello: HubHello, address: string, isCopy: () => Promise<boolean>): Promise<boolean | undefined> {
    if (!this.#rate.take(address)) return undefined
    const { organisation, sn, key } = hello
    const { store } = this.#options
    const known = await store.within(organisation, (scope) => this.#find(scope, sn))
    if (known?.key_hash !== hashSecret(key) || (await isCopy())) return false
    return store.within(organisation, async (scope) => {
      const { numDeletedRows } = await scope
        .delete('hubs')
        .where('sn', '=', sn)
        .where('key_hash', '=', hashSecret(key))
        .executeTakeFirstOrThrow()
      if (Number(numDeletedRows) === 0) return false
      await this.#log(scope, 'hub-left', hello, address)
      return true
    })
  }

  /** Writes to the log that a hub with the key of another one has connected. */
  async recordCopy(hello: HubHello, address: string): Promise<void> {
    if (this.#refusals.take(networkPrefix(address)) === 'drop') return
    await this.#options.store
      .within(hello.organisation, (scope) => this.#log(scope, 'hub-copy', hello, address))
      .catch((error) => logger.error('The copy of a hub was not logged', error))
  }

  async #decide(scope: Scope, hello: HubHello, address: string): Promise<Decision> {
    const { sn, name, version } = hello
    const known = await this.#find(scope, sn)
    const isAccepted = known?.state === REGISTRATION_STATE.accepted && known.key_hash === hashSecret(hello.key)
    if (!isAccepted && !this.#rate.take(address)) return { retryAfter: RETRY_AFTER }
    const organisation = await scope.select('organisations').select('invitation').executeTakeFirst()
    // A hub that the cloud does not know any more was deleted while it had no link, or at another node.
    const unknown = hello.registered ? REGISTRATION_STATE.deleted : REFUSAL_STATE.wrongCode
    // An organisation that does not exist is refused as one that does not know the hub, so that nobody learns which
    // ones exist.
    if (!organisation) return { refuse: unknown }
    if (!known && hello.registered) return { refuse: unknown }
    // The code is not required of an accepted hub: its key identifies it.
    const needsCode = known?.state !== REGISTRATION_STATE.accepted
    if (needsCode && hashSecret(hello.code) !== hashSecret(organisation.invitation))
      return { refuse: REFUSAL_STATE.wrongCode, event: 'hub-wrong-code' }
    if (!known) {
      const waiting = await scope
        .select('hubs')
        .select((where) => where.fn.countAll<number>().as('count'))
        .where('state', '=', REGISTRATION_STATE.pending)
        .executeTakeFirstOrThrow()
      if (waiting.count >= PENDING_MAX) return { retryAfter: RETRY_AFTER }
      const row = {
        ...{ sn, name, version, address, key_hash: hashSecret(hello.key) },
        state: REGISTRATION_STATE.pending,
        registered: this.#options.now()
      }
      const { numInsertedOrUpdatedRows } = await scope
        .insert('hubs', row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows) return { state: REGISTRATION_STATE.pending, event: 'hub-registered' }
    }
    // Another hub may have registered with the serial number meanwhile.
    const row = known ?? (await this.#find(scope, sn))
    if (row?.key_hash !== hashSecret(hello.key)) return { refuse: REFUSAL_STATE.exists, event: 'hub-foreign-serial' }
    if (row.state === REGISTRATION_STATE.rejected) return { refuse: REGISTRATION_STATE.rejected }
    if (row.name !== name || row.version !== version || row.address !== address)
      await scope.update('hubs').set({ name, version, address }).where('sn', '=', sn).execute()
    return { state: row.state }
  }

  #find(scope: Scope, sn: string) {
    return scope.select('hubs').selectAll().where('sn', '=', sn).executeTakeFirst()
  }

  async #log(scope: Scope, event: string, { sn, name }: HubHello, address: string): Promise<void> {
    const detail = `${sn} ${name}`
    await addLogEntry(scope, { time: this.#options.now(), user_name: '', address, event, detail, result: 0, sn })
  }
}

/** The invitation of an organisation as text. @param fingerprint that of the current signing key */
export async function readInvitation(scope: Scope, fingerprint: string): Promise<string> {
  const { organisation } = scope
  const { invitation } = await scope.select('organisations').select('invitation').executeTakeFirstOrThrow()
  return formatInvitation({ organisation, code: invitation, fingerprint })
}
