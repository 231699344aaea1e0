// Client of NetworkManager over D-Bus. Only what the hub needs of https://networkmanager.dev/docs/api/latest/spec.html.
import { Variant } from '@jellybrick/dbus-next'
import type { SystemService } from '../../messages/machine.ts'
import type { SystemBus } from '../system-bus.ts'
import type { ConnectionSettings } from './connection-settings.ts'

const NAME = 'org.freedesktop.NetworkManager'
const ROOT = '/org/freedesktop/NetworkManager'
const NO_OBJECT = '/'

export const NETWORK_MANAGER: SystemService & { busName: string } = {
  name: 'NetworkManager',
  package: 'network-manager',
  unit: 'NetworkManager',
  busName: NAME
}

/** Values of `DeviceType`. */
export const DEVICE_TYPE = { ethernet: 1, wifi: 2, vlan: 11, veth: 20 } as const

/** Values of `State` of a device. */
export const DEVICE_STATE = { unmanaged: 10, unavailable: 20, disconnected: 30, activated: 100, failed: 120 } as const

/** Values of `StateReason` of a device after a failed activation. */
export const STATE_REASON = {
  noAddress: [5, 15, 16, 17],
  noSecrets: [7, 8, 9, 10, 11],
  duplicateAddress: [64],
  ssidMissing: [53]
} as const

/**
 * Flags of a stored connection: not on disk, made by NetworkManager itself, in memory only, found as another program
 * set it up.
 */
const FLAGS_NOT_STORED = 0x1 | 0x2 | 0x4 | 0x8
const FLAG_EXTERNAL = 0x8

/**
 * Flag of a checkpoint: going back deletes the connections that were added after it, and with them the VLANs that they
 * made. The flag for new devices is only for checkpoints of all devices.
 */
const DELETE_NEW_CONNECTIONS = 0x2

/** Update of a connection in memory: the file on disk keeps the old settings until the change is saved. */
const UPDATE_IN_MEMORY = 0x2

/** Properties of one object by interface. Numbers, texts, lists and objects, without D-Bus variants. */
type Properties = Record<string, unknown>

/** Values without their variants, at any depth. 64-bit numbers become numbers. */
export function plain(value: unknown): unknown {
  if (value instanceof Variant) return plain(value.value)
  if (typeof value === 'bigint') return Number(value)
  if (Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return value.map(plain)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
  return value
}

/** All objects of NetworkManager at one moment. */
export class Objects {
  readonly #objects: Record<string, Record<string, Properties>>

  constructor(objects: Record<string, Record<string, Properties>>) {
    this.#objects = objects
  }

  /**
   * Properties of an interface of an object; undefined if the object or the interface does not exist. @param kind after
   * the common prefix
   */
  get(path: unknown, kind = ''): Properties | undefined {
    return this.#objects[String(path)]?.[kind ? `${NAME}.${kind}` : NAME]
  }

  /**
   * The devices that exist, with their paths, as `GetDevices` lists them. NetworkManager also has placeholders
   * (`Real` is false) of devices that a connection would make, such as a VLAN whose creation failed.
   */
  devices(): { path: string; device: Properties }[] {
    return Object.keys(this.#objects).flatMap((path) => {
      const device = this.get(path, 'Device')
      return device && device.Real !== false ? [{ path, device }] : []
    })
  }

  deviceOf(iface: string): { path: string; device: Properties } | undefined {
    return this.devices().find(({ device }) => device.Interface === iface)
  }
}

export class NetworkManager {
  readonly #bus: SystemBus

  constructor(bus: SystemBus) {
    this.#bus = bus
  }

