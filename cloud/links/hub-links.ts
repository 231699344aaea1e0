// The links of hubs: which are connected, and what the cloud sends over them.
import { randomUUID } from 'node:crypto'
import { type CloudUpdate, HUB_HELLO_HEADER, type HubHello } from '../../contract/cloud/link.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../contract/device/link.ts'
import { type Link, openLink } from '../../device-link/link.ts'
import type { LinkIdentity } from '../../device-link/link-encryption.ts'
import { type RegistrationResult, RegistrationServer } from '../../device-link/registration-server.ts'
import { sendRequest } from '../../device-link/request.ts'
import { logger } from '../../process-log/logger.ts'
import { descriptorLimit } from '../../web-server/descriptors.ts'
import { isLoopback } from '../../web-server/host-header.ts'
import { Nodes } from '../nodes/nodes.ts'
import type { SigningKeys } from '../signing/signing-key.ts'
import type { Store } from '../store/store.ts'
import { readHubHello } from './hello.ts'
import { answerIdentity } from './identity.ts'
import { answerLeave } from './leave.ts'
import { Registrations } from './registrations.ts'

/**
 * Milliseconds between pings of a hub and until one must be answered, and for a connection to become a link: long
 * enough for a line that loses a third of its packets.
 */
const PING = { pingInterval: 5000, pingTimeout: 15_000 }
const HANDSHAKE_TIMEOUT = 15_000
/** Milliseconds within which a hub must answer when another one registers with its serial number and key. */
const DUPLICATE_TIMEOUT = 1000
/** Hubs with one key that are connected at a time. */
const COPIES_MAX = 4
/** Milliseconds for the answer to a state or an update, and hubs that get an update at the same time. */
const STATE_TIMEOUT = 5000
const UPDATES_AT_A_TIME = 50
/**
 * Links that a node ends at a time when it is shut down, and milliseconds until the next ones: 500 a second, as many as
 * another node accepts over TLS.
 */
const ENDS_AT_A_TIME = 50
const ENDS_INTERVAL = 100

interface HubLinksOptions {
  store: Store
  signingKeys: SigningKeys
  /** `host:port` at which hubs reach this node; empty: at the address of the cloud. */
  nodeAddress: string
  /** The certificate of the node; undefined if it has none. */
  identity(): LinkIdentity | undefined
  /** Whether hubs on other machines may connect without TLS, because a proxy ends it. */
  allowsPlain: boolean
  now: () => number
  /** Called when a hub of an organisation has registered, and when one is online or offline. */
  onChange: (organisation: string) => void
  /** Called when a hub is connected, when it is accepted and knows it, and when its link has ended. */
  observer: LinkObserver
}

/** What follows the links of hubs. Links of copies are not reported. */
export interface LinkObserver {
  linkUp(organisation: string, sn: string, link: Link): void
  accepted(organisation: string, sn: string, link: Link): void
  linkEnded(organisation: string, sn: string, link: Link): void
}

/** A hub that is connected to this node. */
interface ConnectedHub {
  /** `HubHello.instance`: differs between hubs with one key. */
  instance: string
  sn: string
  organisation: string
  name: string
  address: string
  link: Link
}

/** A hub with the key and serial number of another one. */
export interface HubCopy {
  name: string
  address: string
}

export class HubLinks {
  /** The port at which hubs register; 0 until it is open. */
  port = 0
  readonly #store: Store
  readonly #onChange: HubLinksOptions['onChange']
  readonly #observer: LinkObserver
  readonly #signingKeys: SigningKeys
  readonly #nodes: Nodes
  readonly #registrations: Registrations
  /** By organisation and serial number. The first hub is the one that counts; copies of it wait until it is gone. */
  readonly #hubs = new Map<string, ConnectedHub[]>()
  readonly #server: RegistrationServer<HubHello>

