// Changes that could lock everybody out of the console, and that nobody confirms: they are undone after a minute. All
// cases run at the same time, each on a machine of its own.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { SUCCESS } from '../../contract/codes.ts'
import { setNetwork } from '../../contract/machine/network.ts'
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

test('a new port, a pulled cable and a wrong subnet mask do not lock anybody out', () =>
  expectShortGaps([leavePortUnconfirmed, pullCable, setWrongMask]))

test.run()
