// The links of hubs: which are connected, and what the cloud sends over them.
import { HUB_HELLO_HEADER, type HubHello } from '../../contract/cloud/link.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { type Link, openLink } from '../../device-link/link.ts'
import { RegistrationServer } from '../../device-link/registration-server.ts'
import { sendRequest } from '../../device-link/request.ts'
import { logger } from '../../process-log/logger.ts'
import { hashSecret } from '../../web-server/credentials.ts'
import { descriptorLimit } from '../../web-server/descriptors.ts'
import type { Store } from '../store/store.ts'
import { readHubHello } from './hello.ts'
import { Registrations } from './registrations.ts'

/** Milliseconds between pings of a hub and until one must be answered, and for a connection to become a link. */
const PING = { pingInterval: 5000, pingTimeout: 5000 }
const HANDSHAKE_TIMEOUT = 5000
/** Milliseconds within which a hub must answer when another one registers with its serial number and key. */
const DUPLICATE_TIMEOUT = 1000
/** Milliseconds for the answer to a state. */
const STATE_TIMEOUT = 5000

interface HubLinksOptions {
  store: Store
  now: () => number
  /** Called when a hub of an organisation has registered, and when one is online or offline. */
  onChange: (organisation: string) => void
}

interface HubLink {
  link: Link
  keyHash: string
}

export class HubLinks {
  readonly #store: Store
  readonly #onChange: HubLinksOptions['onChange']
  /** By organisation and serial number. */
  readonly #links = new Map<string, HubLink>()
  readonly #server: RegistrationServer<HubHello>

  /** The port at which hubs register; 0 until it is open. */
  port = 0

  constructor({ store, now, onChange }: HubLinksOptions) {
    this.#store = store
    this.#onChange = onChange
    const registrations = new Registrations({ store, now })
    this.#server = new RegistrationServer<HubHello>({
      helloHeader: HUB_HELLO_HEADER,
      readHello: readHubHello,
      register: (hello, address) => registrations.register(hello, address),
      isSerialTaken: (hello) => this.#isTaken(hello),
      onRegistered: (hello, _address, socket, settle) => this.#open(hello, socket, settle),
      handshakeTimeout: HANDSHAKE_TIMEOUT,
      halfOpenMax: Math.min(1024, Math.floor(descriptorLimit() / 8)),
      halfOpenPerAddress: Math.min(128, Math.floor(descriptorLimit() / 16))
    })
  }

  /** @returns the port. @param port 0: the system chooses */
  async listen(port: number, host: string): Promise<number> {
    this.port = (await this.#server.open(port, host)).port
    return this.port
  }

  /** The link of a hub; undefined: it is not connected. */
  linkOf(organisation: string, sn: string): Link | undefined {
    const link = this.#links.get(keyOf(organisation, sn))?.link
    return link?.isUp && !link.hasEnded ? link : undefined
  }

  isOnline(organisation: string, sn: string): boolean {
    return this.#links.get(keyOf(organisation, sn))?.link.isUp ?? false
  }

  /** Tells a connected hub its registration state. The link of a hub that is not accepted any more ends. */
  async applyState(organisation: string, sn: string, state: number): Promise<void> {
    const link = this.#links.get(keyOf(organisation, sn))?.link
    if (!link) return
    const call = { method: 'POST', path: '/link/state', headers: JSON_TYPE, body: JSON.stringify({ state }) }
    await sendRequest(link, sn, call, STATE_TIMEOUT).catch((error) =>
      logger.info('A hub did not take its state', { sn, reason: (error as Error).message })
    )
    if (state !== REGISTRATION_STATE.accepted && state !== REGISTRATION_STATE.pending) link.end('not accepted')
  }

  async close(): Promise<void> {
    const closed = this.#server.close()
    for (const { link } of [...this.#links.values()]) link.end('the cloud is closing')
    await closed
  }

  /** Whether a hub with the serial number and the key is connected and responds. */
  async #isTaken({ organisation, sn, key }: HubHello): Promise<boolean> {
    const current = this.#links.get(keyOf(organisation, sn))
    if (!current?.link.isUp || current.keyHash !== hashSecret(key)) return false
    return current.link.respondsWithin(DUPLICATE_TIMEOUT)
  }

  #open({ organisation, sn, key }: HubHello, socket: Parameters<typeof openLink>[0], settle: () => void): void {
    const id = keyOf(organisation, sn)
    this.#links.get(id)?.link.end('replaced by a newer link')
    const link = openLink(socket, {
      ...PING,
      onUp: () => {
        settle()
        this.#onChange(organisation)
        void this.#recheck(organisation, sn)
      },
      onEnd: () => {
        if (this.#links.get(id)?.link === link) this.#links.delete(id)
        this.#onChange(organisation)
      }
    })
    this.#links.set(id, { link, keyHash: hashSecret(key) })
  }

  /** A user may have decided on the hub between its registration and its link. */
  async #recheck(organisation: string, sn: string): Promise<void> {
    try {
      const row = await this.#store.within(organisation, (scope) =>
        scope.select('hubs').select('state').where('sn', '=', sn).executeTakeFirst()
      )
      await this.applyState(organisation, sn, row?.state ?? REGISTRATION_STATE.deleted)
    } catch (error) {
      logger.error('The state of a hub could not be read', error)
      this.#links.get(keyOf(organisation, sn))?.link.end('its state could not be read')
    }
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Neither names of organisations nor serial numbers have a slash. */
const keyOf = (organisation: string, sn: string) => `${organisation}/${sn}`
