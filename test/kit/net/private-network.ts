// A network of its own with one interface, which tests take away: a network namespace that only the processes in it see
// and that is gone when they end.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface PrivateNetwork {
  /** The command that executes the command in its further arguments in this network. */
  enter: readonly string[]
  /** Takes the address of the interface away, as DHCP or an operator does, and gives it back. */
  removeAddress(): void
  addAddress(): void
  /** The processes in the network have to be ended before. */
  close(): Promise<void>
}

/**
 * @param iface name of the interface
 * @param address its IPv4 address with the length of the prefix
 * @param neighbour an address in its network for which there is a machine, which answers nothing
 */
export async function createPrivateNetwork(iface: string, address: string, neighbour: string): Promise<PrivateNetwork> {
  const other = `${iface}-peer`
  const add = `ip addr add ${address} dev ${iface} && ip neigh replace ${neighbour} lladdr 02:00:00:00:00:01 dev ${iface}`
  const make = [
    `ip link add ${iface} type veth peer name ${other}`,
    ...['lo', iface, other].map((name) => `ip link set ${name} up`),
    add,
    'echo made',
    'exec sleep 600'
  ]
  const holder = spawn('unshare', ['--user', '--map-root-user', '--net', 'sh', '-c', make.join(' && ')], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [line] = await once(holder.stdout, 'data')
  if (!String(line).includes('made')) throw new Error(`No network: ${line}`)
  const enter = ['nsenter', '--target', String(holder.pid), '--user', '--net', '--preserve-credentials']
  const run = (command: string) => execFileSync(enter[0] as string, [...enter.slice(1), 'sh', '-c', command])
  return {
    enter,
    removeAddress: () => void run(`ip addr del ${address} dev ${iface}`),
    addAddress: () => void run(add),
    async close() {
      holder.kill('SIGKILL')
      await once(holder, 'exit')
    }
  }
}
