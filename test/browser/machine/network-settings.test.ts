// What a change leaves as it is in the connection of a real NetworkManager.
import assert from 'node:assert/strict'
import { INVALID_ARG, SUCCESS } from '../../../contract/codes.ts'
import { confirmNetwork, type SetNetworkRequest, setNetwork } from '../../../contract/machine/network.ts'
import { missingForMachine } from '../../kit/machine/machine.ts'
import { ADDRESS, type ManagedMachine } from '../../kit/machine/managed-machine.ts'
import { closeMachines, openMachine } from '../../kit/machine/network-journey.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suiteRequiring('settings that a change of the network keeps', missingForMachine())

test.after(closeMachines)

/** Makes a change that keeps the address, and confirms it. */
async function changeAndKeep(managed: ManagedMachine, request: Omit<SetNetworkRequest, 'iface'>): Promise<void> {
  const { result, change } = await managed.client.send(setNetwork, { iface: 'eth0', ...request })
  assert.deepEqual([result, change?.ipaddr], [0, ADDRESS])
  await managed.waitForChange()
  assert.equal((await managed.client.send(confirmNetwork, {})).result, SUCCESS)
}

test('a change of the MTU or of the name servers keeps what the hub does not show', async () => {
  const managed = await openMachine()
  const hidden = 'ipv4.gateway "" ipv4.never-default yes ipv4.dhcp-client-id studio ipv4.dns 1.1.1.1'
  await managed.machine.run(['bash', '-ec', `nmcli con mod lan ${hidden}; nmcli con up lan`])
  await managed.waitForAddress(ADDRESS)
  await changeAndKeep(managed, { mtu: 1400 })
  const afterMtu = await managed.storedConnections()
  for (const line of ['mtu=1400', 'never-default=true', 'dhcp-client-id=studio', 'dns=1.1.1.1;'])
    assert.ok(afterMtu.includes(line), `${line} is missing in ${afterMtu}`)
  const address = { 'use-dhcp': false, ipaddr: ADDRESS, netmask: '255.255.255.0', gateway: '', dns2: '' }
  await changeAndKeep(managed, { ...address, dns1: '9.9.9.9' })
  const afterDns = await managed.storedConnections()
  for (const line of ['mtu=1400', 'never-default=true', 'dhcp-client-id=studio', 'dns=9.9.9.9;'])
    assert.ok(afterDns.includes(line), `${line} is missing in ${afterDns}`)
})

test('further addresses and static routes are in effect, undone with the change, stored when it is kept, and listed', async () => {
  const managed = await openMachine()
  const { client, machine } = managed
  const lists = { 'further-addresses': ['203.0.113.7/24'], routes: [{ to: '10.0.0.0/8', via: '203.0.113.1' }] }
  const kernel = async () => [
    (await machine.run(['ip', '-4', 'addr', 'show', 'dev', 'eth0'])).includes('203.0.113.7/24'),
    (await machine.run(['ip', 'route'])).includes('10.0.0.0/8 via 203.0.113.1')
  ]
  assert.equal((await client.send(setNetwork, { iface: 'eth0', ...lists })).result, SUCCESS)
  await managed.waitForChange()
  assert.deepEqual(await kernel(), [true, true])
  assert.equal((await client.send(confirmNetwork, { keep: false })).result, SUCCESS)
  await until(async () => (await managed.list()).change === undefined, 'the change is undone')
  assert.deepEqual(await kernel(), [false, false])

  await changeAndKeep(managed, lists)
  assert.deepEqual(await kernel(), [true, true])
  const { ipaddr, 'further-addresses': further, routes } = await managed.eth0()
  assert.deepEqual([ipaddr, further, routes], [ADDRESS, lists['further-addresses'], lists.routes])
  assert.match(await managed.storedConnections(), /10\.0\.0\.0\/8,203\.0\.113\.1/)

  // The gateway of a route is in a network of the interface, and a further address is no one else's.
  const refusals: [request: Partial<SetNetworkRequest>, field: string][] = [
    [{ routes: [{ to: '10.0.0.0/8', via: '192.0.2.1' }] }, 'routes'],
    [{ 'further-addresses': [] }, 'routes'],
    [{ 'further-addresses': [`${ADDRESS}/24`], routes: [] }, 'further-addresses'],
    [{ 'further-addresses': ['198.51.100.1/24'], routes: [] }, 'further-addresses']
  ]
  for (const [request, field] of refusals) {
    const refused = await client.send(setNetwork, { iface: 'eth0', ...request })
    assert.deepEqual([refused.result, refused.field], [INVALID_ARG, field])
  }
  await changeAndKeep(managed, { 'further-addresses': [], routes: [] })
  assert.deepEqual(await kernel(), [false, false])
})

test.run()
