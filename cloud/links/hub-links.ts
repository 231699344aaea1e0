// The links of hubs: which are connected, and what the cloud sends over them.
import { randomUUID } from 'node:crypto'
import { type CloudUpdate, HUB_HELLO_HEADER, type HubHello } from '../../contract/cloud/link.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { LINK_STATE_PATH, REFUSAL_STATE } from '../../contract/device/link.ts'
import { type Link, openLink } from '../../device-link/link.ts'
import type { LinkIdentity } from '../../device-link/link-encryption.ts'
import { type RegistrationResult, RegistrationServer } from '../../device-link/registration-server.ts'
import { sendRequest } from '../../device-link/request.ts'
import { logger } from '../../process-log/logger.ts'
import { descriptorLimit } from '../../web-server/descriptors.ts'
import { isLoopback } from '../../web-server/host-header.ts'
import type { LinkTable } from '../nodes/link-table.ts'
import { NodeNetwork, type PeerOptions } from '../nodes/node-network.ts'
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
  /** Called when a hub has connected, when it has received the state accepted, and when its link has ended. */
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
  /** Waits, because another hub with its key and serial number is connected, here or at another node. */
  isHeld: boolean
  /** What other nodes know of it, from when the link is up. */
  claim?: ReturnType<LinkTable['claim']>
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
  readonly #observer: LinkObserver
  readonly #signingKeys: SigningKeys
  readonly #network: NodeNetwork
  readonly #registrations: Registrations
  /** By organisation and serial number. One of several hubs counts; copies of it wait until it is gone. */
  readonly #hubs = new Map<string, ConnectedHub[]>()
  readonly #server: RegistrationServer<HubHello>

  constructor(options: HubLinksOptions) {
    const { store, signingKeys, nodeAddress, identity, allowsPlain, now, observer } = options
    this.#store = store
    this.#observer = observer
    this.#signingKeys = signingKeys
    this.#network = new NodeNetwork({
      ...{ store, nodeAddress, now },
      sign: (data) => signingKeys.current.sign(data),
      isSigned: (data, signature) => signingKeys.hasSigned(data, signature),
      ownLinkOf: (...hub) => this.#ownLinkOf(...hub),
      onRemoteChange: (organisation, sn) => this.#settleAll(organisation, sn),
      onDecision: (organisation, serials) => void this.#learnDecisions(organisation, serials),
      onHeartbeat: async (isChanged) => {
        if ((await this.#signingKeys.refresh()) || isChanged) await this.#sendUpdates()
      }
    })
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
    const identify = answerIdentity(signingKeys, this.#network.id)
    const leave = answerLeave({ isPlainAllowed, leave: (hello, address) => this.#leave(hello, address) })
    this.#server.answerRequests((request, response) => identify(request, response) || leave(request, response))
  }

  /** @returns the port. @param port 0: the system chooses */
  async listen(port: number, host: string, peer: PeerOptions): Promise<number> {
    await this.#network.join(peer)
    this.port = (await this.#server.open(port, host)).port
    return this.port
  }

  /** Identifier of this node. */
  get node(): string {
    return this.#network.id
  }

  /** The nodes that run, this one included. */
  get nodes(): NodeNetwork['running'] {
    return this.#network.running
  }

  /** Whether the database answers, as far as this node knows. */
  get hasDatabase(): boolean {
    return this.#network.hasDatabase
  }

  /** Reads which nodes run. */
  refreshNodes(): Promise<void> {
    return this.#network.refresh()
  }

  /** Changes of the links of organisations. */
  get table(): Pick<LinkTable, 'record' | 'revisionOf' | 'onRevision'> {
    return this.#network.table
  }

  /** The link of a hub, here or at another node; undefined: it is not connected. */
  linkOf(organisation: string, sn: string): Link | undefined {
    return this.#ownLinkOf(organisation, sn) ?? this.#network.linkOf(organisation, sn)
  }

  isOnline(organisation: string, sn: string): boolean {
    return this.linkOf(organisation, sn) !== undefined
  }

  /** The hubs that are connected with the key and serial number of another one, and wait. */
  copiesOf(organisation: string, sn: string): HubCopy[] {
    const own = this.#hubs.get(keyOf(organisation, sn)) ?? []
    const held = [...own, ...this.#network.rowsOf(organisation, sn)].filter(({ isHeld }) => isHeld)
    return held.map(({ name, address }) => ({ name, address })).slice(0, COPIES_MAX - 1)
  }

  /** Sends connected hubs, here and at other nodes, the registration state that a user has set. */
  decide(organisation: string, serials: readonly string[], state: number): void {
    this.#network.table.recordDecision(organisation, serials)
    for (const sn of serials) void this.#applyState(organisation, sn, state)
  }

  #ownLinkOf(organisation: string, sn: string): Link | undefined {
    const hubs = this.#hubs.get(keyOf(organisation, sn)) ?? []
    return hubs.find(({ isHeld, link }) => !isHeld && link.isUp && !link.hasEnded)?.link
  }

  /** Tells a connected hub its registration state. The links of hubs that are not accepted any more end. */
  async #applyState(organisation: string, sn: string, state: number): Promise<void> {
    const isKept = state === REGISTRATION_STATE.accepted || state === REGISTRATION_STATE.pending
    // A copy learns a decision when it is the one that counts.
    const told = (this.#hubs.get(keyOf(organisation, sn)) ?? []).filter(({ isHeld }) => !(isHeld && isKept))
    await Promise.all(
      told.map(async (each) => {
        await send(each, LINK_STATE_PATH, { state })
        if (!isKept) each.link.end('not accepted')
        else if (state === REGISTRATION_STATE.accepted) this.#observer.accepted(organisation, sn, each.link)
      })
    )
  }

  /** @param serials undefined: all hubs that are connected here */
  async #learnDecisions(organisation: string, serials: readonly string[] | undefined): Promise<void> {
    const named =
      serials ?? [...this.#hubs.values()].flatMap(([hub]) => (hub?.organisation === organisation ? [hub.sn] : []))
    const asked = new Set(named.filter((sn) => this.#hubs.has(keyOf(organisation, sn))))
    if (asked.size === 0) return
    try {
      const rows = await this.#store.within(organisation, (scope) => {
        const states = scope.select('hubs').select(['sn', 'state'])
        return (serials ? states.where('sn', 'in', [...asked]) : states).execute()
      })
      const states = new Map(rows.map(({ sn, state }) => [sn, state]))
      await Promise.all(
        [...asked].map((sn) => this.#applyState(organisation, sn, states.get(sn) ?? REGISTRATION_STATE.deleted))
      )
    } catch (error) {
      logger.error('Decisions of another node could not be read', error)
    }
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
    const closed = this.#server.close()
    const links = [...this.#hubs.values()].flat().map(({ link }) => link)
    while (links.length > 0) {
      for (const link of links.splice(0, ENDS_AT_A_TIME)) link.end('the cloud is closing')
      if (links.length > 0) await new Promise((resolve) => setTimeout(resolve, ENDS_INTERVAL))
    }
    await closed
    await this.#network.close()
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
    const own = (this.#hubs.get(keyOf(organisation, sn)) ?? []).find((hub) => !hub.isHeld && hub.link.isUp)
    if (own && own.instance !== instance) {
      if (await own.link.respondsWithin(DUPLICATE_TIMEOUT)) return true
      own.link.end('replaced by a newer link')
    }
    const other = this.#network.rowsOf(organisation, sn).find((row) => !row.isHeld && row.instance !== instance)
    if (own || !other) return false
    // Its node ends a link whose hub does not respond.
    return (await this.#network.linkOf(organisation, sn)?.respondsWithin(DUPLICATE_TIMEOUT)) === true
  }

  #open(hello: HubHello, address: string, socket: Parameters<typeof openLink>[0], settle: () => void): void {
    const { organisation, sn, name, instance = randomUUID() } = hello
    const id = keyOf(organisation, sn)
    const hubs = this.#hubs.get(id) ?? []
    const link = openLink(socket, {
      ...PING,
      onUp: () => {
        settle()
        hub.claim = this.#network.table.claim(hub)
        void this.#linkUp(hub)
      },
      onEnd: () => this.#linkEnded(hub)
    })
    const former = hubs.findIndex((each) => each.instance === instance)
    const replaced = hubs[former]
    // The first one here counts, until what other nodes have is compared.
    const isHeld = replaced?.isHeld ?? this.#hasRival({ organisation, sn, instance }, hubs)
    const hub: ConnectedHub = { instance, sn, organisation, name, address, link, isHeld }
    if (replaced) hubs[former] = hub
    else hubs.push(hub)
    this.#hubs.set(id, hubs)
    replaced?.link.end('replaced by a newer link')
  }

  /** Whether another hub with the serial number counts, here or at another node that can be reached. */
  #hasRival(
    { organisation, sn, instance }: Pick<ConnectedHub, 'organisation' | 'sn' | 'instance'>,
    own: ConnectedHub[]
  ) {
    if (own.some((hub) => !hub.isHeld && hub.instance !== instance)) return true
    const rows = this.#network.rowsOf(organisation, sn).filter((row) => !row.isHeld)
    return (
      rows.length > 0 &&
      rows.every((row) => row.instance !== instance) &&
      this.#network.linkOf(organisation, sn) !== undefined
    )
  }

  async #linkUp(hub: ConnectedHub): Promise<void> {
    await this.#tellState(hub)
    if (!hub.link.hasEnded) await this.#sendUpdate(hub)
  }

  #linkEnded(hub: ConnectedHub): void {
    const id = keyOf(hub.organisation, hub.sn)
    const hubs = this.#hubs.get(id) ?? []
    const index = hubs.indexOf(hub)
    hub.claim?.release()
    if (index < 0) return
    hubs.splice(index, 1)
    this.#observer.linkEnded(hub.organisation, hub.sn, hub.link)
    if (hubs.length === 0) this.#hubs.delete(id)
    this.#settle(hub.organisation, hub.sn)
  }

  #settleAll(organisation: string, sn: string | undefined): void {
    if (sn !== undefined) return void this.#settle(organisation, sn)
    for (const [hub] of [...this.#hubs.values()])
      if (hub?.organisation === organisation) this.#settle(organisation, hub.sn)
  }

  /** Chooses between hubs with one serial number: of two at different nodes the one with the newer claim is used. */
  #settle(organisation: string, sn: string): void {
    const own = (this.#hubs.get(keyOf(organisation, sn)) ?? []).filter(({ link }) => link.isUp)
    const counting = own.find(({ isHeld }) => !isHeld)
    const [rival] = this.#network.rowsOf(organisation, sn).filter((row) => !row.isHeld)
    if (counting && rival && rival.instance !== counting.instance && counting.claim?.isOlderThan(rival.epoch))
      this.#hold(counting, true)
    else if (!counting && !rival && own[0]) this.#hold(own[0], false)
    else if (!counting && rival) for (const hub of own) if (hub.instance === rival.instance) this.#hold(hub, false)
  }

  #hold(hub: ConnectedHub, isHeld: boolean): void {
    hub.isHeld = isHeld
    hub.claim?.hold(isHeld)
    void this.#tellState(hub)
  }

  /** A user may have decided on the hub between its registration and its link. */
  async #tellState(hub: ConnectedHub): Promise<void> {
    const { organisation, sn, link } = hub
    if (hub.isHeld) return send(hub, LINK_STATE_PATH, { state: REFUSAL_STATE.exists })
    this.#observer.linkUp(organisation, sn, link)
    try {
      const row = await this.#store.within(organisation, (scope) =>
        scope.select('hubs').select('state').where('sn', '=', sn).executeTakeFirst()
      )
      await this.#applyState(organisation, sn, row?.state ?? REGISTRATION_STATE.deleted)
    } catch (error) {
      logger.error('The state of a hub could not be read', error)
      link.end('its state could not be read')
    }
  }

  /** Reads which signing keys the cloud has, and tells a hub, here or at another node. */
  async refreshKeys(link: Link, sn: string): Promise<void> {
    await this.#signingKeys
      .refresh()
      .catch((error) => logger.warn('The signing keys could not be read', { reason: (error as Error).message }))
    await this.#sendUpdate({ link, sn })
  }

  #sendUpdate(hub: Pick<ConnectedHub, 'link' | 'sn'>): Promise<void> {
    const update: CloudUpdate = {
      keys: [...this.#signingKeys.chain],
      nodes: this.#network.running.map(({ id, address }) => ({ id, address }))
    }
    return send(hub, '/link/update', update)
  }

  /** A hub has left the cloud. @returns whether the cloud has forgotten it */
  async #leave(hello: HubHello, address: string): Promise<boolean> {
    const hasLeft = await this.#registrations.leave(hello, address, () => this.#isCopy(hello))
    if (hasLeft === undefined) return false
    if (hasLeft) {
      this.#network.table.recordDecision(hello.organisation, [hello.sn])
      for (const { link } of [...(this.#hubs.get(keyOf(hello.organisation, hello.sn)) ?? [])])
        link.end('the hub has left')
    }
    return true
  }
}

/** Sends a request that a hub answers with 204. A hub that does not answer learns it when it connects again. */
async function send({ link, sn }: Pick<ConnectedHub, 'link' | 'sn'>, path: string, message: object): Promise<void> {
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
