// The state of the hub while settings are imported, until it has restarted.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { applyImport } from '../../../contract/backup/export.ts'
import { IN_PROGRESS, STATE_CHANGED, SUCCESS, TRY_AGAIN, UNKNOWN_ERROR } from '../../../contract/codes.ts'
import { addChannel, setChannel } from '../../../contract/stream/channel.ts'
import { SYSTEM_STATUS_BITS, systemStatus } from '../../../contract/system.ts'
import { compare, downloadExport } from '../../kit/hub/backup/import-export.ts'
import { startHub, type TestHub } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('state of an import')
let hub: TestHub
let restarts = 0

test.before.each(async () => {
  restarts = 0
  hub = await startHub({ restart: () => restarts++ })
})
test.after.each(() => hub.close())

async function isImporting(): Promise<boolean> {
  const { status } = await hub.clientAs().send(systemStatus, {})
  return (status.system.status['status-code'] & SYSTEM_STATUS_BITS.importing) !== 0
}

test('an import sets its flag until the hub restarts, which it does once, and meanwhile no change is accepted', async () => {
  const admin = hub.clientAs()
  const { uploaded, difference } = await compare(admin, await downloadExport(admin))
  assert.equal(await isImporting(), false)
  const request = { id: uploaded.id, digest: difference.digest }
  assert.equal((await admin.send(applyImport, request)).result, SUCCESS)
  assert.equal(await isImporting(), true)
  assert.equal((await admin.send(addChannel, { name: 'Lost' })).result, TRY_AGAIN)
  await until(() => restarts > 0, 'the hub restarts')
  assert.equal(await isImporting(), true)
  assert.equal(restarts, 1)
})

test('an import that is refused leaves no flag, and the hub does not restart', async () => {
  const admin = hub.clientAs()
  const { uploaded, difference } = await compare(admin, await downloadExport(admin))
  await admin.send(addChannel, { name: 'Meanwhile' })
  const request = { id: uploaded.id, digest: difference.digest }
  assert.equal((await admin.send(applyImport, request)).result, STATE_CHANGED)
  assert.equal(await isImporting(), false)
  assert.equal((await admin.send(addChannel, { name: 'Later' })).result, SUCCESS)
  assert.equal(restarts, 0)
})

test('an import whose commit fails changes nothing, and the hub accepts further changes', async () => {
  const admin = hub.clientAs()
  const { id: channel } = await admin.send(addChannel, { name: 'Chapel' })
  const bytes = await downloadExport(admin)
  await admin.send(setChannel, { id: channel, name: 'Nave' })
  const { uploaded, difference } = await compare(admin, bytes)
  const { database, channels } = hub.parts.store
  // A reference to an output that does not exist is noticed at the commit.
  database.run(`CREATE TRIGGER failing_commit AFTER INSERT ON operation_log BEGIN
    INSERT INTO channel_output (output_id, channel_id) VALUES (7, 7); END`)
  const request = { id: uploaded.id, digest: difference.digest }
  assert.equal((await admin.send(applyImport, request)).result, UNKNOWN_ERROR)
  database.run('DROP TRIGGER failing_commit')
  assert.equal(await isImporting(), false)
  assert.equal(channels.byId(channel)?.name, 'Nave')
  assert.equal((await admin.send(addChannel, { name: 'Later' })).result, SUCCESS)
  assert.equal(restarts, 0)
})

test('no import begins during another operation', async () => {
  const admin = hub.clientAs()
  const { uploaded, difference } = await compare(admin, await downloadExport(admin))
  hub.parts.operation.begin('shutting-down')
  const request = { id: uploaded.id, digest: difference.digest }
  assert.equal((await admin.send(applyImport, request)).result, IN_PROGRESS)
  hub.parts.operation.end()
  assert.equal((await admin.send(applyImport, request)).result, SUCCESS)
})

test.run()
