import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, READ_ONLY, SUCCESS } from '../../../../contract/codes.ts'
import type { NetworkInterface } from '../../../../contract/machine/network.ts'
import { pingHost } from '../../../../contract/machine/ping.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { $followed } from '../../../../src/screens/network/follow.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
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
  clickWhenFree,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'

const test = suite('network')
hubForEach(test)

test('a hub in view mode says how to let it manage the machine, and offers nothing to change', async () => {
  const last = { iface: 'eth0', time: Date.now(), by: 'Admin', outcome: 'undone', text: 'Cancelled' } as const
  const access = { machine: 'view', reason: 'View only', 'next-step': 'Start it with MACHINE=manage' } as const
  const vlan: NetworkInterface = { ...ETHERNET, iface: 'eth0.5', kind: 'vlan', parent: 'eth0', 'vlan-id': 5 }
  await openNetworkPage(networkList({ access, list: [ETHERNET, vlan], last }))
  await waitForText('Start it with MACHINE=manage')
  assert.deepEqual(queryAllByRole('button', /^(Add VLAN|Edit .*|Remove .*|Try again)$/), [])
})

test('an interface of another program has a line that says so, and nothing to change', async () => {
  await openNetworkPage(networkList({ list: [ETHERNET, { ...ETHERNET, iface: 'eth1', unmanaged: true }] }))
  await waitForText('Managed by another program of the machine')
  await findByRole('button', 'Edit eth0')
  assert.deepEqual(queryAllByRole('button', 'Edit eth1'), [])
})

test('an interface is shown with its state, users, address, speed, USB speed and traffic', async () => {
  await openNetworkPage(networkList())
  const text = visibleText()
  for (const part of [
    'Connected, in use',
    'Hall 1, channels of other users',
    '192.168.1.7 / 255.255.255.0',
    '2.5 Gbps',
    '480 Mbps (high speed)'
  ])
    assert.ok(text.includes(part), part)
  assert.match(text, /Traffic 4 Mbps in, 1 Mbps out/)
  assert.match(text, /Console · NDI/)
})

test('the speed of a USB bus has its name', async () => {
  const speeds = [12, 480, 5000, 10_000]
  await openNetworkPage(
    networkList({ list: speeds.map((speed) => ({ ...ETHERNET, iface: `usb${speed}`, 'usb-speed': speed })) })
  )
  const shown = [...visibleText().matchAll(/USB (\S+ [GM]bps \(.*?\))/g)].map(([, text]) => text)
  assert.deepEqual(shown, [
    '12 Mbps (full speed)',
    '480 Mbps (high speed)',
    '5 Gbps (super speed)',
    '10 Gbps (super speed)'
  ])
})

test('a gateway outside of the subnet and two equal name servers are refused before the hub is asked', async () => {
  const sent = await openNetworkPage(networkList())
  const dialog = await openDialogOf('eth0')
  await fill(await textField('Gateway', dialog), '192.168.2.1')
  await fill(await textField('DNS 2', dialog), '9.9.9.9')
  await save(dialog)
  await waitForFieldMessage(await textField('Gateway', dialog), 'Must be between 192.168.1.1 and 192.168.1.254')
  await waitForFieldMessage(await textField('DNS 2', dialog), 'Must differ from the other entry')
  assert.deepEqual(sent, [])
})

test('a new name and new uses are sent alone, and a new address is sent as a whole without them', async () => {
  const sent = await openNetworkPage(networkList())
  let dialog = await openDialogOf('eth0')
  await fill(await textField('Name', dialog), 'Office')
  await save(dialog)
  await waitForNone('dialog')
  dialog = await openDialogOf('eth0')
  await fill(await textField('Address', dialog), '192.168.1.8')
  await save(dialog)
  await waitForNone('dialog')
  dialog = await openDialogOf('eth0')
  await click(await findByRole('checkbox', 'NDI', dialog))
  await save(dialog)
  await waitForNone('dialog')
  const { gateway, dns1, dns2 } = ETHERNET
  assert.deepEqual(sent, [
    { iface: 'eth0', label: 'Office' },
    {
      iface: 'eth0',
      'use-dhcp': false,
      ipaddr: '192.168.1.8',
      netmask: '255.255.255.0',
      gateway,
      dns1,
      dns2
    },
    { iface: 'eth0', uses: ['console'] }
  ])
})

