// Restart and shutdown through logind, on a machine with a system bus. The logind of python-dbusmock restarts nothing.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { DATA_LOSS, DEVICE_BUSY, READ_ONLY, SUCCESS } from '../../../contract/codes.ts'
import { getPower, rebootHub, rebootSystem, shutDownSystem } from '../../../contract/machine/power.ts'
import { addChannel, enableChannel } from '../../../contract/stream/channel.ts'
import { SYSTEM_STATUS_BITS, systemStatus } from '../../../contract/system.ts'
import { missingForMachine } from '../../kit/machine/machine.ts'
import { ManagedMachine } from '../../kit/machine/managed-machine.ts'
import { MockLogind } from '../../kit/machine/mock-logind.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suiteRequiring('restart through logind', missingForMachine())

let managed: ManagedMachine
let logind: MockLogind

test.before(async () => {
  managed = await ManagedMachine.open('other', async (machine) => {
    logind = new MockLogind(machine)
    await logind.start()
  })
})
test.after(() => managed.close())

const power = () => managed.client.send(getPower, {})
const flags = async () => (await managed.client.send(systemStatus, {})).status.system.status['status-code']

test('the page learns that the hub can restart its machine', async () => {
  const { access, inhibitors, busy, failure } = await power()
  assert.deepEqual([access, inhibitors, busy, failure], [{ machine: 'manage' }, undefined, undefined, undefined])
})

test('without the permission of polkit nothing happens, and the page names the rules', async () => {
  await logind.setCanReboot('challenge')
  assert.match((await power()).access['next-step'] ?? '', /polkit/)
  const { result, message } = await managed.client.send(rebootSystem, { force: true })
  assert.equal(result, READ_ONLY)
  assert.match(message ?? '', /polkit/)
  await logind.setCanReboot('yes')
})

test('a program that blocks a shutdown is named, and one that only delays it does not count', async () => {
  await logind.inhibit(
    ['sleep', 'Player', 'Playing', 'block'],
    ['shutdown', 'Desktop', 'Saves its session', 'delay'],
    ['shutdown:sleep', 'apt', 'Packages are installed', 'block']
  )
  assert.deepEqual((await power()).inhibitors, [{ who: 'apt', why: 'Packages are installed' }])
  for (const call of [rebootSystem, shutDownSystem]) {
    const { result, message } = await managed.client.send(call, { force: true })
    assert.deepEqual(
      [result, message],
      [DEVICE_BUSY, 'Reboot busy\nA program on this machine blocks this: apt (Packages are installed)']
    )
  }
  await logind.inhibit()
})

test('running channels are asked about; then the flag is seen before logind is called, and a second restart is refused', async () => {
  const { client } = managed
  const { id } = await client.send(addChannel, { name: 'Chapel' })
  await client.send(enableChannel, { id, enable: true })
  const question = await client.send(rebootHub, {})
  assert.deepEqual([question.result, question['owner-i']], [DATA_LOSS, ['Chapel']])
  assert.equal(logind.wasCalled('Reboot False'), false)
  assert.equal((await client.send(rebootHub, { force: true })).result, SUCCESS)
  assert.equal((await flags()) & SYSTEM_STATUS_BITS.rebooting, SYSTEM_STATUS_BITS.rebooting)
  const second = await client.send(shutDownSystem, { force: true })
  assert.deepEqual([second.result, second.message], [DEVICE_BUSY, 'Reboot busy\nThe hub is already restarting.'])
  await until(() => logind.wasCalled('Reboot False'), 'the call of logind')
  assert.equal(logind.wasCalled('PowerOff False'), false)
  await client.send(enableChannel, { id, enable: false })
})

test('a hub that was started again has another start time, and shuts down with a flag of its own', async () => {
  const { 'start-time': before } = await power()
  const exit = once(managed.hub, 'exit')
  managed.hub.kill('SIGKILL')
  await exit
  await managed.restartHub()
  assert.ok((await power())['start-time'] > before)
  assert.equal((await managed.client.send(shutDownSystem, {})).result, SUCCESS)
  const code = await flags()
  assert.deepEqual(
    [code & SYSTEM_STATUS_BITS.shuttingDown, code & SYSTEM_STATUS_BITS.rebooting],
    [SYSTEM_STATUS_BITS.shuttingDown, 0]
  )
  await until(() => logind.wasCalled('PowerOff False'), 'the call of logind')
})

test.run()
