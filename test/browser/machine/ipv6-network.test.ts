// Changes of IPv6 with a real NetworkManager, by a hub without rights, seen from a client and a browser that reach it
// over IPv6.
import assert from 'node:assert/strict'
import { SUCCESS } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import { confirmNetwork, type SetNetworkRequest, setNetwork } from '../../../contract/machine/network.ts'
import { missingForMachine } from '../../kit/machine/machine.ts'
import { ADDRESS, type ManagedMachine } from '../../kit/machine/managed-machine.ts'
import { closeMachines, openConsole, openMachine, waitForOutcome } from '../../kit/machine/network-journey.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suiteRequiring('IPv6 of the machine', missingForMachine())

test.after.each(closeMachines)

const PEER = '2001:db8:7::1'
const HUB = '2001:db8:7::10'
const NEW = '2001:db8:7::77'
const IPV6 = {
  'ipv6-method': 'static',
  'ipv6-addresses': [`${HUB}/64`],
  'ipv6-gateway': PEER,
  'ipv6-dns': ['2001:db8:7::53'],
  'ipv6-routes': [{ to: '2001:db8:9::/48', via: 'fe80::9' }]
} as const satisfies Omit<SetNetworkRequest, 'iface'>

/** A machine in a LAN with IPv6, whose hub listens on all addresses of both kinds. */
async function openIpv6Machine(owner?: 'other'): Promise<ManagedMachine> {
  const managed = await openMachine(owner, { HOST: '::' })
  await managed.machine.run(['ip', '-6', 'addr', 'add', `${PEER}/64`, 'dev', 'peer0', 'nodad'], { in: 'lan' })
  return managed
}

const kernel = async ({ machine }: ManagedMachine) => ({
  addresses: [
    ...(await machine.run(['ip', '-6', '-oneline', 'addr', 'show', 'dev', 'eth0', 'scope', 'global'])).matchAll(
      /inet6 (\S+)/g
    )
  ].map(([, address]) => address),
  routes: await machine.run(['ip', '-6', 'route'])
})

const isUndone = async (managed: ManagedMachine) =>
  until(async () => (await managed.list()).change === undefined, 'the change is undone')

async function setIpv6(managed: ManagedMachine, request: Omit<SetNetworkRequest, 'iface'>, at?: string) {
  const { result, change, message } = await managed.client.send(setNetwork, { iface: 'eth0', ...request })
  assert.equal(result, SUCCESS, String(message))
  await managed.waitForChange(at)
  return change
}

test('a static configuration is in effect, undone with the change, stored when it is kept, and listed', async () => {
  const managed = await openIpv6Machine()
  const before = await managed.eth0()
  assert.deepEqual([before['ipv6-method'], before['ipv6-chosen-addresses']], ['auto', undefined])
  assert.match(before['ipv6-addresses']?.join() ?? '', /^fe80::\S+\/64$/)

  const change = await setIpv6(managed, IPV6)
  assert.deepEqual([change?.ipaddr, change?.['over-iface']], [ADDRESS, true])
  const changed = await kernel(managed)
  assert.deepEqual(changed.addresses, [`${HUB}/64`])
  assert.match(changed.routes, /default via 2001:db8:7::1 dev eth0/)
  assert.match(changed.routes, /2001:db8:9::\/48 via fe80::9 dev eth0/)
  assert.equal((await managed.client.send(confirmNetwork, { keep: false })).result, SUCCESS)
  await isUndone(managed)
  assert.deepEqual((await kernel(managed)).addresses, [])
  const { last } = await managed.list()
  assert.deepEqual(
    [last?.reason, last?.unverified, last?.request],
    ['cancelled', undefined, { iface: 'eth0', ...IPV6 }]
  )

  await setIpv6(managed, IPV6)
  assert.equal((await managed.client.send(confirmNetwork, {})).result, SUCCESS)
  const eth0 = await managed.eth0()
  assert.deepEqual(
    [eth0['ipv6-method'], eth0['ipv6-chosen-addresses'], eth0['ipv6-gateway'], eth0['ipv6-dns'], eth0['ipv6-routes']],
    ['static', IPV6['ipv6-addresses'], PEER, IPV6['ipv6-dns'], IPV6['ipv6-routes']]
  )
  assert.equal(eth0['ipv6-addresses']?.[0], `${HUB}/64`)
  // The IPv4 configuration stays.
  assert.deepEqual([eth0.ipaddr, eth0.gateway, eth0['use-dhcp']], [ADDRESS, '198.51.100.1', false])
  assert.match(await managed.storedConnections(), /address1=2001:db8:7::10\/64/)
  const { list: log } = await managed.client.send(listLog, { type: 'operation' })
  assert.ok(log.some(({ text = '' }) => text.includes('IPv6 static 2001:db8:7::10/64')))
})

test('an address of another machine is undone at once, and the reason is given', async () => {
  const managed = await openIpv6Machine()
  const request = { ...IPV6, 'ipv6-addresses': [`${PEER}/64`], 'ipv6-gateway': '' }
  assert.equal((await managed.client.send(setNetwork, { iface: 'eth0', ...request })).result, SUCCESS)
  const last = await waitForOutcome(managed)
  assert.deepEqual([last.outcome, last.reason, last.unverified], ['undone', 'address-in-use', undefined])
  assert.deepEqual((await kernel(managed)).addresses, [])
})

