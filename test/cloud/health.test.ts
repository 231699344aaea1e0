import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { getInvitation } from '../../contract/cloud/calls.ts'
import { startCloud, type TestCloud } from '../kit/cloud/cloud.ts'
import { type FakeHub, helloOf, startFakeHub } from '../kit/cloud/fake-hub.ts'
import { startPostgres } from '../kit/cloud/postgres.ts'
import { recordProcessLog } from '../kit/hub/process-log.ts'
import { suite } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('cloud health')

async function check(cloud: TestCloud, path = '/healthz', method = 'GET') {
  const response = await cloud.client('192.0.2.1').raw(method, path)
  const text = await response.text()
  return { status: response.status, state: text.startsWith('{') ? JSON.parse(text) : text }
}

test('a node is live and ready for a client that is not signed in', async () => {
  const cloud = await startCloud()
  try {
    for (const path of ['/healthz', '/healthz/live', '/healthz/ready'])
      assert.deepEqual(await check(cloud, path), { status: 200, state: { live: true, ready: true } }, path)
    assert.deepEqual(await check(cloud, '/healthz', 'HEAD'), { status: 200, state: '' })
    assert.equal((await check(cloud, '/healthz', 'POST')).status, 405)
    assert.equal((await check(cloud, '/healthz/other')).status, 404)
  } finally {
    await cloud.close()
  }
})

test('a node without its database stays ready, because all nodes share it, and names it', async () => {
  const postgres = await startPostgres()
  const cloud = await startCloud({ databaseUrl: await postgres.createDatabase() })
  try {
    const lines = await recordProcessLog(async () => {
      await postgres.close()
      const state = { live: true, ready: true, impaired: ['database'] }
      assert.deepEqual(await check(cloud), { status: 200, state })
      // Within a second the database is not asked again.
      assert.deepEqual(await check(cloud, '/healthz/ready'), { status: 200, state })
      assert.deepEqual(await check(cloud, '/healthz/live'), { status: 200, state: { live: true, ready: true } })
    })
    assert.equal(lines.filter((line) => line.includes('The database does not answer')).length, 1)
  } finally {
    await cloud.close()
  }
})

test('a node that ends is not ready, and ends the links of hubs little by little', async () => {
  const cloud = await startCloud()
  const hubs: FakeHub[] = []
  const onlineHubs = () => hubs.filter((_hub, index) => cloud.links.isOnline('headend', `HUB${index}`)).length
  const tick = () => mock.timers.tick(100)
  try {
    const { linkPort } = await cloud.listen(0, 0)
    const { invitation } = await (await cloud.clientAs()).send(getInvitation, {})
    for (let index = 0; index < 120; index++)
      hubs.push(startFakeHub(linkPort, () => helloOf(invitation, `HUB${index}`)))
    await until(() => onlineHubs() === hubs.length, 'all hubs online')
    mock.timers.enable({ apis: ['setTimeout'] })
    const closed = cloud.close()
    assert.deepEqual(await check(cloud), { status: 503, state: { live: true, ready: false, failing: ['ending'] } })
    assert.equal((await check(cloud, '/healthz/live')).status, 200)
    for (const left of [70, 20]) {
      await until(() => onlineHubs() <= left, 'some links have ended')
      assert.equal(onlineHubs(), left)
      tick()
    }
    await closed
    assert.equal(onlineHubs(), 0)
  } finally {
    mock.timers.reset()
    for (const hub of hubs) hub.stop()
    await cloud.close()
  }
})

test.run()
