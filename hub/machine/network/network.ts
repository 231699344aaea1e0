// The network of the machine: shows it as the kernel and NetworkManager have it, and in manage mode changes it through
// NetworkManager.
import { INVALID_ARG, NOT_EXIST, WRONG_STATE } from '../../../contract/codes.ts'
import { prefixLength } from '../../../contract/ipv4.ts'
import type { MachineMode } from '../../../contract/machine/machine.ts'
import {
  type ConfirmNetworkRequest,
  type JoinWifiRequest,
  LINK_STATE,
  type NetworkChange,
  type NetworkInterface,
  type NetworkList,
  type NetworkOutcome,
  type SetNetworkRequest,
  type WifiNetwork
} from '../../../contract/machine/network.ts'
import { furtherAddresses, staticRoutes } from '../../../contract/rules/addressing.ts'
import type { Fault } from '../../../contract/rules/rules.ts'
import type { Language } from '../../messages/language.ts'
import { type ServiceObstacle, undoReasonText } from '../../messages/machine.ts'
import type { NetworkStore } from '../../store/network.ts'
import { describeAccess, readOnlyError } from '../machine-access.ts'
import { MachineError } from '../machine-error.ts'
import { BusError, type SystemBus } from '../system-bus.ts'
import { findHolder } from './address-probe.ts'
import { type ChangePlan, planAddress, planRemoval, planVlan, planWifi } from './change-plan.ts'
import { addressingOf, isSameSubnet, nameServersOf } from './connection-settings.ts'
import { type ManagedInterface, mergeDevices } from './device-interfaces.ts'
import {
  confirmationAddress,
  hasInterfaceAddress,
  hostsOf,
  keepsIpv6Address,
  requireFreeIpv6,
  requireIpv6Mtu
} from './ipv6-change.ts'
import { ipv6Of } from './ipv6-settings.ts'
import { type KernelInterface, readKernelInterfaces } from './kernel-interfaces.ts'
import { NETWORK_MANAGER, NetworkManager, type Objects } from './network-manager.ts'
import { type CheckTarget, ReachabilityChecks, targetsOf } from './reachability.ts'
import { type ChangeRequest, type ClientConnection, SafeChange } from './safe-change.ts'
import { TrafficMeter } from './traffic.ts'
import { scanNetworks } from './wifi.ts'

const STATUS = {
  [LINK_STATE.down]: 'down',
  [LINK_STATE.disconnected]: 'disconnected',
  [LINK_STATE.connecting]: 'connecting',
  [LINK_STATE.connected]: 'connected'
} as const

/** The client of a call, and the language of its response. */
export interface NetworkClient {
  language: Language
  /** Address of the hub at which the request arrived, or that it names. */
  localAddress: string | undefined
}

/** What uses an interface. */
export interface InterfaceUsers {
  /** IDs of running channels that are bound to it. */
  channels: number[]
  /** The settings of NDI name it. */
  hasNdi: boolean
}

/** Fields of a request that change more than name and uses. */
const CHANGING_FIELDS = ['use-dhcp', 'mtu', 'parent', 'further-addresses', 'routes', 'ipv6-method'] as const

/** An interface without the names of its users, of which each caller may see others. */
export type UsedInterface = Omit<NetworkInterface, 'used-by' | 'hidden-streams'> & { users: InterfaceUsers }

export interface NetworkOptions {
  mode: MachineMode
  bus: SystemBus
  store: NetworkStore
  /** Address on which the hub listens. */
  listenHost: string
  /** @returns a function that lists the users of an interface */
  findUsers(): (found: KernelInterface) => InterfaceUsers
  /** Names or addresses of the time servers that the machine uses. */
  timeServers(): Promise<string[]>
  onAddressChange(): void
  onChange(): void
  onOutcome(outcome: NetworkOutcome): void
}

export class MachineNetwork {
  readonly #options: NetworkOptions
  readonly #manager: NetworkManager
  readonly #traffic = new TrafficMeter()
  readonly #safeChange: SafeChange
  readonly #checks: ReachabilityChecks

