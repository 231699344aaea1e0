// Operations of the hub as a whole: one at a time, seen by consoles, and changes are refused while data is replaced.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addCatalog } from '../../../contract/catalog.ts'
import { SUCCESS, TRY_AGAIN } from '../../../contract/codes.ts'
import { SYSTEM_STATUS_BITS, systemStatus } from '../../../contract/system.ts'
import { startHub } from '../../kit/hub/hub.ts'

const test = suite('system operation')

test('an operation is a flag of the status until it ends, and no second one begins meanwhile', async () => {
  const hub = await startHub()
  const admin = await hub.signIn()
  const { operation } = hub.parts
  const flags = async () => {
    const { status } = await admin.send(systemStatus, {})
    const { rebooting, resetting, importing } = SYSTEM_STATUS_BITS
    return status.system.status['status-code'] & (rebooting | resetting | importing)
  }
  for (const [name, bit] of [
    ['restarting', SYSTEM_STATUS_BITS.rebooting],
    ['resetting', SYSTEM_STATUS_BITS.resetting],
    ['importing', SYSTEM_STATUS_BITS.importing]
  ] as const) {
    assert.equal(operation.begin(name), true)
    assert.equal(await flags(), bit)
    assert.equal(operation.begin('restarting'), false)
    assert.equal(await flags(), bit)
    operation.end()
    assert.equal(await flags(), 0)
  }
  await hub.close()
})

test('while data is replaced changes are refused, and lists are answered', async () => {
  const hub = await startHub()
  const admin = await hub.signIn()
  const add = async (name: string) => (await admin.send(addCatalog, { name, 'parent-id': 0 })).result
  assert.equal(await add('Before'), 0)
  for (const name of ['resetting', 'importing'] as const) {
    hub.parts.operation.begin(name)
    assert.equal(await add('During'), TRY_AGAIN)
    assert.equal((await admin.send(systemStatus, {})).result, SUCCESS)
    hub.parts.operation.end()
  }
  hub.parts.operation.begin('restarting')
  assert.equal(await add('After'), 0)
  await hub.close()
})

test.run()
