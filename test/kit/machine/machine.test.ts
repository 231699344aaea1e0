// The machine for tests of machine settings.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { suiteRequiring } from '../runner/suite.ts'
import { until } from '../until.ts'
import { missingForMachine, TestMachine } from './machine.ts'

const test = suiteRequiring('test machine', missingForMachine())

let machine: TestMachine
const before = { name: hostname(), resolvers: readFileSync('/etc/resolv.conf', 'utf8') }
test.before(async () => {
  machine = await TestMachine.open(['dbus', 'polkit', 'network-manager'])
})
test.after(() => machine.close())

test('the user of the hub may change the network, and no more than the rule says', async () => {
  const lines = (await machine.run(['nmcli', '--terse', 'general', 'permissions'], { as: 'headend' })).split('\n')
  const granted = lines
    .filter((line) => line.endsWith(':yes'))
    .map((line) => line.replace(/^org\.freedesktop\.NetworkManager\.|:yes$/g, ''))
  assert.deepEqual(granted.sort(), [
    'checkpoint-rollback',
    'enable-disable-wifi',
    'network-control',
    'settings.modify.system',
    'wifi.scan',
    'wifi.share.protected'
  ])
})

/** Those of the actions that polkit grants to the user of the hub. */
async function grantedActions(actions: readonly string[]): Promise<string[]> {
  const check = (action: string) =>
    `pkcheck --action-id org.freedesktop.${action} --process $$ >/dev/null && echo ${action}`
  const script = actions.map(check).join('; ')
  return (await machine.run(['bash', '-c', `{ ${script}; true; } 2>/dev/null`], { as: 'headend' })).split('\n')
}

test('the user of the hub may restart and shut down the machine, and not override a program that blocks it', async () => {
  const granted = ['reboot', 'power-off', 'reboot-multiple-sessions', 'power-off-multiple-sessions']
  const others = ['reboot-ignore-inhibit', 'power-off-ignore-inhibit', 'halt', 'suspend', 'set-user-linger']
  const [actions, refused] = [granted, others].map((list) => list.map((action) => `login1.${action}`))
  assert.deepEqual(await grantedActions([...(actions ?? []), ...(refused ?? [])]), actions)
})

test('the user of the hub may set clock, zone, synchronisation and host name, and not other settings of these services', async () => {
  const clock = ['timedate1.set-time', 'timedate1.set-timezone', 'timedate1.set-ntp']
  const actions = [...clock, 'hostname1.set-static-hostname']
  const others = ['timedate1.set-local-rtc', 'hostname1.get-product-uuid', 'hostname1.get-hardware-serial']
  assert.deepEqual(await grantedActions([...actions, ...others]), actions)
})

test('a client in the LAN reaches an address that NetworkManager sets, and the machine that runs the tests is unchanged', async () => {
  const address = ['ipv4.method', 'manual', 'ipv4.addresses', '198.51.100.10/24']
  await machine.run(['nmcli', 'con', 'add', 'type', 'ethernet', 'con-name', 'lan', 'ifname', 'eth0', ...address])
  // Nothing listens there: the machine refuses the connection as soon as it has the address.
  const connect = '(exec 3<>/dev/tcp/198.51.100.10/9) 2>&1 | grep -q refused'
  await until(() => machine.succeeds(['bash', '-c', connect], { in: 'lan' }), 'the machine has the address')
  assert.equal(hostname(), before.name)
  assert.equal(readFileSync('/etc/resolv.conf', 'utf8'), before.resolvers)
})

test.run()
