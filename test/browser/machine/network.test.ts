// Changes of the network with a real NetworkManager, by a hub without rights, seen from a client on the far side of the cable.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { redeemTicket } from '../../../contract/access/ticket.ts'
import { IN_PROGRESS, NOT_EXIST } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import { confirmNetwork, type NetworkOutcome, setNetwork } from '../../../contract/machine/network.ts'
import { missingForMachine } from '../../kit/machine/machine.ts'
import { ADDRESS, ManagedMachine } from '../../kit/machine/managed-machine.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'

const test = suiteRequiring('network of the machine', missingForMachine())

const NEW_ADDRESS = '198.51.100.77'
const CHANGE = {
  iface: 'eth0',
  'use-dhcp': false,
  ipaddr: NEW_ADDRESS,
  netmask: '255.255.255.0',
  gateway: '198.51.100.1',
  dns1: '9.9.9.9',
  dns2: ''
}
/** Seconds for which the console may be lost. */
const LOST_MAX = 75

const open: ManagedMachine[] = []
async function openMachine(owner?: 'other'): Promise<ManagedMachine> {
  const machine = await ManagedMachine.open(owner)
  open.push(machine)
  return machine
}
test.after(async () => {
  await Promise.all(open.map((machine) => machine.close()))
})

/** Waits until the last change has ended. */
async function waitForOutcome(managed: ManagedMachine): Promise<NetworkOutcome> {
  for (;;) {
    const last = (await managed.client.reaches()) ? (await managed.list()).last : undefined
    if (last) return last
    await sleep(250)
  }
}

/** Requests the change, and waits until it is in effect. */
async function change(managed: ManagedMachine): Promise<string> {
  const { result, ticket = '' } = await managed.client.send(setNetwork, CHANGE)
  assert.equal(result, 0)
  await managed.waitForAddress(NEW_ADDRESS, 15)
  return ticket
}

test('a new address is kept when a client confirms it there, signed in by the ticket', async () => {
  const managed = await openMachine()
  const { client } = managed
  const { result, ticket = '', change: accepted } = await client.send(setNetwork, CHANGE)
  assert.equal(result, 0)
  assert.deepEqual([accepted?.ipaddr, accepted?.['over-iface']], [NEW_ADDRESS, true])
  assert.equal((await client.send(confirmNetwork, {})).result, IN_PROGRESS)
  await managed.waitForAddress(NEW_ADDRESS, 15)
  assert.equal(await client.reaches(ADDRESS), false)
  // Only in memory: after a loss of power the machine starts with the old address.
  assert.match(await managed.storedConnections(), /198\.51\.100\.10\/24/)

  client.address = NEW_ADDRESS
  client.cookie = ''
  assert.equal((await client.send(redeemTicket, { ticket })).result, 0)
  const { change: waiting } = await managed.list()
  assert.equal(waiting?.state, 'waiting')
  assert.ok((waiting?.['seconds-left'] ?? 0) > 30)
  const { ipaddr, netmask, gateway, dns1, 'use-dhcp': useDhcp, 'is-console': isConsole } = await managed.eth0()
  assert.deepEqual([ipaddr, netmask, gateway, dns1], [NEW_ADDRESS, '255.255.255.0', '198.51.100.1', '9.9.9.9'])
  assert.deepEqual([useDhcp, isConsole], [false, true])

  assert.equal((await client.send(confirmNetwork, {})).result, 0)
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
  const begun = performance.now()
  const far = await managed.client.send(setNetwork, { ...CHANGE, ipaddr: '203.0.113.5', gateway: '' })
  assert.equal(far.result, 0)
  const last = await waitForOutcome(managed)
  assert.ok(performance.now() - begun < 20_000)
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
  assert.equal((await managed.client.send(confirmNetwork, { keep: false })).result, 0)
  managed.client.address = ADDRESS
  await managed.waitForAddress(ADDRESS, 10)
  assert.equal((await managed.list()).last?.reason, 'cancelled')
})

test('without a confirmation, and when the hub is killed, NetworkManager goes back and the hub says so', async () => {
  const [silent, killed] = await Promise.all([openMachine(), openMachine()])
  const watchSilent = async () => {
    await change(silent)
    const gap = await silent.measureGap([ADDRESS, NEW_ADDRESS], silent.waitForAddress(ADDRESS, LOST_MAX))
    const lines = await silent.client.send(listLog, { type: 'system' })
    assert.match(JSON.stringify(lines.list), /Network change undone: eth0 \(Not confirmed in time\)/)
    return gap
  }
  const watchKilled = async () => {
    await change(killed)
    killed.hub.kill('SIGKILL')
    const restart = async () => {
      await sleep(62_000)
      await killed.restartHub()
      await killed.waitForAddress(ADDRESS, 10)
    }
    return killed.measureGap([ADDRESS, NEW_ADDRESS], restart())
  }
  const gaps = await Promise.all([watchSilent(), watchKilled()])
  for (const managed of [silent, killed]) {
    const last = await waitForOutcome(managed)
    assert.deepEqual([last.outcome, last.reason, last.iface], ['undone', 'not-confirmed', 'eth0'])
    assert.equal((await managed.eth0()).ipaddr, ADDRESS)
    assert.equal((await managed.list()).change, undefined)
    assert.match(await managed.storedConnections(), /198\.51\.100\.10\/24/)
  }
  for (const gap of gaps) assert.ok(gap < LOST_MAX, `The hub was lost for ${gap} s`)
})

test.run()