  async #call(path: string, kind: string, member: string, signature = '', ...body: unknown[]): Promise<unknown[]> {
    const iface = kind ? `${NAME}.${kind}` : NAME
    return this.#bus.call({ destination: NAME, path, interface: iface, member, signature, body })
  }

  state(): Promise<'running' | 'stopped' | 'missing'> {
    return this.#bus.stateOf(NAME)
  }

  async objects(): Promise<Objects> {
    const [objects] = await this.#bus.call({
      destination: NAME,
      path: '/org/freedesktop',
      interface: 'org.freedesktop.DBus.ObjectManager',
      member: 'GetManagedObjects'
    })
    return new Objects(plain(objects) as Record<string, Record<string, Properties>>)
  }

  /**
   * @param devices whose state is restored. With none it would be all devices of the machine. @returns the checkpoint
   */
  async createCheckpoint(devices: readonly [string, ...string[]], seconds: number): Promise<string> {
    const [path] = await this.#call(ROOT, '', 'CheckpointCreate', 'aouu', devices, seconds, DELETE_NEW_CONNECTIONS)
    return String(path)
  }

  /** Keeps the changes since the checkpoint. */
  async destroyCheckpoint(checkpoint: string): Promise<void> {
    await this.#call(ROOT, '', 'CheckpointDestroy', 'o', checkpoint)
  }

  /** Goes back at once. */
  async rollback(checkpoint: string): Promise<void> {
    await this.#call(ROOT, '', 'CheckpointRollback', 'o', checkpoint)
  }

  /** The stored connection that a device uses, and whether it is only in memory or was set up by another program. */
  currentConnection(
    objects: Objects,
    device: Properties
  ): { path: string; isStored: boolean; isExternal: boolean } | undefined {
    const path = String(objects.get(device.ActiveConnection, 'Connection.Active')?.Connection ?? NO_OBJECT)
    if (path === NO_OBJECT) return undefined
    const flags = Number(objects.get(path, 'Settings.Connection')?.Flags ?? 0)
    return { path, isStored: (flags & FLAGS_NOT_STORED) === 0, isExternal: (flags & FLAG_EXTERNAL) !== 0 }
  }

  /** Settings of a connection without keys. */
  async publicSettingsOf(connection: string): Promise<ConnectionSettings> {
    const [settings] = (await this.#call(connection, 'Settings.Connection', 'GetSettings')) as [ConnectionSettings]
    return settings
  }

  /** Settings of a connection with the keys of its Wi-Fi network, without which an update would erase them. */
  async settingsOf(connection: string): Promise<ConnectionSettings> {
    const settings = await this.publicSettingsOf(connection)
    const section = '802-11-wireless-security'
    if (!settings[section]) return settings
    const reply = await this.#call(connection, 'Settings.Connection', 'GetSecrets', 's', section)
    const [secrets] = reply as [ConnectionSettings]
    return { ...settings, [section]: { ...settings[section], ...secrets[section] } }
  }

  async updateInMemory(connection: string, settings: ConnectionSettings): Promise<void> {
    await this.#call(connection, 'Settings.Connection', 'Update2', 'a{sa{sv}}ua{sv}', settings, UPDATE_IN_MEMORY, {})
  }

  /** Writes a connection to disk. */
  async save(connection: string): Promise<void> {
    await this.#call(connection, 'Settings.Connection', 'Save')
  }

  /** Ends an active connection. Its settings stay. */
  async deactivate(active: string): Promise<void> {
    await this.#call(ROOT, '', 'DeactivateConnection', 'o', active)
  }

  async remove(connection: string): Promise<void> {
    await this.#call(connection, 'Settings.Connection', 'Delete')
  }

  /** @returns path of a new connection that is not on disk */
  async addInMemory(settings: ConnectionSettings): Promise<string> {
    const [path] = await this.#call(`${ROOT}/Settings`, 'Settings', 'AddConnectionUnsaved', 'a{sa{sv}}', settings)
    return String(path)
  }

  /** @param device undefined for an interface that does not exist yet. @returns the active connection */
  async activate(connection: string, device = NO_OBJECT): Promise<string> {
    const [path] = await this.#call(ROOT, '', 'ActivateConnection', 'ooo', connection, device, NO_OBJECT)
    return String(path)
  }

  async requestScan(device: string): Promise<void> {
    await this.#call(device, 'Device.Wireless', 'RequestScan', 'a{sv}', {})
  }
}
