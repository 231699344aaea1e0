// Registers the hub with a cloud: keeps a link to one of its nodes, and a second one to another node where the cloud
// has more than one, so that a node that fails costs nothing. Keeps the state that the cloud decides. Requests that
// the cloud relays are answered by `hub/cloud-relay/`.
import { type KeyObject, randomBytes } from 'node:crypto'
import type { CloudNode, CloudUpdate, HubHello } from '../../contract/cloud/link.ts'
import type { CloudFault, CloudSettingsRequest } from '../../contract/cloud-registration.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../contract/device/link.ts'
import { LOG_INFO, LOG_WARNING } from '../../contract/log.ts'
import { isForbiddenServer } from '../../contract/stream/address-policy.ts'
import { logger } from '../../process-log/logger.ts'
import { Emitter } from '../emitter.ts'
import type { Store } from '../store/store.ts'
import { answerRequests, type StreamHandler } from './cloud-requests.ts'
import { type CloudOption, type CloudSecrets, CloudSettings, parseAddress, parseCloudOption } from './cloud-settings.ts'
import { Farewells } from './farewells.ts'
import { type CloudAddress, NodeLink } from './node-link.ts'
import { followSuccessors } from './verify-cloud.ts'

/** Maximum characters of the name in a hello. */
const NAME_MAX = 64

const { registering, accepted, rejected, pending } = REGISTRATION_STATE
const STATES: readonly unknown[] = [...Object.values(REGISTRATION_STATE), ...Object.values(REFUSAL_STATE)]

interface CloudLinkOptions {
  store: Store
  version: string
  /** Name of the hub. */
  name: () => string
  /** PEM certificates of trusted authorities instead of those of the machine; for tests. */
  authorities?: readonly string[] | undefined
}

/** By what relayed requests are checked. */
export interface RelayIdentity {
  /** Key of the cloud; undefined: none is pinned. */
  publicKey: KeyObject | undefined
  sn: string
  organisation: string
}

/** State of the registration and of its links, as this hub observes them. */
export interface ObservedRegistration {
  state: number
  /** When the state began, on the clock of `performance.now()`. */
  since: number
  /** Whether a link is up. */
  isUp: boolean
  /** Why the last attempt to connect failed; undefined if the cloud answered. */
  fault?: CloudFault | undefined
}

export class CloudLink {
  readonly settings: CloudSettings
  /** The hub does not work with the cloud that it worked with before, or gives it another role. */
  readonly changed = new Emitter()
  readonly #options: CloudLinkOptions
  readonly #farewells: Farewells
  readonly #instance = randomBytes(16).toString('hex')
  #handlerForLink: (() => StreamHandler) | undefined
  #links: NodeLink[] = []
  /** The nodes of the cloud that run, as it said last. */
  #nodes: readonly CloudNode[] = []
  #observed: ObservedRegistration | undefined
  #wasRegistered = false
  /** The last state and fault in the log. */
  #logged: { state?: number; fault?: CloudFault | undefined } = {}

