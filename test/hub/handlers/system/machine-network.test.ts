import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { listNetwork } from '../../../../contract/machine/network.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { parseMachineMode } from '../../../../hub/machine/machine.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('network of the machine')
hubForEach(test)

test('a hub in view mode says that it does not change the network, and how to let it', async () => {
  const { access, list } = await admin.send(listNetwork, {})
  assert.equal(access.machine, 'view')
  assert.match(access['next-step'] ?? '', /MACHINE=manage/)
  assert.equal(access.package, undefined)
  assert.ok(Array.isArray(list))
})

test('callers that may view the system configuration learn the mode of the machine', async () => {
  assert.equal((await admin.send(systemStatus, {})).status.system.info.machine, 'view')
  const viewer = await addUser(hub, 'viewer', 4)
  assert.equal((await viewer.send(systemStatus, {})).status.system.info.machine, undefined)
})

test('MACHINE is view or manage', () => {
  assert.equal(parseMachineMode('manage'), 'manage')
  assert.throws(() => parseMachineMode('Manage'), /view, manage/)
})

test.run()