test('a new MTU sends no address, and with DHCP the chosen name servers are shown and sent', async () => {
  const dhcp = { ...ETHERNET, 'use-dhcp': true, dns1: '192.168.1.1', dns2: '', 'chosen-dns': ['9.9.9.9', '1.1.1.1'] }
  const sent = await openNetworkPage(networkList({ list: [dhcp] }))
  let dialog = await openDialogOf('eth0')
  assert.equal((await textField('DNS 1', dialog)).value, '9.9.9.9')
  await fill(await textField('MTU', dialog), '1400')
  await save(dialog)
  await waitForNone('dialog')
  dialog = await openDialogOf('eth0')
  await fill(await textField('DNS 2', dialog), '8.8.8.8')
  await save(dialog)
  await waitForNone('dialog')
  assert.deepEqual(sent, [
    { iface: 'eth0', mtu: 1400 },
    { iface: 'eth0', 'use-dhcp': true, dns1: '9.9.9.9', dns2: '8.8.8.8' }
  ])
})

test('name servers from DHCP stay in use with a manual address, and are not chosen when DHCP stays on', async () => {
  const dhcp = { ...ETHERNET, 'use-dhcp': true, dns1: '9.9.9.9', dns2: '1.1.1.1' }
  const sent = await openNetworkPage(networkList({ list: [dhcp] }))
  const dialog = await openDialogOf('eth0')
  const toggle = async () => click(await findByRole('checkbox', 'Get the address by DHCP', dialog))
  const servers = async () => [(await textField('DNS 1', dialog)).value, (await textField('DNS 2', dialog)).value]
  assert.deepEqual(await servers(), ['', ''])
  await toggle()
  assert.deepEqual(await servers(), ['9.9.9.9', '1.1.1.1'])
  await toggle()
  assert.deepEqual(await servers(), ['', ''])
  await toggle()
  await save(dialog)
  await waitForNone('dialog')
  const { ipaddr, netmask, gateway } = ETHERNET
  const address = { 'use-dhcp': false, ipaddr, netmask, gateway, dns1: '9.9.9.9', dns2: '1.1.1.1' }
  assert.deepEqual(sent, [{ iface: 'eth0', ...address }])
})

test('further addresses and static routes are shown, checked, and sent alone', async () => {
  const stored = { 'further-addresses': ['192.168.2.7/24'], routes: [{ to: '10.0.0.0/8', via: '192.168.2.1' }] }
  const sent = await openNetworkPage(networkList({ list: [{ ...ETHERNET, ...stored }] }))
  await waitForText('Further addresses 192.168.2.7/24')
  await waitForText('Static routes 10.0.0.0/8 via 192.168.2.1')
  const dialog = await openDialogOf('eth0')
  const routes = await textField('Static routes', dialog)
  await fill(routes, '10.0.0.0/8 via 192.168.9.1')
  await save(dialog)
  await waitForFieldMessage(routes, 'Invalid entry')
  await fill(routes, '10.0.0.0/8 via 192.168.1.254, 172.16.0.0/12 via 192.168.2.1')
  await save(dialog)
  await waitForNone('dialog')
  const dialog2 = await openDialogOf('eth0')
  await fill(await textField('Further addresses', dialog2), '192.168.2.7/24, 192.168.3.7/24')
  await save(dialog2)
  await waitForNone('dialog')
  assert.deepEqual(sent, [
    {
      iface: 'eth0',
      routes: [
        { to: '10.0.0.0/8', via: '192.168.1.254' },
        { to: '172.16.0.0/12', via: '192.168.2.1' }
      ]
    },
    { iface: 'eth0', 'further-addresses': ['192.168.2.7/24', '192.168.3.7/24'] }
  ])
})

test('an address of another machine is shown at its field', async () => {
  await openNetworkPage(networkList(), {
    result: INVALID_ARG,
    field: 'ipaddr',
    fault: 'taken',
    'taken-by': '02:00:00:00:00:09'
  })
  const dialog = await openDialogOf('eth0')
  await fill(await textField('Address', dialog), '192.168.1.9')
  await save(dialog)
  await waitForFieldMessage(await textField('Address', dialog), 'Already in use')
})

