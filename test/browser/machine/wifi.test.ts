// Wi-Fi, VLAN and USB networks, against the NetworkManager of python-dbusmock: the kernel of a test machine cannot make
// them.
import assert from 'node:assert/strict'
import { NOT_EXIST, SUCCESS, WRONG_STATE } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import { confirmNetwork, joinWifi, scanWifi, setNetwork } from '../../../contract/machine/network.ts'
import { setSettings } from '../../../contract/settings.ts'
import { missingForMachine } from '../../kit/machine/machine.ts'
import { ManagedMachine } from '../../kit/machine/managed-machine.ts'
import { MockNetworkManager } from '../../kit/machine/mock-network-manager.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suiteRequiring('Wi-Fi, VLAN and USB networks', missingForMachine())

const PASSWORD = 'correct horse'
let managed: ManagedMachine
let mock: MockNetworkManager

test.before(async () => {
  managed = await ManagedMachine.open('other', async (machine) => {
    mock = new MockNetworkManager(machine)
    await mock.start()
    await mock.addWifi('wlan0')
    await mock.addUsb('usb0')
  })
})
test.after(() => managed.close())

/** Calls since the last change began. */
const lastCalls = () => mock.log.slice(mock.log.lastIndexOf('CheckpointCreate'))

/** Undoes the change that is in effect, and waits until that is done. @returns the reason in its outcome */
async function undoChange(): Promise<string | undefined> {
  assert.equal((await managed.client.send(confirmNetwork, { keep: false })).result, SUCCESS)
  await until(async () => lastCalls().includes('CheckpointRollback'), 'the rollback')
  await until(async () => (await managed.list()).change === undefined, 'the end of the change')
  return (await managed.list()).last?.reason
}

test('Wi-Fi and USB interfaces are listed', async () => {
  const { list, access } = await managed.list()
  assert.equal(access.reason, undefined)
  const kinds = new Map(list.map(({ iface, kind }) => [iface, kind]))
  assert.equal(kinds.get('wlan0'), 'wifi')
  assert.equal(kinds.get('usb0'), 'usb')
})

test('a scan lists each network once with its strongest signal, band and security', async () => {
  const { list } = await managed.client.send(scanWifi, { iface: 'wlan0' })
  assert.deepEqual(list, [
    { ssid: 'Studio', security: 'wpa2', signal: 80, band: 2.4 },
    { ssid: 'Studio WPA3', security: 'wpa3', signal: 70, band: 6 },
    { ssid: 'Guests', security: 'open', signal: 60, band: 2.4 },
    { ssid: 'Office', security: 'other', signal: 50, band: 2.4 }
  ])
  assert.equal((await managed.client.send(scanWifi, { iface: 'usb0' })).result, WRONG_STATE)
  assert.equal((await managed.client.send(scanWifi, { iface: 'wlan9' })).result, NOT_EXIST)
})

test('a network with WPA3 is joined under a checkpoint of its interface alone, and saved when it is confirmed', async () => {
  const request = { iface: 'wlan0', ssid: 'Studio WPA3', security: 'wpa3', password: PASSWORD } as const
  const { result, change } = await managed.client.send(joinWifi, request)
  assert.equal(result, SUCCESS)
  assert.equal(change?.iface, 'wlan0')
  await managed.waitForChange()
  assert.match(mock.log, /CheckpointCreate \[.*Devices\/wlan0.*\] 60 2/)
  assert.match(mock.log, /AddConnectionUnsaved.*sae.*/s)
  const [, connection = ''] = /ActivateConnection "?(\S*Settings\/\d+)/.exec(mock.log) ?? []
  await mock.addSave(connection)
  assert.equal((await managed.client.send(confirmNetwork, {})).result, SUCCESS)
  assert.match(mock.log, /CheckpointDestroy/)
  assert.match(mock.log, /Save/)
  // The password is in no log of the hub, and not in what a client can try again.
  const { list: lines } = await managed.client.send(listLog, { type: 'operation' })
  assert.doesNotMatch(JSON.stringify([lines, await managed.list()]), new RegExp(PASSWORD))
})