test('gateway and name server of a waiting change are asked over IPv6, also a link-local gateway', async () => {
  const managed = await openIpv6Machine()
  const { machine } = managed
  const linkLocal = await machine.run(
    ['bash', '-c', "ip -6 -oneline addr show dev peer0 scope link | sed -n 's/.*inet6 \\([^/]*\\).*/\\1/p'"],
    { in: 'lan' }
  )
  const stateOf = async (address: string) =>
    (await managed.list()).change?.checks?.find((check) => check.address === address)?.state
  for (const [gateway, listed, expected] of [
    [PEER, PEER, 'answers'],
    ['2001:db8:7::fe', '2001:db8:7::fe', 'silent'],
    [linkLocal, `${linkLocal}%eth0`, 'answers'],
    ['fe80::fe', 'fe80::fe%eth0', 'silent']
  ] as const) {
    await setIpv6(managed, { ...IPV6, 'ipv6-gateway': gateway })
    await until(async () => (await stateOf(listed)) === expected, `${listed}: ${expected}`)
    await until(async () => (await stateOf('2001:db8:7::53')) === 'silent', 'nobody is the name server')
    assert.equal((await managed.client.send(confirmNetwork, { keep: false })).result, SUCCESS)
    await isUndone(managed)
  }
})

test('a console that was opened over IPv6 is not lost: its change must be confirmed over IPv6, and it follows', async () => {
  const managed = await openIpv6Machine()
  await setIpv6(managed, IPV6)
  assert.equal((await managed.client.send(confirmNetwork, {})).result, SUCCESS)
  const { client } = managed
  client.address = `[${HUB}]`
  assert.equal((await managed.eth0())['is-console'], true)

  // Without IPv6, the client that asked for it no longer reaches the hub: it comes back when nobody confirms.
  const off = await client.send(setNetwork, { iface: 'eth0', 'ipv6-method': 'off' })
  assert.deepEqual([off.change?.ipaddr, off.change?.['over-iface']], [ADDRESS, true])
  await managed.waitForChange(ADDRESS)
  assert.equal(await client.reaches(), false)
  assert.equal((await managed.machine.run(['ip', '-6', 'addr', 'show', 'dev', 'eth0'])).trim(), '')
  client.address = ADDRESS
  assert.equal((await client.send(confirmNetwork, { keep: false })).result, SUCCESS)
  await isUndone(managed)
  client.address = `[${HUB}]`
  await managed.waitForAddress(`[${HUB}]`)

  // A page opened over IPv6 goes to the new address by itself, and keeps the change there.
  const page = await openConsole(managed, `[${HUB}]`)
  await page.getByRole('button', { name: 'Edit eth0' }).click()
  await page.getByLabel('IPv6 addresses').fill(`${NEW}/64`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(`http://[${NEW}]:3000/#/settings/network`)
  await page.getByRole('button', { name: 'Keep settings' }).click()
  await page.getByText('Settings of eth0 kept').waitFor()
  assert.deepEqual((await kernel(managed)).addresses, [`${NEW}/64`])
  assert.match(await managed.storedConnections(), /address1=2001:db8:7::77\/64/)
})

test('an IPv6 address that another program has set is kept with a change of IPv4, and restored after one of IPv6', async () => {
  const managed = await openIpv6Machine('other')
  await managed.machine.run(['ip', '-6', 'addr', 'add', `${HUB}/64`, 'dev', 'eth0', 'nodad'])
  await until(
    async () => (await managed.eth0())['ipv6-addresses']?.includes(`${HUB}/64`) === true,
    'the address is listed'
  )
  await setIpv6(managed, { mtu: 1400 })
  assert.deepEqual((await kernel(managed)).addresses, [`${HUB}/64`])
  assert.equal((await managed.client.send(confirmNetwork, {})).result, SUCCESS)
  await setIpv6(managed, { ...IPV6, 'ipv6-addresses': [`${NEW}/64`] })
  assert.deepEqual((await kernel(managed)).addresses, [`${NEW}/64`])
  assert.equal((await managed.client.send(confirmNetwork, { keep: false })).result, SUCCESS)
  await isUndone(managed)
  assert.deepEqual((await kernel(managed)).addresses, [`${HUB}/64`])
  assert.equal((await managed.list()).last?.unverified, undefined)
})

test('a machine without any IPv4 address is given a static IPv6 address', async () => {
  const managed = await openIpv6Machine('other')
  await managed.machine.run(['bash', '-ec', `ip -6 addr add ${HUB}/64 dev eth0 nodad; ip -4 addr flush dev eth0`])
  managed.client.address = `[${HUB}]`
  await managed.waitForAddress(`[${HUB}]`)
  await until(async () => (await managed.eth0()).ipaddr === '', 'the IPv4 address is gone')
  const change = await setIpv6(managed, { ...IPV6, 'ipv6-addresses': [`${NEW}/64`] }, `[${NEW}]`)
  assert.deepEqual([change?.ipaddr, change?.['over-iface']], [NEW, true])
  managed.client.address = `[${NEW}]`
  assert.equal((await managed.client.send(confirmNetwork, {})).result, SUCCESS)
  const eth0 = await managed.eth0()
  assert.deepEqual([eth0.link, eth0.ipaddr, eth0['ipv6-addresses']?.[0]], [3, '', `${NEW}/64`])
})

test.run()