test('a change that waits asks for its confirmation, and offers no other change meanwhile', async () => {
  const change = {
    iface: 'eth0',
    state: 'waiting',
    'seconds-left': 42,
    by: 'Admin',
    ipaddr: '',
    'over-iface': true
  } as const
  await openNetworkPage(networkList({ change }))
  await waitForText(/previous settings return in 4[12] s/)
  await findByRole('button', 'Keep settings')
  assert.deepEqual(queryAllByRole('button', 'Add VLAN'), [])
})

test('a change that waits says what the machine reaches, and warns of a gateway that nobody has', async () => {
  const checks = [
    { kind: 'gateway', address: '192.168.1.254', state: 'silent' },
    { kind: 'gateway', address: 'fe80::1%eth0', state: 'silent' },
    { kind: 'dns', address: '9.9.9.9', state: 'answers' },
    { kind: 'time', address: 'ntp.example', state: 'asking' }
  ] as const
  const change = { iface: 'eth0', by: 'Admin', ipaddr: '', 'over-iface': true, 'seconds-left': 42 } as const
  await openNetworkPage(networkList({ change: { ...change, state: 'waiting', checks: [...checks] } }))
  await waitForText('Gateway 192.168.1.254 No answer')
  await waitForText('DNS 9.9.9.9 Answers')
  await waitForText('Time server ntp.example Asking')
  for (const address of ['192.168.1.254', 'fe80::1%eth0'])
    await waitForText(`No machine answers at the gateway ${address}.`)
  assert.equal(queryAllByRole('alert').length, 2)
})

test('a host is pinged, and its answers are shown', async () => {
  const console = await openConsole(hub, { at: ROUTES.network })
  const replies: object[] = [
    { result: SUCCESS, address: '192.0.2.1', sent: 4, received: 3, 'min-ms': 1, 'average-ms': 2.5, 'max-ms': 9 },
    { result: SUCCESS, address: '192.0.2.1', sent: 4, received: 0 },
    { result: SUCCESS, address: '192.0.2.1', sent: 0, received: 0 }
  ]
  const sent: unknown[] = []
  console.intercept = (path, body) => {
    if (path !== `/api${pingHost.path}`) return undefined
    sent.push(JSON.parse(body ?? ''))
    return Response.json(replies.shift())
  }
  await fill(await findByRole('textbox', 'Host'), 'camera.example')
  for (const expected of [
    '192.0.2.1: 3 of 4 answers, 2.5 ms on average',
    '192.0.2.1: no answer to 4 pings',
    '192.0.2.1: no route to this host'
  ]) {
    await clickWhenFree('Ping')
    await waitForText(expected)
  }
  assert.deepEqual(sent, Array(3).fill({ target: 'camera.example' }))
  console.intercept = () => undefined
  await fill(await findByRole('textbox', 'Host'), '224.0.0.1')
  await clickWhenFree('Ping')
  await waitForText('The hub does not ping multicast, link-local and metadata addresses.')
})

test('a change that cannot be confirmed yet, or not any more, is shown with its state and without buttons', async () => {
  const request = { iface: 'eth0', 'use-dhcp': true }
  const last = { iface: 'eth0', time: Date.now(), by: 'Admin', outcome: 'undone', text: 'Cancelled', request } as const
  const change = { iface: 'eth0', 'seconds-left': 42, by: 'Guest', ipaddr: '', 'over-iface': true } as const
  const response = networkList({ last, change: { ...change, state: 'applying' } })
  await openNetworkPage(response)
  await waitForText(/previous settings return in \d+ s/)
  const buttons = () => queryAllByRole('button', /^(Keep settings|Undo now|Try again)$/)
  assert.deepEqual(buttons(), [])
  response.change = { ...change, state: 'undoing' }
  await waitForText('Restoring the previous settings of eth0')
  assert.deepEqual(buttons(), [])
})

