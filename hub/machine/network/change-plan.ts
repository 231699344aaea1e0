// The steps of a change of the network, as NetworkManager takes them.
import { ALREADY_EXISTS, NOT_EXIST, WRONG_STATE } from '../../../contract/codes.ts'
import type { JoinWifiRequest, NetworkInterface, SetNetworkRequest } from '../../../contract/machine/network.ts'
import { MachineError } from '../machine-error.ts'
import {
  type ConnectionSettings,
  ethernetConnection,
  vlanConnection,
  wifiConnection,
  withAddress,
  withoutNeedOfIpv4
} from './connection-settings.ts'
import { DEVICE_STATE, type NetworkManager, type Objects } from './network-manager.ts'

export interface ChangePlan {
  iface: string
  /** Devices whose state the checkpoint restores. */
  devices: [string, ...string[]]
  /**
   * Runs before the checkpoint, so that it covers a connection that another program or NetworkManager itself has made.
   */
  prepare?(): Promise<void>
  /**
   * Makes the change in memory. @returns the connection to save when the change is confirmed, and its active connection
   * to wait for; without that, the connection of a removed interface, to delete when the change is confirmed
   */
  apply(): Promise<{ connection: string; active?: string }>
}

type Properties = Record<string, unknown>

function requireDevice(objects: Objects, iface: string): { path: string; device: Properties } {
  const found = objects.deviceOf(iface)
  if (!found) throw new MachineError(NOT_EXIST, { field: 'iface' })
  if (found.device.State === DEVICE_STATE.unmanaged) throw new MachineError(WRONG_STATE, { refusal: 'unmanaged' })
  return found
}

/**
 * Makes the connection of a device one that is on disk, with the configuration that is in use. A checkpoint does not
 * restore the connection that another program has set up, and one that NetworkManager made by itself is gone after a
 * restart.
 * @returns the connection to change
 */
async function adoptConnection(manager: NetworkManager, iface: string, current: NetworkInterface): Promise<string> {
  const objects = await manager.objects()
  const { path, device } = requireDevice(objects, iface)
  const connection = manager.currentConnection(objects, device)
  if (connection?.isStored) return connection.path
  if (connection && !connection.isExternal) {
    await manager.save(connection.path)
    return connection.path
  }
  const isManual = connection !== undefined && current['use-dhcp'] !== true && current.ipaddr !== ''
  const before = connection && (await manager.publicSettingsOf(connection.path))
  // NetworkManager describes addresses that another program has set as `manual`.
  const ipv6 = before?.ipv6?.method?.value === 'manual' ? before.ipv6 : undefined
  const settings = ethernetConnection(iface, { ...current, 'use-dhcp': !isManual }, ipv6)
  const added = await manager.addInMemory(current.ipaddr === '' && ipv6 ? withoutNeedOfIpv4(settings) : settings)
  // An interface without an address gets its first one with the change itself.
  if (isManual || ipv6) {
    await manager.save(added)
    await manager.activate(added, path)
  }
  return added
}

/**
 * Whether a request must succeed without an IPv4 address: it changes IPv6 alone, on an interface that has none. Else
 * a machine in a network with IPv6 alone could not be changed.
 */
const isIpv6Only = (request: SetNetworkRequest, current: NetworkInterface) =>
  request['ipv6-method'] !== undefined &&
  request['ipv6-method'] !== 'off' &&
  request['use-dhcp'] === undefined &&
  current.ipaddr === ''

/** A new address, MTU or name servers of an interface. */
export function planAddress(
  manager: NetworkManager,
  objects: Objects,
  request: SetNetworkRequest,
  current: NetworkInterface
): ChangePlan {
  const { iface } = request
  const { path } = requireDevice(objects, iface)
  let connection = ''
  return {
    iface,
    devices: [path],
    async prepare() {
      connection = await adoptConnection(manager, iface, current)
    },
    async apply() {
      const settings = await manager.settingsOf(connection)
      const changed = withAddress(settings, request)
      await manager.updateInMemory(connection, isIpv6Only(request, current) ? withoutNeedOfIpv4(changed) : changed)
      return { active: await manager.activate(connection, path), connection }
    }
  }
}

const addAndActivate = async (manager: NetworkManager, settings: ConnectionSettings, device?: string) => {
  const connection = await manager.addInMemory(settings)
  return { active: await manager.activate(connection, device), connection }
}

export function planVlan(
  manager: NetworkManager,
  objects: Objects,
  request: SetNetworkRequest & { parent: string; 'vlan-id': number }
): ChangePlan {
  const { iface, parent, 'vlan-id': id } = request
  if (objects.deviceOf(iface)) throw new MachineError(ALREADY_EXISTS, { field: 'iface' })
  const { path } = requireDevice(objects, parent)
  return {
    iface,
    devices: [path],
    apply: () => addAndActivate(manager, vlanConnection(iface, parent, id, request))
  }
}

export function planRemoval(manager: NetworkManager, objects: Objects, iface: string): ChangePlan {
  const found = objects.deviceOf(iface)
  if (!found) throw new MachineError(NOT_EXIST, { field: 'iface' })
  const { path, device } = found
  const refuse = (refusal: string) => new MachineError(WRONG_STATE, { field: 'iface', refusal, about: iface })
  if (!objects.get(path, 'Device.Vlan')) throw refuse('not-a-vlan')
  const connection = manager.currentConnection(objects, device)
  if (!connection || device.State === DEVICE_STATE.unmanaged) throw refuse('vlan-of-another')
  return {
    iface,
    devices: [path],
    async apply() {
      await manager.deactivate(String(device.ActiveConnection))
      return { connection: connection.path }
    }
  }
}

export function planWifi(manager: NetworkManager, objects: Objects, request: JoinWifiRequest): ChangePlan {
  const { path } = requireDevice(objects, request.iface)
  if (!objects.get(path, 'Device.Wireless')) throw new MachineError(WRONG_STATE, { field: 'iface' })
  return {
    iface: request.iface,
    devices: [path],
    apply: () => addAndActivate(manager, wifiConnection(request), path)
  }
}