  constructor(options: NetworkOptions) {
    this.#options = options
    this.#manager = new NetworkManager(options.bus)
    const { onAddressChange, onOutcome } = options
    const onChange = () => this.#noteChange()
    this.#safeChange = new SafeChange(options.bus, this.#manager, options.store, {
      onAddressChange,
      onChange,
      onOutcome
    })
    this.#checks = new ReachabilityChecks({ findTargets: () => this.#findTargets(), onChange: options.onChange })
    if (options.mode === 'manage') void this.#safeChange.resume().catch(() => {})
  }

  /** The state of a change is another one: what the machine reaches is of interest while it waits. */
  #noteChange(): void {
    if (this.#safeChange.observe()?.state === 'waiting') this.#checks.start()
    else this.#checks.stop()
    this.#options.onChange()
  }

  /** What the changed interface makes reachable, and the time servers. */
  async #findTargets(): Promise<CheckTarget[]> {
    const iface = this.#safeChange.observe()?.iface
    const { objects } = await this.#read()
    const found = this.#interfaces(objects, undefined).find((each) => each.iface === iface)
    return found ? targetsOf(found, await this.#options.timeServers()) : []
  }

  async list({
    language,
    localAddress
  }: NetworkClient): Promise<Omit<NetworkList, 'list'> & { list: UsedInterface[] }> {
    const { mode, store } = this.#options
    const { objects, obstacle } = await this.#read()
    if (objects) await this.#safeChange.resume()
    const list = this.#interfaces(objects, localAddress)
    if (objects) await Promise.all(list.map((each) => this.#addStoredSettings(objects, each)))
    const [change, last] = [this.#observeWithChecks(), store.outcome()]
    return {
      access: describeAccess(language, mode, NETWORK_MANAGER, obstacle),
      list,
      ...(change && { change }),
      ...(last && { last: { ...last, ...(last.reason && { text: undoReasonText(language, last.reason) }) } })
    }
  }

  #observeWithChecks(): NetworkChange | undefined {
    const change = this.#safeChange.observe()
    return change?.state === 'waiting' ? { ...change, checks: this.#checks.results() } : change
  }

  /** The objects of NetworkManager, or why it cannot be used. In view mode it is not asked. */
  async #read(): Promise<{ objects?: Objects; obstacle?: ServiceObstacle }> {
    if (this.#options.mode === 'view') return {}
    const state = await this.#manager.state()
    if (state !== 'running') return { obstacle: state }
    try {
      const objects = await this.#manager.objects()
      await this.#orderAddresses(objects)
      return { objects }
    } catch (error) {
      return { obstacle: error instanceof BusError && error.isRefused ? 'refused' : 'stopped' }
    }
  }

  /** Puts the first address of each connection before its further ones, which NetworkManager lists in any order. */
  async #orderAddresses(objects: Objects): Promise<void> {
    const order = async ({ device }: { device: Record<string, unknown> }) => {
      const config = objects.get(device.Ip4Config, 'IP4Config')
      const addresses = (config?.AddressData ?? []) as { address: string }[]
      const connection = addresses.length > 1 && this.#manager.currentConnection(objects, device)
      if (!config || !connection) return
      const settings = await this.#manager.publicSettingsOf(connection.path).catch(() => ({}))
      const further = (addressingOf(settings)['further-addresses'] ?? []).map((each) => each.split('/')[0])
      const rankOf = ({ address }: { address: string }) => (further.includes(address) ? 1 : 0)
      config.AddressData = addresses.toSorted((a, b) => rankOf(a) - rankOf(b))
    }
    await Promise.all(objects.devices().map(order))
  }

  #interfaces(objects: Objects | undefined, localAddress: string | undefined): UsedInterface[] {
    const kernel = readKernelInterfaces()
    const usersOf = this.#options.findUsers()
    const found = objects ? mergeDevices(objects, kernel) : kernel
    return found.map((each) => this.#complete(each, localAddress, usersOf(each)))
  }

  /**
   * Adds what only the stored connection has: further addresses, routes, with DHCP the chosen name servers, and the
   * choice of IPv6. An interface without a connection gets a new one, with automatic IPv6.
   */
  async #addStoredSettings(objects: Objects, found: UsedInterface): Promise<void> {
    const device = !found.unmanaged && objects.deviceOf(found.iface)?.device
    if (!device) return
    found['ipv6-method'] = 'auto'
    const connection = this.#manager.currentConnection(objects, device)
    if (!connection) return
    // The connection may have been removed since.
    const settings = await this.#manager.publicSettingsOf(connection.path).catch(() => ({}))
    Object.assign(found, addressingOf(settings), ipv6Of(settings))
    const servers = found['use-dhcp'] === true ? nameServersOf(settings) : []
    if (servers.length > 0) found['chosen-dns'] = servers
  }

  #complete(found: ManagedInterface, localAddress: string | undefined, users: InterfaceUsers): UsedInterface {
    const status = STATUS[found.link as keyof typeof STATUS]
    const isUsed = users.channels.length > 0 || users.hasNdi
    return {
      ...found,
      ...this.#options.store.note(found.iface),
      status: isUsed && status === 'connected' ? 'locked' : status,
      ...this.#traffic.measure(found),
      ...(hasInterfaceAddress(found, localAddress) && { 'is-console': true }),
      users
    }
  }

  /** @throws MachineError 26 if the hub cannot change the network, with the reason and the next step */
  async #requireManager(language: Language): Promise<Objects> {
    const { objects, obstacle = 'view' } = await this.#read()
    if (objects) return objects
    throw readOnlyError(language, obstacle, NETWORK_MANAGER)
  }

  #find(objects: Objects, iface: string, { localAddress }: NetworkClient): UsedInterface {
    const found = this.#interfaces(objects, localAddress).find((each) => each.iface === iface)
    if (!found) throw new MachineError(NOT_EXIST, { field: 'iface' })
    return found
  }

  /** Whether a request for a name or a note needs no change of the network. */
  isNoteOnly({ iface: _, label: __, uses: ___, force: ____, remove = false, ...changes }: SetNetworkRequest): boolean {
    return !remove && CHANGING_FIELDS.every((field) => changes[field] === undefined)
  }

  /** Checks that an interface exists, in both modes. */
  async requireInterface(iface: string): Promise<void> {
    const { objects } = await this.#read()
    if (!this.#interfaces(objects, undefined).some((each) => each.iface === iface))
      throw new MachineError(NOT_EXIST, { field: 'iface' })
  }

  /**
   * Checks a change, and plans it. Nothing is changed yet.
   * @param by name of the user
   * @throws MachineError
   */
  async prepareSet(request: SetNetworkRequest, client: NetworkClient, by: string): Promise<PreparedChange> {
    this.#safeChange.requireNone()
    const objects = await this.#requireManager(client.language)
    const { iface, parent, 'vlan-id': id, remove, force: _, label: __, uses: ___, ...rest } = request
    const asked = { iface, ...rest, ...(parent !== undefined && { parent, 'vlan-id': id }), ...(remove && { remove }) }
    const chosen = request['use-dhcp'] === false ? (request.ipaddr ?? '') : ''
    if (parent !== undefined && id !== undefined) {
      await this.#requireFreeAddress(objects, chosen, client)
      await this.#requireAddressing(objects, request, undefined, client)
      requireFreeIpv6(request, this.#interfaces(objects, undefined))
      requireIpv6Mtu(request, undefined)
      const plan = planVlan(this.#manager, objects, { ...request, parent, 'vlan-id': id })
      return { change: { plan, by, ipaddr: chosen, overIface: false, request: asked } }
    }
    const current = this.#find(objects, iface, client)
    const keepsAddress = request['use-dhcp'] === undefined && !remove
    const ipaddr = keepsAddress && current['use-dhcp'] === false ? current.ipaddr : chosen
    if (!remove && ipaddr !== current.ipaddr) await this.#requireFreeAddress(objects, ipaddr, client)
    if (!remove) await this.#requireAddressing(objects, request, current, client)
    const isListening = current.ipaddr !== '' && this.#options.listenHost === current.ipaddr
    if (isListening && ipaddr !== current.ipaddr && !keepsAddress)
      throw new MachineError(WRONG_STATE, { refusal: 'listen-address' })
    if (!remove) {
      requireFreeIpv6(request, this.#interfaces(objects, undefined))
      requireIpv6Mtu(request, current)
    }
    const stored = { ...current }
    if (request['ipv6-method'] !== undefined) await this.#addStoredSettings(objects, stored)
    const { listenHost } = this.#options
    const isListeningOnIpv6 = listenHost.includes(':') && hasInterfaceAddress(current, listenHost)
    if (isListeningOnIpv6 && (remove || !keepsIpv6Address(request, stored, hostsOf([listenHost])[0] ?? '')))
      throw new MachineError(WRONG_STATE, { refusal: 'listen-address' })
    const plan: ChangePlan = remove
      ? planRemoval(this.#manager, objects, iface)
      : planAddress(this.#manager, objects, request, current)
    const address = remove ? ipaddr : confirmationAddress(request, stored, client.localAddress, ipaddr)
    const overIface = current['is-console'] === true && !remove
    const change = { plan, by, ipaddr: address, overIface, request: asked }
    return { change, users: current.users }
  }

  /**
   * Checks the further addresses and the routes of a request, with those that stay.
   * @param current undefined for a new interface
   * @throws MachineError 7
   */
  async #requireAddressing(
    objects: Objects,
    request: SetNetworkRequest,
    current: UsedInterface | undefined,
    client: NetworkClient
  ): Promise<void> {
    const names = ['use-dhcp', 'further-addresses', 'routes'] as const
    if (names.every((name) => request[name] === undefined)) return
    const stored = current && { ...current }
    if (stored) await this.#addStoredSettings(objects, stored)
    const isDhcp = request['use-dhcp'] ?? current?.['use-dhcp'] ?? true
    const source = request['use-dhcp'] === undefined ? current : request
    const { ipaddr = '', netmask = '' } = source ?? {}
    const before = stored?.['further-addresses'] ?? []
    const further = request['further-addresses'] ?? before
    const invalid = (field: string, fault: Fault) => new MachineError(INVALID_ARG, { field, fault: fault.name })
    const addressFault = request['further-addresses'] && furtherAddresses(further, isDhcp ? '' : ipaddr)
    if (addressFault) throw invalid('further-addresses', addressFault)
    const networks = isDhcp ? undefined : [`${ipaddr}/${prefixLength(netmask)}`, ...further]
    const routeFault = staticRoutes(request.routes ?? stored?.routes ?? [], networks)
    if (routeFault) throw invalid('routes', routeFault)
    const added = further.filter((each) => !before.includes(each)).map((each) => each.split('/')[0] ?? '')
    await Promise.all(added.map((each) => this.#requireFreeAddress(objects, each, client, 'further-addresses')))
  }

  /** @throws MachineError 7 if this machine or another one has the address already */
  async #requireFreeAddress(
    objects: Objects,
    ipaddr: string,
    { localAddress }: NetworkClient,
    field = 'ipaddr'
  ): Promise<void> {
    if (ipaddr === '') return
    const taken = (holder: object) => new MachineError(INVALID_ARG, { field, fault: 'taken', ...holder })
    const own = this.#interfaces(objects, localAddress)
    const sameIface = own.find((each) => each.ipaddr === ipaddr)
    if (sameIface) throw taken({ 'taken-by': sameIface.iface })
    const isNear = own.some((each) => each.ipaddr && each.netmask && isSameSubnet(ipaddr, each.ipaddr, each.netmask))
    const mac = isNear ? await findHolder(ipaddr) : undefined
    if (mac) throw taken({ 'taken-by': mac })
  }

  async prepareJoin(request: JoinWifiRequest, client: NetworkClient, by: string): Promise<PreparedChange> {
    this.#safeChange.requireNone()
    const objects = await this.#requireManager(client.language)
    const current = this.#find(objects, request.iface, client)
    const { force: _, password: __, ...asked } = request
    const plan = planWifi(this.#manager, objects, request)
    const overIface = current['is-console'] === true
    return { change: { plan, by, ipaddr: '', overIface, request: asked }, users: current.users }
  }

  /** Begins a prepared change. */
  begin({ change }: PreparedChange): void {
    this.#safeChange.begin(change)
  }

  async scan(iface: string, { language }: NetworkClient): Promise<WifiNetwork[]> {
    await this.#requireManager(language)
    return scanNetworks(this.#manager, iface)
  }

  async confirm(
    { keep = true }: ConfirmNetworkRequest,
    connection: ClientConnection,
    language: Language
  ): Promise<void> {
    await this.#requireManager(language)
    return keep ? this.#safeChange.confirm(connection) : this.#safeChange.cancel()
  }

  /** The change that waits for its confirmation. */
  observeChange(): NetworkChange | undefined {
    return this.#safeChange.observe()
  }

  /**
   * Whether a time on the clock of `performance.now()` is before the change that waits for its confirmation took
   * effect.
   */
  isBeforeChange(time: number): boolean {
    return this.#safeChange.isBeforeChange(time)
  }

  close(): void {
    this.#checks.stop()
    this.#safeChange.close()
  }
}

/** A change that was checked. */
export interface PreparedChange {
  change: ChangeRequest
  /** Users of the interface. */
  users?: InterfaceUsers
}