  constructor(options: CloudLinkOptions) {
    this.#options = options
    this.settings = new CloudSettings(options.store)
    this.#farewells = new Farewells({
      settings: this.settings,
      authorities: options.authorities,
      helloFor: (farewell) => {
        const secrets = this.settings.secretsOf(farewell)
        return secrets && this.#hello(farewell, secrets)
      }
    })
  }

  /** Undefined while it is off. */
  get observed(): Readonly<ObservedRegistration> | undefined {
    return this.#observed
  }

  /** The nodes to which the hub has links, and whether they are up. */
  get links(): { node: string; up: boolean }[] {
    return this.#links.flatMap(({ node, isUp }) => (node ? [{ node, up: isUp }] : []))
  }

  /** By what relayed requests are checked; undefined unless the hub is accepted: nothing is relayed. */
  relayIdentity(): RelayIdentity | undefined {
    if (this.#observed?.state !== accepted) return undefined
    const { settings } = this
    return { publicKey: settings.cloudKey(), sn: settings.serial, organisation: settings.stored.organisation }
  }

  get isOnline(): boolean {
    return this.#observed?.isUp === true && this.#observed.state === accepted
  }

  /**
   * Connects if the settings say so.
   * @param option replaces the settings. @throws Error if it is not valid
   */
  start(option: CloudOption | undefined): void {
    if (option) {
      const request = parseCloudOption(option)
      if (this.settings.needsInvitation(request)) throw new Error('CLOUD needs the INVITATION of the cloud')
      this.#options.store.database.transaction(() => this.change(request))
    }
    this.apply()
  }

  /** Changes the settings, in the transaction of the caller, who then calls `apply`. */
  change(request: CloudSettingsRequest): void {
    this.settings.set(request, this.#wasRegistered)
  }

  /** Sets what answers the streams of each link other than its registration state. */
  answerStreams(handlerForLink: () => StreamHandler): void {
    this.#handlerForLink = handlerForLink
  }

  /** Closes the links, and connects again if the settings say so. */
  apply(): void {
    this.#stopLinks()
    this.changed.emit()
    this.#observed = undefined
    this.#logged = {}
    this.#nodes = []
    this.#wasRegistered = false
    if (this.settings.stored.enable) {
      this.#observed = { state: registering, since: performance.now(), isUp: false }
      const secrets = this.settings.secrets()
      if (secrets) this.#addLink(secrets)
      else this.#observe({ fault: 'secrets' })
    }
    this.#farewells.send()
    this.#markChanged()
  }

  close(): void {
    this.#stopLinks()
    this.#farewells.close()
  }

  #stopLinks(): void {
    for (const link of this.#links.splice(0)) link.stop()
  }

  #hello({ organisation, sn }: Pick<HubHello, 'organisation' | 'sn'>, secrets: CloudSecrets): HubHello {
    const { name, version } = this.#options
    return {
      ...{ organisation, sn, ...secrets, version, instance: this.#instance },
      name: [...name()].slice(0, NAME_MAX).join(''),
      registered: this.#wasRegistered
    }
  }

  #addLink(secrets: CloudSecrets): void {
    const { ssl, organisation } = this.settings.stored
    // The second link begins with another address than the first one, if there is one.
    let attempts = this.#links.length
    const link: NodeLink = new NodeLink({
      address: () => this.#chooseAddress(link, attempts++),
      tls: ssl ? { isVerifiedLater: true, authorities: this.#options.authorities } : undefined,
      known: () => this.settings.known,
      hasLinkTo: (node) => this.#links.some((other) => other !== link && other.isUp && other.node === node),
      hello: () => this.#hello({ organisation, sn: this.settings.serial }, secrets),
      onSession: (session) =>
        answerRequests(session, {
          handleStream: this.#handlerForLink?.(),
          onState: (state) => link.setRegistration(state),
          onUpdate: (update) => this.#update(update)
        }),
      onChange: () => this.#linkChanged(link)
    })
    this.#links.push(link)
    link.dial()
  }

  /** The address of the settings in turn with those of nodes to which there is no link. */
  #chooseAddress(link: NodeLink, attempt: number): CloudAddress {
    const { host, port } = this.settings.stored
    const linked = this.#links.flatMap((other) => (other !== link && other.isUp ? [other.node] : []))
    const others = this.#nodes
      .filter(({ id }) => !linked.includes(id))
      .flatMap(({ address }) => parseAddress(address) ?? [])
      .filter((address) => !isForbiddenServer(address.host))
    const addresses = [{ host, port }, ...others]
    return addresses[attempt % addresses.length] ?? { host, port }
  }

  /** The cloud has said which keys it has, and which nodes. */
  #update({ keys, nodes }: CloudUpdate): void {
    try {
      // Pinned with the acceptance; a key that does not follow from the pinned one changes nothing.
      if (this.settings.known.key) this.settings.pin(followSuccessors(keys, this.settings.known))
    } catch (error) {
      logger.warn('The cloud has keys that its key does not lead to', { reason: (error as Error).message })
    }
    this.#nodes = nodes
    this.#adjustLinks()
  }

  /** Keeps two links where the cloud has two nodes. */
  #adjustLinks(): void {
    if (!this.isOnline) return
    const secrets = this.settings.secrets()
    if (this.#nodes.length > 1 && this.#links.length < 2 && secrets) this.#addLink(secrets)
    if (this.#nodes.length > 1) return
    for (const link of this.#links.filter(({ isUp }) => !isUp)) this.#removeLink(link)
  }

  #removeLink(link: NodeLink): void {
    this.#links.splice(this.#links.indexOf(link), 1)
    link.stop()
  }

  #linkChanged(link: NodeLink): void {
    const { registration, state: linkState } = link
    const isUp = this.#links.some((each) => each.isUp)
    // While another link is up, one that is down says nothing about the hub.
    const counts = link.isUp || !isUp
    const state = STATES.includes(registration) ? (registration as number) : registering
    if (state === accepted || state === pending || state === rejected) this.#wasRegistered = true
    if (state === accepted && link.isUp) this.settings.pin(link.key)
    const isDecided = linkState === 'refused' || linkState === 'away'
    // A hub that was refused stays so until the next attempt is answered.
    const isAskingAgain = linkState === 'refused' && state === registering
    this.#observe({
      isUp,
      ...((counts || isDecided) && !isAskingAgain && { state }),
      fault: isUp ? undefined : link.fault
    })
    // What one node has decided holds for all.
    if (isDecided) for (const other of this.#links.filter((each) => each !== link)) this.#removeLink(other)
    else this.#adjustLinks()
  }

  #observe(change: Partial<Omit<ObservedRegistration, 'since'>>): void {
    const before = this.#observed
    if (!before) return
    const isNewState = change.state !== undefined && change.state !== before.state
    const after = { ...before, ...change, ...(isNewState && { since: performance.now() }) }
    this.#observed = after
    if (!isNewState && after.isUp === before.isUp && after.fault === before.fault) return
    this.#log(after)
    this.#markChanged()
  }

  /** Logs each state once, and each fault once until the cloud answers. */
  #log({ state, fault }: ObservedRegistration): void {
    const { logEvent } = this.#options.store
    const { host } = this.settings.stored
    if (state !== registering && state !== this.#logged.state) {
      this.#logged.state = state
      const level = state === accepted || state === pending ? LOG_INFO : LOG_WARNING
      logEvent({ event: 'cloud-state', detail: `${host} ${state}`, level })
    }
    if (fault === this.#logged.fault) return
    if (fault) logEvent({ event: 'cloud-unreachable', detail: `${host} ${fault}`, level: LOG_WARNING })
    else logEvent({ event: 'cloud-reached', detail: host })
    this.#logged.fault = fault
  }

  #markChanged(): void {
    this.#options.store.changes.markChanged('status')
  }
}
