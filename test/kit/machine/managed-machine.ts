// A test machine whose network the hub manages: NetworkManager has set its address, and a client in the LAN is signed
// in.
import type { ChildProcess } from 'node:child_process'
import { changePassword } from '../../../contract/access/session.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { listNetwork, type NetworkInterface, type NetworkList } from '../../../contract/machine/network.ts'
import { md5, newPassword } from '../hub/hub.ts'
import { until } from '../until.ts'
import { type Service, TestMachine } from './machine.ts'
import { LanClient, startMachineHub } from './machine-hub.ts'

export const ADDRESS = '198.51.100.10'
export const PASSWORD = 'Studio-Hub-1'

/** Milliseconds between two attempts to reach the hub. */
const PROBE_INTERVAL = 250

export class ManagedMachine {
  readonly machine: TestMachine
  client: LanClient
  hub: ChildProcess

  private constructor(machine: TestMachine, hub: ChildProcess) {
    this.machine = machine
    this.hub = hub
    this.client = new LanClient(machine, ADDRESS)
  }

  /**
   * @param owner who has set the address: NetworkManager, or another program, of which NetworkManager only takes note
   * @param prepare starts a replacement of NetworkManager or of other services, before the hub
   * @param services that the machine has
   * @param env of the hub
   */
  static async open(
    owner: 'network-manager' | 'other' = 'network-manager',
    prepare?: (machine: TestMachine) => Promise<void>,
    services: readonly Service[] = prepare ? ['dbus'] : ['dbus', 'polkit', 'network-manager'],
    env: Record<string, string> = {}
  ): Promise<ManagedMachine> {
    const machine = await TestMachine.open(services)
    await prepare?.(machine)
    const commands =
      owner === 'other'
        ? `ip link set eth0 up; ip addr add ${ADDRESS}/24 dev eth0`
        : `nmcli con add type ethernet con-name lan ifname eth0 ipv4.method manual ipv4.addresses ${ADDRESS}/24 ipv4.gateway 198.51.100.1`
    await machine.run(['bash', '-ec', commands])
    if (!prepare) {
      // NetworkManager activates a connection, or notices the address of another program, by itself.
      const isConnected = "nmcli --terse --fields DEVICE,STATE device | grep -q '^eth0:connected'"
      await until(() => machine.succeeds(['bash', '-c', isConnected]), 'eth0 is connected')
    }
    const self = new ManagedMachine(machine, await startMachineHub(machine, env))
    await self.client.signIn('Admin')
    const passwords = { 'old-passwd': md5('Admin'), ...newPassword(PASSWORD) }
    const { result, message } = await self.client.send(changePassword, passwords)
    // With the first password, the hub permits a client in the LAN nothing else.
    if (result !== SUCCESS) throw new Error(`Changing the password failed with result ${result}: ${message}`)
    return self
  }

  async restartHub(env: Record<string, string> = {}): Promise<void> {
    this.hub = await startMachineHub(this.machine, env)
  }

  list(): Promise<NetworkList> {
    return this.client.send(listNetwork, {})
  }

  async eth0(): Promise<NetworkInterface> {
    const found = (await this.list()).list.find(({ iface }) => iface === 'eth0')
    if (!found) throw new Error('eth0 is not listed')
    return found
  }

  /** Waits until the hub answers at an address. */
  waitForAddress(address: string): Promise<void> {
    return until(() => this.client.reaches(address), `the hub answers at ${address}`)
  }

  /**
   * Waits until the change of the network is in effect and can be confirmed. @param address of the hub then. @throws
   * Error if it ends
   */
  async waitForChange(address = this.client.address): Promise<void> {
    const client = Object.assign(new LanClient(this.machine, address), { cookie: this.client.cookie })
    await until(async () => {
      // While the addresses change, the hub may not be reached, or not yet at the new address.
      const list = await client.send(listNetwork, {}).catch(() => undefined)
      if (list?.result === SUCCESS && !list.change)
        throw new Error(`The change has ended: ${JSON.stringify(list.last)}`)
      return list?.change?.state === 'waiting'
    }, 'the change in effect')
  }

  /**
   * Measures the longest time in which the hub answered at none of the addresses, until `end` has settled. @returns
   * seconds
   */
  async measureGap(addresses: readonly string[], end: Promise<unknown>): Promise<number> {
    let [lastSeen, gap] = [performance.now(), 0]
    let probing: Promise<void> | undefined
    const probe = async () => {
      const answers = await Promise.all(addresses.map((address) => this.client.reaches(address)))
      const now = performance.now()
      gap = Math.max(gap, now - lastSeen)
      if (answers.includes(true)) lastSeen = now
      probing = undefined
    }
    const timer = setInterval(() => {
      probing ??= probe()
    }, PROBE_INTERVAL)
    await end.finally(() => clearInterval(timer))
    await probing
    return gap / 1000
  }

  /** The configuration of eth0 on disk. */
  storedConnections(): Promise<string> {
    return this.machine.run(['bash', '-c', 'cat /etc/NetworkManager/system-connections/* 2>/dev/null || true'])
  }

  close(): Promise<void> {
    return this.machine.close()
  }
}
