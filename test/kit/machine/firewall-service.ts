// The firewall service on a test machine, as a user without rights except CAP_NET_ADMIN, with the group of the hub.
import type { ChildProcess } from 'node:child_process'
import { until } from '../until.ts'
import type { TestMachine } from './machine.ts'

/** User of the service, and the group of the user headend. */
const USER = 62_002
const GROUP = 62_001

/** The address of the machine, set without NetworkManager. */
export const MACHINE_ADDRESS = '198.51.100.10'
export const MACHINE_ADDRESS_6 = 'fd00::10'

export async function setAddress(machine: TestMachine): Promise<void> {
  const inMachine = `ip link set eth0 up; ip addr add ${MACHINE_ADDRESS}/24 dev eth0; ip addr add ${MACHINE_ADDRESS_6}/64 dev eth0 nodad`
  await machine.run(['bash', '-ec', inMachine])
  await machine.run(['bash', '-ec', 'ip addr add fd00::1/64 dev peer0 nodad'], { in: 'lan' })
}

/** Starts the service. @param confirmTime milliseconds; without it the program that ships runs, which waits 60 s */
export async function startFirewallService(machine: TestMachine, confirmTime?: number): Promise<ChildProcess> {
  for (const folder of ['/run/headend-firewall', '/run/firewall-state'])
    await machine.run(['install', '-d', '-o', String(USER), '-g', String(GROUP), '-m', '750', folder])
  // Left by a service that was killed.
  await machine.run(['rm', '-f', '/run/headend-firewall/socket'])
  const rights = ['--inh-caps=-all,+net_admin', '--ambient-caps=-all,+net_admin', '--bounding-set=-all,+net_admin']
  const user = [
    'setpriv',
    `--reuid=${USER}`,
    `--regid=${GROUP}`,
    '--clear-groups',
    '--no-new-privs',
    ...rights,
    '--pdeathsig',
    'KILL'
  ]
  const program = confirmTime === undefined ? 'firewall/main.ts' : 'test/kit/machine/quick-firewall.ts'
  const args = confirmTime === undefined ? [] : [String(confirmTime)]
  const child = machine.start([...user, machine.node, program, ...args], {
    env: { HEADEND_FIREWALL_STATE: '/run/firewall-state' }
  })
  await until(() => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The firewall service ended')
    return machine.succeeds(['test', '-S', '/run/headend-firewall/socket'])
  }, 'the socket of the firewall service')
  return child
}

/**
 * Opens a TCP connection from the LAN. @param seconds without an answer after which the port counts as dropping packets
 */
export async function connectFromLan(
  machine: TestMachine,
  port: number,
  address = MACHINE_ADDRESS,
  seconds = 1
): Promise<'open' | 'refused' | 'dropped'> {
  const connect = `timeout ${seconds} bash -c 'exec 3<>/dev/tcp/${address}/${port}' 2>/dev/null; echo $?`
  const code = await machine.run(['bash', '-c', connect], { in: 'lan' })
  return code === '0' ? 'open' : code === '124' ? 'dropped' : 'refused'
}
