// What a node does while PostgreSQL does not run, and afterwards.
import assert from 'node:assert/strict'
import { getSession, login, logout } from '../../../contract/access/session.ts'
import { getInvitation, listHubs, renewInvitation, STALE_HEADER } from '../../../contract/cloud/calls.ts'
import { TRY_AGAIN, WRITE_FAILED } from '../../../contract/codes.ts'
import { helloOf, startFakeHub } from '../../kit/cloud/fake-hub.ts'
import { type CloudNode, withNodes } from '../../kit/cloud/nodes.ts'
import { startPostgres } from '../../kit/cloud/postgres.ts'
import { listed } from '../../kit/cloud/registered-hub.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('loss of PostgreSQL')

test('reads that were answered before are answered with their time, changes are refused, and all goes on afterwards', async () => {
  const postgres = await startPostgres()
  try {
    await withNodes(postgres, { count: 2 }, async (nodes) => {
      const [first, second] = nodes as [CloudNode, CloudNode]
      const user = await second.cloud.clientAs()
      const { invitation } = await user.send(getInvitation, {})
      const hub = startFakeHub(first.linkPort, () => helloOf(invitation, 'HUB1'))
      try {
        await until(async () => (await listed(user))[0]?.online, 'the hub is online')
        const list = `/api${listHubs.path}`
        const before = await user.raw('GET', list)
        assert.equal(before.headers.get(STALE_HEADER), null)
        const gone = await second.cloud.clientAs()
        const { cookie } = gone
        await gone.raw('GET', list)
        await gone.send(logout, {})
        await postgres.kill()
        await until(async () => (await user.raw('GET', list)).headers.get(STALE_HEADER), 'the loss is said')
        const during = await user.raw('GET', list)
        assert.equal(await during.text(), await before.text())
        assert.ok(Math.abs(Date.now() - Number(during.headers.get(STALE_HEADER))) < 90_000)
        // The links stay, and what the node knows of the other one.
        assert.ok(second.cloud.links.isOnline('headend', 'HUB1'))
        assert.equal((await user.send(renewInvitation, {})).result, WRITE_FAILED)
        // Of another caller the node does not know whether he exists.
        const stranger = second.cloud.client()
        stranger.cookie = user.cookie.replace(/.$/, 'x')
        assert.equal((await second.cloud.client().raw('GET', list, { headers: { cookie } })).status, 503)
        const refused = await stranger.raw('GET', list)
        assert.deepEqual([refused.status, (await refused.json()).result], [503, TRY_AGAIN])
        assert.equal((await stranger.send(login, { id: 'Admin', pass: 'x' })).result, WRITE_FAILED)
        await postgres.restart()
        await until(async () => (await user.raw('GET', list)).headers.get(STALE_HEADER) === null, 'it answers')
        assert.equal((await user.send(getSession, {})).user.name, 'Admin')
        await until(async () => (await user.send(renewInvitation, {})).result === 0, 'a change is stored')
        // What changes afterwards arrives at the other node.
        hub.stop()
        await until(async () => (await listed(user))[0]?.online === false, 'it is offline at the other node')
      } finally {
        hub.stop()
      }
    })
  } finally {
    await postgres.close()
  }
})

test.run()
