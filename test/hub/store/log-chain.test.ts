import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { checkLog, clearLog, listLog } from '../../../contract/log.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'

const test = suite('log chain')

let hub: TestHub
let admin: Client
test.before.each(async () => {
  hub = await startHub()
  admin = await hub.signIn()
  for (let count = 0; count < 20; count++) await admin.send(addChannel, { name: `Hall ${count}` })
})
test.after.each(() => hub.close())

const run = (sql: string, ...values: (string | number)[]) => hub.parts.store.database.run(sql, ...values)
const check = async () => {
  const { lines, intact, 'broken-id': brokenId } = await admin.send(checkLog, {})
  return { lines, intact, brokenId }
}
const idOf = async (key: string) => (await admin.send(listLog, { type: 'operation', key })).list[0]?.id ?? 0

test('a log that only the hub has written is intact', async () => {
  // The sign-in and 20 channels. Lines of clients that are not signed in are no part of the chain.
  await hub.client().send(clearLog, { type: 'operation' })
  assert.deepEqual(await check(), { lines: 21, intact: true, brokenId: undefined })
})

test('a changed line, a removed line and removed newest lines are found', async () => {
  const changed = await idOf('Hall 7')
  run("UPDATE operation_log SET user = 'somebody' WHERE id = ?", changed)
  assert.deepEqual(await check(), { lines: changed - 1, intact: false, brokenId: changed })
  run("UPDATE operation_log SET user = 'Admin' WHERE id = ?", changed)
  assert.equal((await check()).intact, true)
  const newest = await idOf('Hall 19')
  run('DELETE FROM operation_log WHERE id = ?', newest)
  assert.deepEqual(await check(), { lines: 20, intact: false, brokenId: 0 })
})

test('a line removed from the middle is found', async () => {
  const removed = await idOf('Hall 7')
  run('DELETE FROM operation_log WHERE id = ?', removed)
  assert.equal((await check()).brokenId, removed + 1)
})

test('lines that are removed because they are old, and a cleared log, leave it intact', async () => {
  run('DELETE FROM operation_log WHERE id < ?', await idOf('Hall 7'))
  assert.deepEqual(await check(), { lines: 13, intact: true, brokenId: undefined })
  await admin.send(clearLog, { type: 'operation' })
  assert.deepEqual(await check(), { lines: 1, intact: true, brokenId: undefined })
})

test.run()
