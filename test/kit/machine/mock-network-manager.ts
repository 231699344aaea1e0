// NetworkManager of python-dbusmock, with devices that the kernel of a test machine cannot make: Wi-Fi, VLAN, USB
// networks.
import type { TestMachine } from './machine.ts'

const NAME = 'org.freedesktop.NetworkManager'
const ROOT = '/org/freedesktop/NetworkManager'
const ACTIVATED = '100'

/** Signals of the template are on this interface. */
const MOCK = 'org.freedesktop.DBus.Mock'

export class MockNetworkManager {
  readonly #machine: TestMachine
  /** Calls that the mock has received, one a line, with their arguments. */
  log = ''

  constructor(machine: TestMachine) {
    this.#machine = machine
  }

  async start(): Promise<void> {
    const command = ['/usr/bin/python3', '-m', 'dbusmock', '--system', '--template', 'networkmanager']
    const child = this.#machine.start(command)
    child.stdout?.on('data', (chunk) => {
      this.log += chunk
    })
    await this.#machine.waitForBusName(NAME)
    const checkpoint = `ret = dbus.ObjectPath("${ROOT}/Checkpoint/1")`
    await this.addMethod(ROOT, NAME, 'CheckpointCreate', 'aouu', 'o', checkpoint)
    await this.addMethod(ROOT, NAME, 'CheckpointDestroy', 'o', '', '')
    await this.addMethod(ROOT, NAME, 'CheckpointRollback', 'o', '', '')
  }

  /** Calls a method of the mock itself. @returns the values as `busctl` prints them */
  call(path: string, member: string, signature: string, ...values: string[]): Promise<string> {
    return this.#machine.run(['busctl', '--system', 'call', NAME, path, MOCK, member, signature, ...values])
  }

  addMethod(path: string, iface: string, name: string, input: string, output: string, code: string): Promise<string> {
    return this.call(path, 'AddMethod', 'sssss', iface, name, input, output, code)
  }

  /** Adds a Wi-Fi interface with two access points of one network, an open one, and one with 802.1X. */
  async addWifi(iface: string): Promise<void> {
    await this.call(ROOT, 'AddWiFiDevice', 'ssi', iface, iface, ACTIVATED)
    const device = `${ROOT}/Devices/${iface}`
    const points = [
      ['far', 'Studio', '5180', '40', String(0x100)],
      ['near', 'Studio', '2412', '80', String(0x100)],
      ['sae', 'Studio WPA3', '5955', '70', String(0x400)],
      ['guest', 'Guests', '2437', '60', '0'],
      ['office', 'Office', '2437', '50', String(0x200)]
    ]
    for (const [name = '', ssid = '', frequency = '', strength = '', security = ''] of points) {
      const values = [device, name, ssid, '02:00:00:00:00:01', '2', frequency, '54000', strength, security]
      await this.call(ROOT, 'AddAccessPoint', 'ssssuuuyu', ...values)
    }
  }

  /** Adds an Ethernet interface whose device is on the USB bus. */
  async addUsb(iface: string): Promise<void> {
    await this.call(ROOT, 'AddEthernetDevice', 'ssi', iface, iface, ACTIVATED)
    const path = '/sys/devices/pci0000:00/usb1/1-2/1-2:1.0/net/usb0'
    const device = `${ROOT}/Devices/${iface}`
    await this.call(device, 'AddProperty', 'ssv', `${NAME}.Device`, 'Udi', 's', path)
  }

  /**
   * Adds a VLAN that the last connection has activated.
   * @param owner `other`: another program has made it, and it has no connection
   */
  async addVlan(
    iface: string,
    parent: string,
    id: number,
    owner: 'connection' | 'other' = 'connection'
  ): Promise<void> {
    await this.call(ROOT, 'AddEthernetDevice', 'ssi', iface, iface, ACTIVATED)
    const device = `${ROOT}/Devices/${iface}`
    const vlan = ['2', 'VlanId', 'u', String(id), 'Parent', 'o', `${ROOT}/Devices/${parent}`]
    await this.call(device, 'AddProperties', 'sa{sv}', `${NAME}.Device.Vlan`, ...vlan)
    await this.call(ROOT, 'SetProperty', 'sssv', device, `${NAME}.Device`, 'DeviceType', 'u', '11')
    if (owner === 'other') return
    const tree = await this.#machine.run(['busctl', '--system', 'tree', '--list', NAME])
    const active = tree.split('\n').filter((path) => path.includes('/ActiveConnection/'))
    await this.call(ROOT, 'SetDeviceActive', 'ss', device, active.at(-1)?.trim() ?? '')
  }

  /** Gives a connection the method that writes it to disk. */
  async addSave(connection: string): Promise<void> {
    await this.addMethod(connection, `${NAME}.Settings.Connection`, 'Save', '', '', '')
  }
}
