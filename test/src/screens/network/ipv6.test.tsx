import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { NetworkInterface, SetNetworkRequest } from '../../../../contract/machine/network.ts'
import { hubForEach } from '../../../kit/console/hub-for-each.ts'
import {
  ETHERNET,
  networkList,
  openDialogOf,
  openNetworkPage,
  save,
  textField
} from '../../../kit/console/network-page.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'

const test = suite('IPv6 of the network')
hubForEach(test)

const IPV6: Partial<NetworkInterface> = {
  'ipv6-method': 'auto',
  'ipv6-addresses': ['2001:db8::7/64', 'fe80::7/64'],
  'ipv6-gateway': 'fe80::1',
  'ipv6-dns': ['2001:db8::53']
}

test('IPv6 is shown: how it is set, addresses, gateway, name servers and routes; off, and set elsewhere', async () => {
  const routes = { 'ipv6-routes': [{ to: '2001:db8:9::/48', via: 'fe80::9' }] }
  const off: NetworkInterface = {
    ...ETHERNET,
    iface: 'eth1',
    label: 'Second',
    'ipv6-method': 'off',
    'ipv6-addresses': []
  }
  const other: NetworkInterface = { ...ETHERNET, iface: 'eth2', 'ipv6-method': 'other' }
  await openNetworkPage(networkList({ list: [{ ...ETHERNET, ...IPV6, ...routes }, off, other] }))
  for (const text of [
    'IPv6 Automatic',
    'IPv6 addresses 2001:db8::7/64, fe80::7/64',
    'IPv6 gateway fe80::1',
    'IPv6 DNS 2001:db8::53',
    'IPv6 static routes 2001:db8:9::/48 via fe80::9',
    'IPv6 Off',
    'IPv6 Set outside this console'
  ])
    await waitForText(text)
})

test('automatic IPv6 becomes manual with the values in use, which are checked and sent as a whole', async () => {
  const sent = await openNetworkPage(networkList({ list: [{ ...ETHERNET, ...IPV6 }] }))
  const dialog = await openDialogOf('eth0')
  const method = await findByRole('combobox', 'IPv6', dialog)
  assert.equal((await textField('Further IPv6 addresses', dialog)).value, '')
  assert.deepEqual(queryAllByRole('textbox', 'IPv6 gateway'), [])
  await selectOption(method, 'Manual')
  const addresses = await textField('IPv6 addresses', dialog)
  const gateway = await textField('IPv6 gateway', dialog)
  assert.deepEqual([addresses.value, gateway.value], ['2001:db8::7/64', 'fe80::1'])
  await fill(addresses, '')
  await fill(gateway, '2001:db8:1::1')
  await save(dialog)
  await waitForFieldMessage(addresses, 'Required')
  await waitForFieldMessage(gateway, 'Invalid entry')
  assert.deepEqual(sent, [])
  await fill(addresses, '2001:db8:1::7/64, fd00::7/48')
  await fill(await textField('IPv6 static routes', dialog), '2001:db8:9::/48 via fd00::9')
  await save(dialog)
  await waitForNone('dialog')
  assert.deepEqual(sent, [
    {
      iface: 'eth0',
      'ipv6-method': 'static',
      'ipv6-addresses': ['2001:db8:1::7/64', 'fd00::7/48'],
      'ipv6-gateway': '2001:db8:1::1',
      'ipv6-dns': ['2001:db8::53'],
      'ipv6-routes': [{ to: '2001:db8:9::/48', via: 'fd00::9' }]
    }
  ])
})

test('IPv6 is turned off alone, and without a change of it nothing about it is sent', async () => {
  const chosen: Partial<NetworkInterface> = {
    'ipv6-method': 'static',
    'ipv6-chosen-addresses': ['2001:db8::7/64']
  }
  const sent = await openNetworkPage(networkList({ list: [{ ...ETHERNET, ...IPV6, ...chosen }] }))
  let dialog = await openDialogOf('eth0')
  assert.equal((await textField('IPv6 addresses', dialog)).value, '2001:db8::7/64')
  assert.equal((await textField('IPv6 gateway', dialog)).value, '')
  await fill(await textField('MTU', dialog), '1400')
  await save(dialog)
  await waitForNone('dialog')
  dialog = await openDialogOf('eth0')
  await selectOption(await findByRole('combobox', 'IPv6', dialog), 'Off')
  assert.deepEqual(queryAllByRole('textbox', 'IPv6 addresses'), [])
  await save(dialog)
  await waitForNone('dialog')
  assert.deepEqual(sent, [
    { iface: 'eth0', mtu: 1400 },
    { iface: 'eth0', 'ipv6-method': 'off' }
  ])
})

test('a hub without settings of IPv6 shows none', async () => {
  await openNetworkPage(networkList())
  const dialog = await openDialogOf('eth0')
  assert.deepEqual(queryAllByRole('combobox', 'IPv6'), [])
  assert.doesNotMatch(visibleText(), /IPv6/)
  await save(dialog)
})

test('a change of IPv6 that was undone can be tried again with its values', async () => {
  const ipv6: Partial<SetNetworkRequest> = { 'ipv6-method': 'static', 'ipv6-addresses': ['2001:db8::8/64'] }
  const undone = { outcome: 'undone', reason: 'address-in-use', text: 'Another machine has the address' } as const
  const last = { iface: 'eth0', time: Date.now() - 5000, by: 'Admin', ...undone, request: { iface: 'eth0', ...ipv6 } }
  await openNetworkPage(networkList({ list: [{ ...ETHERNET, ...IPV6 }], last }))
  await click(await findByRole('button', 'Try again'))
  const dialog = await findByRole('dialog', 'Edit eth0')
  assert.equal((await textField('IPv6 addresses', dialog)).value, '2001:db8::8/64')
})

test('a new VLAN has automatic IPv6 unless a user chooses otherwise', async () => {
  const sent = await openNetworkPage(networkList({ list: [{ ...ETHERNET, ...IPV6 }] }))
  for (const method of ['Automatic', 'Off']) {
    await click(await findByRole('button', 'Add VLAN'))
    const dialog = await findByRole('dialog', 'Add VLAN')
    await fill(await textField('VLAN ID', dialog), '20')
    await selectOption(await findByRole('combobox', 'IPv6', dialog), method)
    await click(await findByRole('button', 'Add VLAN', dialog))
    await waitForNone('dialog')
  }
  const vlan = { iface: 'eth0.20', parent: 'eth0', 'vlan-id': 20, 'use-dhcp': true, dns1: '', dns2: '' }
  assert.deepEqual(sent, [vlan, { ...vlan, 'ipv6-method': 'off' }])
})

test('an MTU below 1280 is refused at its field while IPv6 is on', async () => {
  const sent = await openNetworkPage(networkList({ list: [{ ...ETHERNET, ...IPV6 }] }))
  const dialog = await openDialogOf('eth0')
  const mtu = await findByRole('textbox', 'MTU', dialog)
  await fill(mtu, '1279')
  await click(await findByRole('button', 'Save', dialog))
  await waitForFieldMessage(mtu, 'Must be between 1280 and 9216')
  await selectOption(await findByRole('combobox', 'IPv6', dialog), 'Off')
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog', 'Edit eth0')
  assert.equal(sent.length, 1)
})

test.run()