test('a change that was undone says why, and can be tried again with its values', async () => {
  const request = { iface: 'eth0', 'use-dhcp': false, ipaddr: '192.168.1.50', netmask: '255.255.255.0', gateway: '' }
  const undone = { outcome: 'undone', reason: 'address-in-use', text: 'Another machine has the address' } as const
  await openNetworkPage(
    networkList({ last: { iface: 'eth0', time: Date.now() - 5000, by: 'Admin', ...undone, request } })
  )
  await waitForText('The change of eth0 was undone: Another machine has the address')
  await click(await findByRole('button', 'Try again'))
  const dialog = await findByRole('dialog', 'Edit eth0')
  assert.equal((await textField('Address', dialog)).value, '192.168.1.50')
  assert.equal((await textField('Gateway', dialog)).value, '')
})

test('a change is shown until its outcome arrives, also if the clock of the hub is wrong', async () => {
  const change = { iface: 'eth0', state: 'applying', 'seconds-left': 60, by: 'Admin', ipaddr: '', 'over-iface': false }
  const undone = { iface: 'eth0', by: 'Admin', outcome: 'undone', reason: 'failed' } as const
  const response = networkList({ last: { ...undone, time: Date.now() + 300_000, text: 'No answer' } })
  await openNetworkPage(response, { result: SUCCESS, change })
  await waitForText('The change of eth0 was undone: No answer')
  const dialog = await openDialogOf('eth0')
  await fill(await textField('Address', dialog), '192.168.1.8')
  await save(dialog)
  await waitForText('Without a confirmation, the previous settings return')
  response.last = { ...undone, time: Date.now() - 300_000, text: 'No such address' }
  await waitForText('The change of eth0 was undone: No such address')
  $followed.set(undefined)
})

test('a removal that was undone can be tried again as a removal', async () => {
  const vlan: NetworkInterface = { ...ETHERNET, iface: 'eth0.5', kind: 'vlan', parent: 'eth0', 'vlan-id': 5 }
  const undone = { outcome: 'undone', reason: 'not-confirmed', text: 'Nobody confirmed it' } as const
  const request = { iface: 'eth0.5', remove: true }
  const sent = await openNetworkPage(
    networkList({ list: [vlan], last: { iface: 'eth0.5', time: Date.now(), by: 'Admin', ...undone, request } })
  )
  await click(await findByRole('button', 'Try again'))
  await click(await findByRole('button', 'Remove eth0.5', await findByRole('dialog')))
  await waitForNone('dialog')
  assert.deepEqual(sent, [request])
})

test('a search for Wi-Fi networks that failed does not say that none is in range', async () => {
  const wifi: NetworkInterface = { ...ETHERNET, iface: 'wlan0', kind: 'wifi' }
  await openNetworkPage(networkList({ list: [wifi] }), undefined, {
    result: READ_ONLY,
    message: 'NetworkManager has stopped'
  })
  await click(await findByRole('button', 'Wi-Fi'))
  await waitForText('Failed to load', await findByRole('dialog'))
  await waitForText('NetworkManager has stopped')
})

test('a hotspot is encrypted: the dialog offers no open one', async () => {
  const wifi: NetworkInterface = { ...ETHERNET, iface: 'wlan0', kind: 'wifi', 'hidden-streams': true }
  await openNetworkPage(networkList({ list: [wifi] }))
  await click(await findByRole('button', 'Wi-Fi'))
  const dialog = await findByRole('dialog', 'Wi-Fi of wlan0')
  const security = await findByRole('combobox', 'Security', dialog)
  await selectOption(security, 'Open, not encrypted')
  await click(await findByRole('checkbox', 'Provide this network (hotspot)', dialog))
  const hotspot = await findByRole<HTMLSelectElement>('combobox', 'Security', dialog)
  assert.deepEqual(
    Array.from(hotspot.options, ({ value }) => value),
    ['wpa2', 'wpa3']
  )
  assert.equal(hotspot.value, 'wpa2')
  assert.match(visibleText(), /Security WPA2 WPA3 Password/)
})

test('a user without the permission to edit sees the interfaces and no buttons', async () => {
  await addUser(hub, 'watcher', SYSTEM_CONFIG_VIEW)
  await openConsole(hub, { at: ROUTES.network, user: 'watcher' })
  await waitForText('MACHINE=manage')
  assert.deepEqual(queryAllByRole('button', /^Edit/), [])
})

test.run()
