import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { IN_PROGRESS, INVALID_ARG, NOT_PERMITTED, OBJECT_BUSY, READ_ONLY, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { joinWifi, listNetwork, type SetNetworkRequest, setNetwork } from '../../../../contract/machine/network.ts'
import { pingHost } from '../../../../contract/machine/ping.ts'
import { addChannel } from '../../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../../contract/stream/channel-security.ts'
import { MachineError } from '../../../../hub/machine/machine-error.ts'
import type { InterfaceUsers, PreparedChange, UsedInterface } from '../../../../hub/machine/network/network.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('calls for the network of the machine')
hubForEach(test)

const FORBIDDEN = 'The hub does not ping multicast, link-local and metadata addresses.'
const refusalOf = ({ result, message }: { result: number; message?: unknown }) => [result, message]

const SYSTEM_CONFIG = 0x4000 | 0x8000
const ALL_VIEWS = SYSTEM_CONFIG | 0x100

const found = (users: InterfaceUsers): UsedInterface => ({
  iface: 'eth0',
  kind: 'ethernet',
  ipaddr: '192.0.2.7',
  netmask: '255.255.255.0',
  gateway: '',
  dns1: '',
  dns2: '',
  mtu: 1500,
  mac: '02:00:00:00:00:01',
  link: 3,
  status: 'locked',
  'rx-bytes': 0,
  'tx-bytes': 0,
  label: '',
  uses: [],
  users
})

/** Replaces the interfaces of the machine by one with these users. */
function useInterface(users: InterfaceUsers): void {
  const { network } = hub.parts.machine
  network.list = async () => ({ access: { machine: 'manage' }, list: [found(users)] })
  network.prepareSet = network.prepareJoin = async () => ({ users }) as PreparedChange
}

/** What a client learns about the users of the interface, from the list and from the refusals of both changes. */
async function usersSeenBy(client: Client) {
  const [each] = (await client.send(listNetwork, {})).list
  const set = await client.send(setNetwork, { iface: 'eth0', 'use-dhcp': true })
  const join = await client.send(joinWifi, { iface: 'eth0', ssid: 'Studio', security: 'wpa2', password: 'x'.repeat(8) })
  assert.deepEqual([set.result, join.result], [OBJECT_BUSY, OBJECT_BUSY])
  assert.deepEqual([join['owner-i'], join['owner-hidden']], [set['owner-i'], set['owner-hidden']])
  return [each?.['used-by'], each?.['hidden-streams'], set['owner-i'], set['owner-hidden']]
}

test('a user without access to the channels of an interface sees that channels use it, but not their names', async () => {
  const { id: open } = await admin.send(addChannel, { name: 'Open' })
  const { id: secret } = await admin.send(addChannel, { name: 'Hidden' })
  const security = { 'is-inherit': 0, 'group-mask': 1, 'usr-mask': 0 } as const
  assert.equal((await admin.send(setChannelSecurity, { id: secret, security })).result, SUCCESS)
  useInterface({ channels: [open, secret], hasNdi: true })
  assert.deepEqual(await usersSeenBy(admin), [
    ['Open', 'Hidden', 'NDI'],
    undefined,
    ['Open', 'Hidden', 'NDI'],
    undefined
  ])
  const operator = addSignedInUser(hub, 'operator', ALL_VIEWS)
  assert.deepEqual(await usersSeenBy(operator), [['Open', 'NDI'], true, ['Open', 'NDI'], true])
  const network = addSignedInUser(hub, 'network', SYSTEM_CONFIG)
  assert.deepEqual(await usersSeenBy(network), [['NDI'], true, ['NDI'], true])
  useInterface({ channels: [secret], hasNdi: false })
  assert.deepEqual(await usersSeenBy(network), [undefined, true, [], true])
})

test('of two changes at the same time, one is accepted and the other one is refused', async () => {
  const { network } = hub.parts.machine
  const prepared: PreparedChange = {
    change: {
      // Stops before the checkpoint.
      plan: {
        iface: 'eth0',
        devices: ['/eth0'],
        prepare: () => new Promise(() => {}),
        apply: () => new Promise(() => {})
      },
      by: 'Admin',
      ipaddr: '',
      overIface: false,
      request: { iface: 'eth0' }
    }
  }
  network.prepareSet = network.prepareJoin = async () => prepared
  const responses = await Promise.all([
    admin.send(setNetwork, { iface: 'eth0', 'use-dhcp': true, label: 'First' }),
    admin.send(setNetwork, { iface: 'eth0', 'use-dhcp': true, label: 'Second' })
  ])
  const join = await admin.send(joinWifi, { iface: 'eth0', ssid: 'Studio', security: 'wpa2', password: 'x'.repeat(8) })
  assert.deepEqual(responses.map(({ result }) => result).sort(), [SUCCESS, IN_PROGRESS])
  assert.equal(join.result, IN_PROGRESS)
  const isFirst = responses[0].result === SUCCESS
  assert.equal(hub.parts.store.settings.get('network-notes').eth0?.label, isFirst ? 'First' : 'Second')
})

test('a user pings one host at a time, the hub four, and no group or metadata service', async () => {
  const pings = [1, 2].map(() => admin.send(pingHost, { target: '127.0.0.1' }))
  const users = Array.from({ length: 4 }, (_, index) => addSignedInUser(hub, `user${index}`, SYSTEM_CONFIG))
  const others = users.map((user) => user.send(pingHost, { target: '127.0.0.1' }))
  const [first, second] = await Promise.all(pings)
  assert.equal(second?.result, IN_PROGRESS)
  assert.ok([SUCCESS, READ_ONLY].includes(first?.result ?? -1))
  if (first?.result === SUCCESS) assert.deepEqual([first.address, first.sent, first.received], ['127.0.0.1', 4, 4])
  const results = (await Promise.all(others)).map(({ result }) => result)
  assert.equal(results.filter((result) => result === IN_PROGRESS).length, 1)
  for (const target of ['224.0.0.1', '255.255.255.255', '169.254.169.254', '169.254.1.1'])
    assert.deepEqual(refusalOf(await admin.send(pingHost, { target })), [INVALID_ARG, FORBIDDEN], target)
  for (const target of ['-f', '127.0.0.1; reboot', 'a b', '', '0.0.0.0'])
    assert.equal((await admin.send(pingHost, { target })).result, INVALID_ARG, target)
  const viewer = addSignedInUser(hub, 'viewer', SYSTEM_CONFIG_VIEW)
  assert.equal((await viewer.send(pingHost, { target: '127.0.0.1' })).result, NOT_PERMITTED)
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.ok(list.some(({ text }) => text === 'Ping a host: 127.0.0.1'))
})

test('an IPv6 configuration that is not valid is refused at its field', async () => {
  useInterface({ channels: [], hasNdi: false })
  const fieldOf = async (request: Partial<SetNetworkRequest>) => {
    const { result, field, fault } = await admin.send(setNetwork, { iface: 'eth0', ...request })
    return [result, field, fault]
  }
  const ipv6 = { 'ipv6-method': 'static', 'ipv6-addresses': ['2001:db8::7/64'] } as const
  const wrong: [request: Partial<SetNetworkRequest>, field: string, fault: string][] = [
    [{ 'ipv6-addresses': ['2001:db8::7/64'] }, 'ipv6-method', 'required'],
    [{ 'ipv6-method': 'static' }, 'ipv6-addresses', 'required'],
    [{ ...ipv6, 'ipv6-addresses': ['192.0.2.7/24'] }, 'ipv6-addresses', 'invalid'],
    [{ ...ipv6, 'ipv6-addresses': ['2001:db8::7/64'], 'ipv6-gateway': '2001:db8::7' }, 'ipv6-gateway', 'same'],
    [{ 'ipv6-method': 'auto', 'ipv6-dns': ['9.9.9.9'] }, 'ipv6-dns', 'invalid'],
    [{ 'ipv6-method': 'auto', 'ipv6-routes': [{ to: '::/0', via: 'fe80::1' }] }, 'ipv6-routes', 'invalid']
  ]
  for (const [request, field, fault] of wrong)
    assert.deepEqual(await fieldOf(request), [INVALID_ARG, field, fault], JSON.stringify(request))
})

test('the log of operations has the IPv6 configuration', async () => {
  const { network } = hub.parts.machine
  network.prepareSet = async () => Promise.reject(new MachineError(READ_ONLY))
  const off = await admin.send(setNetwork, { iface: 'eth0', 'ipv6-method': 'off' })
  const ipv6 = { 'ipv6-addresses': ['2001:db8::7/64'], 'ipv6-gateway': 'fe80::1' }
  const chosen = await admin.send(setNetwork, { iface: 'eth0', 'ipv6-method': 'static', ...ipv6 })
  assert.deepEqual([off.result, chosen.result], [READ_ONLY, READ_ONLY])
  const { list } = await admin.send(listLog, { type: 'operation' })
  const texts = list.map(({ text = '' }) => text)
  assert.ok(
    texts.some((text) => text.includes('eth0 IPv6 off')),
    texts.join()
  )
  assert.ok(
    texts.some((text) => text.includes('eth0 IPv6 static 2001:db8::7/64 fe80::1')),
    texts.join()
  )
})

test('a hotspot without encryption is refused: polkit does not let the hub provide one', async () => {
  useInterface({ channels: [], hasNdi: false })
  const request = { iface: 'wlan0', ssid: 'Crew', security: 'open', password: '', hotspot: true } as const
  const { result, field, fault } = await admin.send(joinWifi, request)
  assert.deepEqual([result, field, fault], [INVALID_ARG, 'security', 'invalid'])
})

test.run()