  constructor(options: HubLinksOptions) {
    const { store, signingKeys, nodeAddress, identity, allowsPlain, now, onChange, observer } = options
    this.#store = store
    this.#onChange = onChange
    this.#observer = observer
    this.#signingKeys = signingKeys
    this.#nodes = new Nodes({ store, address: nodeAddress })
    this.#registrations = new Registrations({ store, now })
    const isPlainAllowed = (address: string) => allowsPlain || isLoopback(address)
    this.#server = new RegistrationServer<HubHello>({
      helloHeader: HUB_HELLO_HEADER,
      readHello: readHubHello,
      register: (hello, address) => this.#register(hello, address),
      isSerialTaken: () => false,
      onRegistered: (hello, address, socket, settle) => this.#open(hello, address, socket, settle),
      isPlainAllowed,
      identity: async () => identity(),
      handshakeTimeout: HANDSHAKE_TIMEOUT,
      halfOpenMax: Math.min(1024, Math.floor(descriptorLimit() / 8)),
      halfOpenPerAddress: Math.min(128, Math.floor(descriptorLimit() / 16))
    })
    const identify = answerIdentity(signingKeys, this.#nodes.id)
    const leave = answerLeave({ isPlainAllowed, leave: (hello, address) => this.#leave(hello, address) })
    this.#server.answerRequests((request, response) => identify(request, response) || leave(request, response))
  }

  /** @returns the port. @param port 0: the system chooses */
  async listen(port: number, host: string): Promise<number> {
    this.port = (await this.#server.open(port, host)).port
    await this.#nodes.join(async (isChanged) => {
      if ((await this.#signingKeys.refresh()) || isChanged) await this.#sendUpdates()
    })
    return this.port
  }

  /** The link of a hub; undefined: it is not connected to this node. */
  linkOf(organisation: string, sn: string): Link | undefined {
    const [hub] = this.#hubs.get(keyOf(organisation, sn)) ?? []
    return hub?.link.isUp && !hub.link.hasEnded ? hub.link : undefined
  }

  isOnline(organisation: string, sn: string): boolean {
    return this.linkOf(organisation, sn) !== undefined
  }

  /** The hubs that are connected with the key and serial number of another one, and wait. */
  copiesOf(organisation: string, sn: string): HubCopy[] {
    const [, ...copies] = this.#hubs.get(keyOf(organisation, sn)) ?? []
    return copies.map(({ name, address }) => ({ name, address }))
  }

  /** Tells a connected hub its registration state. The links of hubs that are not accepted any more end. */
  async applyState(organisation: string, sn: string, state: number): Promise<void> {
    const [hub, ...copies] = this.#hubs.get(keyOf(organisation, sn)) ?? []
    const isKept = state === REGISTRATION_STATE.accepted || state === REGISTRATION_STATE.pending
    // A copy learns a decision when it is the one that counts.
    const told = [hub, ...(isKept ? [] : copies)].filter((each) => each !== undefined)
    await Promise.all(
      told.map(async (each) => {
        await send(each, '/link/state', { state })
        if (!isKept) each.link.end('not accepted')
        else if (state === REGISTRATION_STATE.accepted) this.#observer.accepted(organisation, sn, each.link)
      })
    )
  }

  /** Tells all hubs that the keys or nodes of the cloud have changed. */
  async #sendUpdates(): Promise<void> {
    const hubs = [...this.#hubs.values()].flat()
    const sendNext = async (): Promise<void> => {
      for (let hub = hubs.pop(); hub; hub = hubs.pop()) if (hub.link.isUp) await this.#sendUpdate(hub)
    }
    await Promise.all(Array.from({ length: UPDATES_AT_A_TIME }, sendNext))
  }

  async close(): Promise<void> {
    await this.#nodes.close()
    const closed = this.#server.close()
    const links = [...this.#hubs.values()].flat().map(({ link }) => link)
    while (links.length > 0) {
      for (const link of links.splice(0, ENDS_AT_A_TIME)) link.end('the cloud is closing')
      if (links.length > 0) await new Promise((resolve) => setTimeout(resolve, ENDS_INTERVAL))
    }
    await closed
  }

  async #register(hello: HubHello, address: string): Promise<RegistrationResult> {
    const result = await this.#registrations.register(hello, address)
    if (!('state' in result) || !(await this.#isCopy(hello))) return result
    await this.#registrations.recordCopy(hello, address)
    const connected = this.#hubs.get(keyOf(hello.organisation, hello.sn))?.length ?? 0
    return connected < COPIES_MAX ? { state: REFUSAL_STATE.exists } : { refuse: REFUSAL_STATE.exists }
  }

  /** Whether another hub with the serial number and the key is connected and responds. One that does not is gone. */
  async #isCopy({ organisation, sn, instance }: HubHello): Promise<boolean> {
    const [first] = this.#hubs.get(keyOf(organisation, sn)) ?? []
    if (!first?.link.isUp || first.instance === instance) return false
    if (await first.link.respondsWithin(DUPLICATE_TIMEOUT)) return true
    first.link.end('replaced by a newer link')
    return false
  }

  #open(hello: HubHello, address: string, socket: Parameters<typeof openLink>[0], settle: () => void): void {
    const { organisation, sn, name, instance = randomUUID() } = hello
    const id = keyOf(organisation, sn)
    const hubs = this.#hubs.get(id) ?? []
    const link = openLink(socket, {
      ...PING,
      onUp: () => {
        settle()
        this.#onChange(organisation)
        void this.#linkUp(hub)
      },
      onEnd: () => this.#linkEnded(hub)
    })
    const hub: ConnectedHub = { instance, sn, organisation, name, address, link }
    const former = hubs.findIndex((each) => each.instance === instance)
    const replaced = hubs[former]
    if (replaced) hubs[former] = hub
    else hubs.push(hub)
    this.#hubs.set(id, hubs)
    replaced?.link.end('replaced by a newer link')
  }

  async #linkUp(hub: ConnectedHub): Promise<void> {
    await this.#tellState(hub)
    if (!hub.link.hasEnded) await this.#sendUpdate(hub)
  }

  #linkEnded(hub: ConnectedHub): void {
    const id = keyOf(hub.organisation, hub.sn)
    const hubs = this.#hubs.get(id) ?? []
    const index = hubs.indexOf(hub)
    if (index < 0) return
    hubs.splice(index, 1)
    this.#observer.linkEnded(hub.organisation, hub.sn, hub.link)
    this.#onChange(hub.organisation)
    if (hubs.length === 0) this.#hubs.delete(id)
    // A copy takes its place.
    else if (index === 0 && hubs[0]?.link.isUp) void this.#tellState(hubs[0])
  }

  /** A user may have decided on the hub between its registration and its link. */
  async #tellState(hub: ConnectedHub): Promise<void> {
    const { organisation, sn, link } = hub
    const [first] = this.#hubs.get(keyOf(organisation, sn)) ?? []
    if (first !== hub) return send(hub, '/link/state', { state: REFUSAL_STATE.exists })
    this.#observer.linkUp(organisation, sn, link)
    try {
      const row = await this.#store.within(organisation, (scope) =>
        scope.select('hubs').select('state').where('sn', '=', sn).executeTakeFirst()
      )
      await this.applyState(organisation, sn, row?.state ?? REGISTRATION_STATE.deleted)
    } catch (error) {
      logger.error('The state of a hub could not be read', error)
      link.end('its state could not be read')
    }
  }

  #sendUpdate(hub: ConnectedHub): Promise<void> {
    const update: CloudUpdate = { keys: [...this.#signingKeys.chain], nodes: [...this.#nodes.running] }
    return send(hub, '/link/update', update)
  }

  /** A hub has left the cloud. @returns whether the cloud has forgotten it */
  async #leave(hello: HubHello, address: string): Promise<boolean> {
    const hasLeft = await this.#registrations.leave(hello, address)
    if (hasLeft === undefined) return false
    if (hasLeft)
      for (const { link } of [...(this.#hubs.get(keyOf(hello.organisation, hello.sn)) ?? [])])
        link.end('the hub has left')
    return true
  }
}

/** Sends a request that a hub answers with 204. A hub that does not answer learns it when it connects again. */
async function send({ link, sn }: ConnectedHub, path: string, message: object): Promise<void> {
  const call = {
    ...{ method: 'POST', path, body: JSON.stringify(message) },
    headers: { 'content-type': 'application/json' }
  }
  await sendRequest(link, sn, call, STATE_TIMEOUT).catch((error) =>
    logger.info('A hub did not take a message', { sn, path, reason: (error as Error).message })
  )
}

/** Neither names of organisations nor serial numbers have a slash. */
const keyOf = (organisation: string, sn: string) => `${organisation}/${sn}`
