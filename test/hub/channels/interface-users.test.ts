import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { setSettings } from '../../../contract/settings.ts'
import { addChannel, enableChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { addInput } from '../../../contract/stream/source.ts'
import { findInterfaceUsers } from '../../../hub/channels/interface-users.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'

const test = suite('users of network interfaces')
hubForEach(test, { ndi: { folders: [] } })

const usersOf = (iface: string, ipaddr = '') => findInterfaceUsers(hub.parts.store)({ iface, ipaddr })
const channelsOf = (iface: string, ipaddr = '') => usersOf(iface, ipaddr).channels

async function addRunningChannel(name: string, url: string): Promise<number> {
  const { id: input } = await admin.send(addInput, { name: `Input of ${name}`, config: { type: 1, url } })
  const { id } = await admin.send(addChannel, { name })
  assert.equal((await admin.send(setChannelInput, { id, input })).result, SUCCESS)
  assert.equal((await admin.send(enableChannel, { id, enable: true })).result, SUCCESS)
  return id
}

test('a running channel uses the interface that its input names, or whose address it names, and a stopped one does not', async () => {
  const id = await addRunningChannel('Hall', 'udp://239.1.2.3:5000?iface=eth1')
  const foyer = await addRunningChannel('Foyer', 'udp://239.1.2.4:5000?iface=10.0.0.7')
  assert.deepEqual(usersOf('eth1'), { channels: [id], hasNdi: false })
  assert.deepEqual(channelsOf('eth9', '10.0.0.7'), [foyer])
  for (const other of ['eth', 'eth10', 'th1']) assert.deepEqual(channelsOf(other, '10.0.0.70'), [], other)
  await admin.send(enableChannel, { id, enable: false })
  assert.deepEqual(channelsOf('eth1'), [])
})

test('NDI uses the interfaces that its settings name', async () => {
  const discovery = {
    enable: false,
    servers: [],
    'send-groups': '',
    'recv-groups': '',
    'extra-ips': [],
    'machine-name': '',
    ifaces: ['eth1', '10.0.0.7']
  }
  assert.equal((await admin.send(setSettings, { 'ndi-discovery': discovery })).result, SUCCESS)
  const using = [usersOf('eth1'), usersOf('eth2', '10.0.0.7'), usersOf('eth3', '10.0.0.8')]
  assert.deepEqual(
    using.map(({ hasNdi }) => hasNdi),
    [true, true, false]
  )
})

test.run()
