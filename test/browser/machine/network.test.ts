// Changes of the network with a real NetworkManager, by a hub without rights, seen from a client on the far side of the
// cable.
import assert from 'node:assert/strict'
import { redeemTicket } from '../../../contract/access/ticket.ts'
import { NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import { NETWORK_CONFIRM_SECONDS } from '../../../contract/limits.ts'
import { listLog } from '../../../contract/log.ts'
import { confirmNetwork, setNetwork } from '../../../contract/machine/network.ts'
import { getSettings, setSettings } from '../../../contract/settings.ts'
import { missingForMachine } from '../../kit/machine/machine.ts'
import { ADDRESS } from '../../kit/machine/managed-machine.ts'
import {
  CHANGE,
  change,
  closeMachines,
  NEW_ADDRESS,
  openConsole,
  openMachine,
  setAddress,
  waitForOutcome
} from '../../kit/machine/network-journey.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suiteRequiring('network of the machine', missingForMachine())

test.after(closeMachines)

test('a new address is kept when a client confirms it there, signed in by the ticket', async () => {
  const managed = await openMachine()
  const { client } = managed
  const https = { web: { 'enable-https': true, 'https-port': 3443 } }
  assert.equal((await client.send(setSettings, https)).result, SUCCESS)
  const begun = performance.now()
  const { result, ticket = '', change: accepted } = await client.send(setNetwork, CHANGE)
  assert.equal(result, SUCCESS)
  assert.deepEqual([accepted?.ipaddr, accepted?.['over-iface']], [NEW_ADDRESS, true])
  await managed.waitForChange(NEW_ADDRESS)
  assert.equal(await client.reaches(ADDRESS), false)
  // Only in memory: after a loss of power the machine starts with the old address.
  assert.match(await managed.storedConnections(), /198\.51\.100\.10\/24/)

  client.address = NEW_ADDRESS
  client.cookie = ''
  assert.equal((await client.send(redeemTicket, { ticket })).result, SUCCESS)
  const certificate = async () => (await client.send(getSettings, {})).settings.web?.certificate
  const hasAddress = async () => (await certificate())?.names.includes(NEW_ADDRESS) === true
  await until(hasAddress, 'the address in the certificate')
  const { change: waiting } = await managed.list()
  assert.equal(waiting?.state, 'waiting')
  const seconds = (performance.now() - begun) / 1000
  assert.ok((waiting?.['seconds-left'] ?? 0) >= NETWORK_CONFIRM_SECONDS - seconds, `${seconds} s after the request`)
  const { ipaddr, netmask, gateway, dns1, 'use-dhcp': useDhcp, 'is-console': isConsole } = await managed.eth0()
  assert.deepEqual([ipaddr, netmask, gateway, dns1], [NEW_ADDRESS, '255.255.255.0', '198.51.100.1', '9.9.9.9'])
  assert.deepEqual([useDhcp, isConsole], [false, true])

  assert.equal((await client.send(confirmNetwork, {})).result, SUCCESS)
  const { change: none, last } = await managed.list()
  assert.equal(none, undefined)
  assert.deepEqual([last?.outcome, last?.by, last?.request], ['kept', 'Admin', undefined])
  assert.match(await managed.storedConnections(), /198\.51\.100\.77\/24/)
  assert.doesNotMatch(await managed.storedConnections(), /198\.51\.100\.10\/24/)
  assert.equal((await client.send(confirmNetwork, {})).result, NOT_EXIST)
  const { list: log } = await client.send(listLog, { type: 'operation' })
  assert.doesNotMatch(JSON.stringify(log), new RegExp(ticket))
})

test('an address of another machine is refused, in the subnet at once, and in another one by NetworkManager', async () => {
  const managed = await openMachine()
  await managed.machine.run(['ip', 'netns', 'exec', 'lan', 'ip', 'addr', 'add', '203.0.113.5/24', 'dev', 'peer0'])
  const near = await managed.client.send(setNetwork, { ...CHANGE, ipaddr: '198.51.100.1', gateway: '' })
  assert.deepEqual([near.result, near.field, near.fault], [7, 'ipaddr', 'taken'])
  const far = await managed.client.send(setNetwork, { ...CHANGE, ipaddr: '203.0.113.5', gateway: '' })
  assert.equal(far.result, SUCCESS)
  const last = await waitForOutcome(managed)
  assert.deepEqual(
    [last.outcome, last.reason, last.text],
    ['undone', 'address-in-use', 'Another machine has the address']
  )
  assert.equal(last.request && 'ipaddr' in last.request && last.request.ipaddr, '203.0.113.5')
  assert.equal((await managed.eth0()).ipaddr, ADDRESS)
})

test('an address that another program has set is restored as well', async () => {
  const managed = await openMachine('other')
  await change(managed)
  managed.client.address = NEW_ADDRESS
  assert.equal((await managed.client.send(confirmNetwork, { keep: false })).result, SUCCESS)
  managed.client.address = ADDRESS
  assert.equal((await waitForOutcome(managed)).reason, 'cancelled')
})

test('the console follows to the new address by itself, and keeps the change there', async () => {
  const managed = await openMachine()
  const page = await openConsole(managed)
  await setAddress(page, NEW_ADDRESS)
  await page.waitForURL(`http://${NEW_ADDRESS}:3000/#/settings/network`)
  await page.getByRole('button', { name: 'Keep settings' }).click()
  await page.getByText('Settings of eth0 kept').waitFor()
  const cookies = await page.context().cookies(`http://${NEW_ADDRESS}:3000`)
  assert.ok(cookies.some(({ httpOnly }) => httpOnly))
  assert.match(await managed.storedConnections(), /198\.51\.100\.77\/24/)
})

test('a change that keeps the address is confirmed by the page that made it, over new connections', async () => {
  const managed = await openMachine()
  const page = await openConsole(managed)
  await page.getByRole('button', { name: 'Edit eth0' }).click()
  await page.getByLabel('DNS 1').fill('9.9.9.9')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Keep settings' }).click()
  await page.getByText('Settings of eth0 kept').waitFor()
  assert.equal((await managed.eth0()).dns1, '9.9.9.9')
})

test.run()
