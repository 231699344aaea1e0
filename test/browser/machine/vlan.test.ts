// VLANs whose creation fails, with a real NetworkManager.
import assert from 'node:assert/strict'
import { NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import { setNetwork } from '../../../contract/machine/network.ts'
import { missingForMachine } from '../../kit/machine/machine.ts'
import type { ManagedMachine } from '../../kit/machine/managed-machine.ts'
import { closeMachines, openMachine, waitForOutcome } from '../../kit/machine/network-journey.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'

const test = suiteRequiring('VLANs that cannot be made', missingForMachine())

test.after(closeMachines)

const names = async (managed: ManagedMachine) => (await managed.list()).list.map(({ iface }) => iface)

test('a VLAN that does not exist is not listed, whether its creation failed or it was never made', async () => {
  const managed = await openMachine()
  // NetworkManager has a placeholder for the device of such a connection.
  const idle = 'nmcli con add type vlan con-name idle ifname eth0.30 dev eth0 id 30 autoconnect no'
  await managed.machine.run(['bash', '-ec', `${idle}; busctl tree org.freedesktop.NetworkManager | grep -q Devices/3`])
  assert.deepEqual(await names(managed), ['eth0'])
  assert.equal((await managed.client.send(setNetwork, { iface: 'eth0.30', remove: true })).result, NOT_EXIST)

  // The peer in the LAN gives no address, where the kernel can make the VLAN at all.
  const vlan = { iface: 'eth0.20', parent: 'eth0', 'vlan-id': 20, 'use-dhcp': true }
  assert.equal((await managed.client.send(setNetwork, vlan)).result, SUCCESS)
  assert.equal((await waitForOutcome(managed)).outcome, 'undone')
  assert.deepEqual(await names(managed), ['eth0'])
})

test.run()