test('a hotspot is provided with the addresses and the connection of the machine', async () => {
  const request = { iface: 'wlan0', ssid: 'Crew', security: 'wpa2', password: PASSWORD, hotspot: true } as const
  assert.equal((await managed.client.send(joinWifi, request)).result, SUCCESS)
  await managed.waitForChange()
  const settings = mock.log.slice(mock.log.lastIndexOf('AddConnectionUnsaved'))
  assert.match(settings, /"mode": "ap"|'mode'.*'ap'/)
  assert.match(settings, /shared/)
  assert.equal(await undoChange(), 'cancelled')
})

test('a VLAN is made on its interface, with its ID and address', async () => {
  const vlan = { iface: 'usb0.20', parent: 'usb0', 'vlan-id': 20 }
  const address = { 'use-dhcp': false, ipaddr: '10.0.20.7', netmask: '255.255.0.0', gateway: '', dns1: '', dns2: '' }
  assert.equal((await managed.client.send(setNetwork, { ...vlan, parent: 'nowhere', ...address })).result, NOT_EXIST)
  assert.equal((await managed.client.send(setNetwork, { ...vlan, ...address })).result, SUCCESS)
  await managed.waitForChange()
  const settings = mock.log.slice(mock.log.lastIndexOf('AddConnectionUnsaved'))
  for (const part of [/vlan/, /20/, /10\.0\.20\.7/, /16/]) assert.match(settings, part)
  await undoChange()
})

test('a VLAN is removed under a checkpoint of its interface, and comes back when a user undoes the change', async () => {
  await mock.addVlan('usb0_20', 'usb0', 20)
  const found = (await managed.list()).list.find(({ iface }) => iface === 'usb0_20')
  assert.deepEqual([found?.kind, found?.parent, found?.['vlan-id']], ['vlan', 'usb0', 20])
  const { result, change } = await managed.client.send(setNetwork, { iface: 'usb0_20', remove: true })
  assert.deepEqual([result, change?.iface], [0, 'usb0_20'])
  await managed.waitForChange()
  const calls = lastCalls()
  assert.match(calls, /CheckpointCreate \[.*Devices\/usb0_20.*\] 60 2/)
  // Until the confirmation its settings stay on disk.
  assert.match(calls, /DeactivateConnection/)
  assert.doesNotMatch(calls, /Delete/)
  await undoChange()
})

test('a removal that is refused says how the interface can be removed', async () => {
  const remove = (iface: string) => managed.client.send(setNetwork, { iface, remove: true })
  const ethernet = await remove('usb0')
  assert.deepEqual(
    [ethernet.result, ethernet.message],
    [WRONG_STATE, 'Only a VLAN can be removed. usb0 belongs to the machine itself.']
  )
  await mock.addVlan('usb0_30', 'usb0', 30, 'other')
  const foreign = await remove('usb0_30')
  assert.equal(foreign.result, WRONG_STATE)
  assert.match(foreign.message ?? '', /ip link delete usb0_30$/)
})

test('an interface that NDI uses is locked: a change names NDI, and is made when the user insists', async () => {
  const discovery = {
    enable: false,
    servers: [],
    'send-groups': '',
    'recv-groups': '',
    'extra-ips': [],
    'machine-name': '',
    ifaces: ['usb0', 'eth0']
  }
  assert.equal((await managed.client.send(setSettings, { 'ndi-discovery': discovery })).result, SUCCESS)
  const { status, 'used-by': users } = await managed.eth0()
  assert.deepEqual([status, users], ['locked', ['NDI']])
  const request = { iface: 'usb0', 'use-dhcp': true, dns1: '9.9.9.9', dns2: '' }
  const refused = await managed.client.send(setNetwork, request)
  assert.deepEqual([refused.result, refused['owner-i']], [1005, ['NDI']])
  const { result, change } = await managed.client.send(setNetwork, { ...request, force: true })
  assert.deepEqual([result, change?.iface], [0, 'usb0'])
})

test.run()
