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

const clearings = async () =>
  (await admin.send(checkLog, {})).cleared.map(({ user, ip, log }) => `${user} ${ip} ${log}`)

test('a cleared log says when and by whom, also after it is cleared again, and stays intact', async () => {
  const from = Date.now()
  await admin.send(clearLog, { type: 'system' })
  await admin.send(addChannel, { name: 'Studio' })
  for (let count = 0; count < 2; count++) {
    await admin.send(clearLog, { type: 'operation' })
    await admin.send(addChannel, { name: `After ${count}` })
  }
  assert.deepEqual(await check(), { lines: 4, intact: true, brokenId: undefined })
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(
    list.map(({ event, detail }) => `${event} ${detail}`),
    ['/channel/add After 1', '/log/clear operation', '/log/clear operation', '/log/clear system']
  )
  const by = 'Admin 127.0.0.1'
  assert.deepEqual(await clearings(), [`${by} operation`, `${by} operation`, `${by} system`])
  for (const { time } of (await admin.send(checkLog, {})).cleared) assert.ok(time >= from && time <= Date.now())
})

test('a refused clearing is no clearing, and is cleared with the others', async () => {
  assert.deepEqual(await clearings(), [])
  await hub.client().send(clearLog, { type: 'operation' })
  assert.deepEqual(await clearings(), [])
  await admin.send(clearLog, { type: 'operation' })
  assert.equal((await admin.send(listLog, { type: 'operation' })).total, 1)
})

test('the operation log is cleared as a whole, never by a device', async () => {
  await admin.send(clearLog, { type: 'operation', sn: 'A406230419001' })
  assert.deepEqual(await clearings(), ['Admin 127.0.0.1 operation'])
})

test('a changed line about a clearing is found, and lines removed between two of them are, too', async () => {
  await admin.send(clearLog, { type: 'operation' })
  await admin.send(addChannel, { name: 'Studio' })
  await admin.send(clearLog, { type: 'operation' })
  const [last, first] = (await admin.send(listLog, { type: 'operation' })).list
  for (const { id } of [last, first] as { id: number }[]) {
    run("UPDATE operation_log SET user = 'somebody' WHERE id = ?", id)
    assert.equal((await check()).brokenId, id)
    run("UPDATE operation_log SET user = 'Admin' WHERE id = ?", id)
  }
  await admin.send(addChannel, { name: 'Removed' })
  await admin.send(clearLog, { type: 'system' })
  assert.equal((await check()).intact, true)
  const removed = await idOf('Removed')
  run('DELETE FROM operation_log WHERE id = ?', removed)
  assert.equal((await check()).brokenId, removed + 1)
})

test('lines about clearings of earlier versions, without the hash of the line before, stay intact, too', async () => {
  for (let count = 0; count < 2; count++) {
    await admin.send(clearLog, { type: 'system' })
    await admin.send(addChannel, { name: `Between ${count}` })
  }
  run("UPDATE operation_log SET previous = ''")
  assert.equal((await check()).intact, true)
  await admin.send(clearLog, { type: 'operation' })
  assert.deepEqual(await check(), { lines: 3, intact: true, brokenId: undefined })
})

test.run()
