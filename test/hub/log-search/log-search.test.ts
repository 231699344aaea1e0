// Searches in a worker: their results, the limit of waiting ones, and the calls that are answered meanwhile.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { getSession } from '../../../contract/access/session.ts'
import { SUCCESS, TRY_AGAIN } from '../../../contract/codes.ts'
import { checkLog, listLog } from '../../../contract/log.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { WAITING_MAX } from '../../../hub/log-search/log-search.ts'
import { openStore } from '../../../hub/store/store.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'

const test = suite('log search')
const LINES = 100_000
const SEARCHES = 16
let data: string
let hub: TestHub
let admin: Client

test.before(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-log-search-'))
  const store = openStore(data)
  store.database.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LINES})
     INSERT INTO operation_log (time, user, ip, event, detail, code, objects)
     SELECT ? + i, 'user' || (i % 9), '192.0.2.' || (i % 250), '/channel/add', 'Hall ' || i, 0, '' FROM n`,
    Date.now() - LINES
  )
  store.close()
  hub = await startHub({ data })
  admin = hub.clientAs()
})
test.after(async () => {
  await hub.close()
  rmSync(data, { recursive: true })
})

const search = (key: string) => admin.send(listLog, { type: 'operation', key, count: 10 })

test('a search finds the lines, including those of just now', async () => {
  const { total, list } = await search('hall 77')
  assert.equal(total, 1111)
  assert.equal(list[0]?.detail, 'Hall 77999')
  assert.equal((await admin.send(addChannel, { name: 'just now' })).result, SUCCESS)
  assert.equal((await search('just now')).list[0]?.event, '/channel/add')
  hub.parts.store.logEvent({ event: 'storage-full', detail: 'batched' })
  const { list: events } = await admin.send(listLog, { type: 'system', key: 'batched' })
  assert.equal(events.length, 1, 'a line that is not committed yet')
})

test('an export has all lines, and the chain is checked while lines are added', async () => {
  const response = await admin.raw('GET', '/api/log/export?type=operation&format=csv&key=hall')
  const rows = (await response.text()).trim().split('\r\n')
  const { total } = await search('hall')
  assert.ok(total > 0.9 * LINES)
  assert.equal(rows.length, total + 1, 'a header, and every line')
  const checks = Promise.all(Array.from({ length: 5 }, () => admin.send(checkLog, {})))
  for (let n = 0; n < 20; n++) await admin.send(addChannel, { name: `during ${n}` })
  for (const { intact } of await checks) assert.equal(intact, true)
})

test('while 16 searches over 100,000 lines run, other calls are answered', async () => {
  await search('warm up')
  let running = SEARCHES
  const searches = Array.from({ length: SEARCHES }, async (_, n) => {
    const { result, total } = await search(`nowhere ${n}`)
    assert.deepEqual([result, total], [SUCCESS, 0])
    running--
  })
  let calls = 0
  for (; running > 0; calls++) {
    assert.equal((await admin.send(getSession, {})).result, SUCCESS)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(searches)
  // In one thread a call would wait for a search. The number does not depend on the speed of the machine, which slows
  // both.
  assert.ok(calls > 3 * SEARCHES, `${calls} calls during ${SEARCHES} searches`)
})

test('too many searches of one session are refused, those of another are not', async () => {
  const other = hub.clientAs()
  const exportResult = async () => {
    const response = await admin.raw('GET', '/api/log/export?type=operation&format=json&key=nowhere')
    return response.headers.has('content-disposition')
      ? SUCCESS
      : ((await response.json()) as { result: number }).result
  }
  const results = await Promise.all([
    ...Array.from({ length: WAITING_MAX.perSession + 10 }, () => search('nowhere')),
    exportResult().then((result) => ({ result })),
    other.send(listLog, { type: 'operation', key: 'nowhere' })
  ])
  const codes = results.map(({ result }) => result)
  assert.deepEqual(codes.slice(-2), [TRY_AGAIN, SUCCESS])
  const refused = codes.filter((code) => code === TRY_AGAIN).length
  assert.ok(refused >= 5 && refused <= 11, `${refused} refused`)
})

test.run()
