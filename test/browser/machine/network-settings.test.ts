// What a change leaves as it is in the connection of a real NetworkManager.
import assert from 'node:assert/strict'
import { SUCCESS } from '../../../contract/codes.ts'
import { confirmNetwork, type SetNetworkRequest, setNetwork } from '../../../contract/machine/network.ts'
import { missingForMachine } from '../../kit/machine/machine.ts'
import { ADDRESS, type ManagedMachine } from '../../kit/machine/managed-machine.ts'
import { closeMachines, openMachine } from '../../kit/machine/network-journey.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'

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

test.run()
