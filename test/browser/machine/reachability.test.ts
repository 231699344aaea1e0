// What the hub of a managed machine reaches after a change of the network, and pings, as the user without rights.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { READ_ONLY, SUCCESS } from '../../../contract/codes.ts'
import { confirmNetwork, setNetwork } from '../../../contract/machine/network.ts'
import { pingHost } from '../../../contract/machine/ping.ts'
import { missingForMachine } from '../../kit/machine/machine.ts'
import { ADDRESS, type ManagedMachine } from '../../kit/machine/managed-machine.ts'
import { CHANGE, closeMachines, openConsole, openMachine } from '../../kit/machine/network-journey.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const missingPing = existsSync('/usr/bin/ping')
  ? undefined
  : '/usr/bin/ping is missing. Install: apt-get install iputils-ping'
const test = suiteRequiring('what a managed machine reaches', missingForMachine() ?? missingPing)

test.after(closeMachines)

const GATEWAY = '198.51.100.1'
const NOBODY = '198.51.100.254'

const stateOf = async (managed: ManagedMachine, kind: string) =>
  (await managed.list()).change?.checks?.find((check) => check.kind === kind)?.state

let managed: ManagedMachine
test.before(async () => {
  managed = await openMachine()
})

test('a gateway that nobody has is named before the change is kept, and one that answers, too', async () => {
  const change = { ...CHANGE, ipaddr: ADDRESS }
  const page = await openConsole(managed)
  assert.equal((await managed.client.send(setNetwork, { ...change, gateway: NOBODY })).result, SUCCESS)
  await managed.waitForChange()
  await until(async () => (await stateOf(managed, 'gateway')) === 'silent', 'the gateway is silent')
  await page.getByText(`No machine answers at the gateway ${NOBODY}.`).waitFor()
  // Nothing leads to the name server.
  await until(async () => (await stateOf(managed, 'dns')) === 'silent', 'the name server is silent')
  assert.equal((await managed.client.send(confirmNetwork, { keep: false })).result, SUCCESS)
  await until(async () => (await managed.list()).change === undefined, 'the change is undone')

  assert.equal((await managed.client.send(setNetwork, { ...change, gateway: GATEWAY })).result, SUCCESS)
  await managed.waitForChange()
  await until(async () => (await stateOf(managed, 'gateway')) === 'answers', 'the gateway answers')
  assert.equal((await managed.client.send(confirmNetwork, {})).result, SUCCESS)
})

test('a host in the LAN is pinged where the machine lets the hub do it, and it says how otherwise', async () => {
  const { client, machine } = managed
  const refused = await client.send(pingHost, { target: GATEWAY })
  assert.equal(refused.result, READ_ONLY)
  assert.match(refused.message ?? '', /ping_group_range/)
  await machine.run(['bash', '-c', 'echo 0 2147483647 > /proc/sys/net/ipv4/ping_group_range'])
  const { address, sent, received, 'average-ms': average = 0 } = await client.send(pingHost, { target: GATEWAY })
  assert.deepEqual([address, sent, received], [GATEWAY, 4, 4])
  assert.ok(average > 0)
  const silent = await client.send(pingHost, { target: NOBODY })
  assert.deepEqual([silent.sent, silent.received], [4, 0])
})

test.run()
