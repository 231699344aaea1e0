import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { startHub, type TestHub } from '../../kit/hub/hub.ts'
import { recordProcessLog } from '../../kit/hub/process-log.ts'

const test = suite('health')

let hub: TestHub
test.before.each(async () => {
  hub = await startHub()
})
test.after.each(() => hub.close())

async function check(path: string, method = 'GET') {
  const response = await hub.client('192.0.2.1').raw(method, path)
  return { status: response.status, text: await response.text() }
}

test('a running hub is live and ready for a client that is not signed in', async () => {
  for (const path of ['/healthz', '/healthz/live', '/healthz/ready']) {
    const { status, text } = await check(path)
    assert.deepEqual([status, JSON.parse(text)], [200, { live: true, ready: true }], path)
  }
  assert.deepEqual(await check('/healthz', 'HEAD'), { status: 200, text: '' })
  assert.equal((await check('/healthz', 'POST')).status, 405)
  assert.equal((await check('/healthz/other')).status, 404)
})

test('a hub whose database cannot be read is live, not ready, and says which part fails', async () => {
  const { database } = hub.parts.store
  const { get } = database
  database.get = () => {
    throw new Error('disk I/O error at /secret/place')
  }
  try {
    const lines = await recordProcessLog(async () => {
      const { status, text } = await check('/healthz')
      assert.deepEqual([status, JSON.parse(text)], [503, { live: true, ready: false, failing: ['store'] }])
      assert.equal((await check('/healthz/live')).status, 200)
    })
    assert.match(lines[0] ?? '', /disk I\/O error/)
  } finally {
    database.get = get
  }
})

test('a hub that cannot store changes is live, not ready, and names the storage', async () => {
  const { database } = hub.parts.store
  Object.defineProperty(database, 'storageFault', { configurable: true, get: () => 'full' })
  const { status, text } = await check('/healthz')
  assert.deepEqual([status, JSON.parse(text)], [503, { live: true, ready: false, failing: ['storage'] }])
  assert.equal((await check('/healthz/live')).status, 200)
})

test.run()
