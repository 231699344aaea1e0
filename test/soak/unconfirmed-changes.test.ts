// Changes that could lock everybody out of the console, and that nobody confirms: they are undone after a minute. All
// cases run at the same time, each on a machine of its own.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { SUCCESS } from '../../contract/codes.ts'
import { confirmNetwork, type SetNetworkRequest, setNetwork } from '../../contract/machine/network.ts'
import { listPorts, PORT_CONFIRM_TIME } from '../../contract/web/ports.ts'
import { missingForMachine } from '../kit/machine/machine.ts'
import { ADDRESS, type ManagedMachine } from '../kit/machine/managed-machine.ts'
import {
  CHANGE,
  change,
  closeMachines,
  expectShortGaps,
  setWeb,
  waitForOutcome
} from '../kit/machine/network-journey.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suiteRequiring('unconfirmed changes', missingForMachine())

test.after(closeMachines)

/** A new port of the console that nobody confirms. */
async function leavePortUnconfirmed(managed: ManagedMachine): Promise<void> {
  assert.equal((await setWeb(managed, { 'http-port': 3012 })).result, SUCCESS)
  const ports = () => managed.client.send(listPorts, {})
  await until(async () => ((await ports()).trial?.['remaining-s'] ?? 0) < PORT_CONFIRM_TIME / 2, 'half of the trial')
  const { outcome } = await until(async () => (await ports()).last, 'the end of the trial')
  assert.equal(outcome, 'not-confirmed')
  assert.equal((await managed.client.curl(`http://${ADDRESS}:3012/`)).status, 0)
}

/** The cable is pulled while a change waits, and plugged in again after its time. */
async function pullCable(managed: ManagedMachine): Promise<void> {
  await change(managed)
  const cable = (state: string) =>
    managed.machine.run(['ip', 'netns', 'exec', 'lan', 'ip', 'link', 'set', 'peer0', state])
  await cable('down')
  await sleep(62_000)
  await cable('up')
  await managed.waitForAddress(ADDRESS)
  assert.equal((await waitForOutcome(managed)).reason, 'not-confirmed')
}

/** A subnet mask and a gateway with which the hub cannot answer its clients. */
async function setWrongMask(managed: ManagedMachine): Promise<void> {
  const wrong = { ...CHANGE, ipaddr: ADDRESS, netmask: '255.255.255.252', gateway: '198.51.100.9' }
  assert.equal((await managed.client.send(setNetwork, wrong)).result, SUCCESS)
  const addresses = () => managed.machine.run(['ip', '-4', '-oneline', 'addr', 'show', 'eth0'])
  await until(async () => /^[^\n]*\/30 [^\n]*$/.test(await addresses()), 'the wrong subnet mask')
  assert.equal(await managed.client.reaches(), false)
  assert.equal((await waitForOutcome(managed)).reason, 'not-confirmed')
  assert.equal((await managed.eth0()).netmask, '255.255.255.0')
}

/** A user at an IPv6 address turns IPv6 off. */
async function turnIpv6Off(managed: ManagedMachine): Promise<void> {
  const { client, machine } = managed
  await machine.run(['ip', '-6', 'addr', 'add', '2001:db8:7::1/64', 'dev', 'peer0', 'nodad'], { in: 'lan' })
  managed.hub.kill('SIGKILL')
  await managed.restartHub({ HOST: '::' })
  const ipv6: SetNetworkRequest = { iface: 'eth0', 'ipv6-method': 'static', 'ipv6-addresses': ['2001:db8:7::10/64'] }
  assert.equal((await client.send(setNetwork, ipv6)).result, SUCCESS)
  await managed.waitForChange()
  assert.equal((await client.send(confirmNetwork, {})).result, SUCCESS)
  client.address = '[2001:db8:7::10]'
  assert.equal((await client.send(setNetwork, { iface: 'eth0', 'ipv6-method': 'off' })).result, SUCCESS)
  await until(async () => !(await client.reaches()), 'IPv6 is off')
  await managed.waitForAddress(client.address)
  await until(async () => (await managed.list()).last?.outcome === 'undone', 'the change is undone')
  assert.equal((await managed.list()).last?.reason, 'not-confirmed')
}

test('a new port, a pulled cable, a wrong subnet mask and IPv6 turned off do not lock anybody out', () =>
  expectShortGaps([leavePortUnconfirmed, pullCable, setWrongMask, turnIpv6Off]))

test.run()
