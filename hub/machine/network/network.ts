// The network of the machine: shows it as the kernel has it, and changes it through NetworkManager in manage mode.
import type { MachineMode } from '../../../contract/machine/machine.ts'
import { LINK_STATE, type NetworkInterface, type NetworkList } from '../../../contract/machine/network.ts'
import type { Language } from '../../messages/language.ts'
import type { SystemService } from '../../messages/machine.ts'
import type { SystemBus } from '../dbus/system-bus.ts'
import { describeAccess } from '../machine-access.ts'
import { type KernelInterface, readKernelInterfaces } from './kernel-interfaces.ts'
import { TrafficMeter } from './traffic.ts'

const NETWORK_MANAGER: SystemService & { busName: string } = {
  name: 'NetworkManager',
  package: 'network-manager',
  unit: 'NetworkManager',
  busName: 'org.freedesktop.NetworkManager'
}

const STATUS = {
  [LINK_STATE.down]: 'down',
  [LINK_STATE.disconnected]: 'disconnected',
  [LINK_STATE.connecting]: 'connecting',
  [LINK_STATE.connected]: 'connected'
} as const

/** The request for the list. */
interface ListRequest {
  language: Language
  /** Address of the hub at which the request arrived. */
  localAddress: string | undefined
}

export class MachineNetwork {
  readonly #mode: MachineMode
  readonly #bus: SystemBus
  readonly #traffic = new TrafficMeter()

  constructor(mode: MachineMode, bus: SystemBus) {
    this.#mode = mode
    this.#bus = bus
  }

  async list({ language, localAddress }: ListRequest): Promise<NetworkList> {
    const state = this.#mode === 'manage' ? await this.#bus.stateOf(NETWORK_MANAGER.busName) : 'missing'
    const obstacle = state === 'running' ? undefined : state
    const list = readKernelInterfaces().map((found) => this.#complete(found, localAddress))
    return { access: describeAccess(language, this.#mode, NETWORK_MANAGER, obstacle), list }
  }

  #complete(found: KernelInterface, localAddress: string | undefined): NetworkInterface {
    return {
      ...found,
      status: STATUS[found.link as keyof typeof STATUS],
      ...this.#traffic.measure(found),
      ...(localAddress !== undefined && found.ipaddr === localAddress && { 'is-console': true })
    }
  }
}
