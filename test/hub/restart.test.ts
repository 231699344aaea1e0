// A hub that is restarted shows that to open consoles before it ends.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { FeedMessage } from '../../contract/change-feed.ts'
import { SYSTEM_STATUS_BITS, systemStatus } from '../../contract/system.ts'
import { openFeed } from '../kit/hub/feed-listener.ts'
import { startHub } from '../kit/hub/hub.ts'
import { startHubProcess } from '../kit/hub/hub-process.ts'
import { ownTime } from '../kit/own-time.ts'

const test = suite('restart')

/** The first revision of the status. A heartbeat may be sent before the subscription arrives. */
const currentRevision = (messages: FeedMessage[]) => messages.find(({ changed }) => changed?.status)?.changed?.status

test('open consoles see a restart in the status while the hub still answers, and then the hub ends', async () => {
  const hub = await startHub()
  const admin = await hub.signIn()
  const statusCode = async () => (await admin.send(systemStatus, {})).status.system.status['status-code']
  const { port } = await hub.listen(0, 0)
  const feed = await openFeed(port, { cookie: admin.cookie })
  feed.subscribe('status')
  const first = await feed.waitFor(currentRevision, 'the current revision')
  assert.equal((await statusCode()) & SYSTEM_STATUS_BITS.rebooting, 0)
  const closing = hub.close('restart')
  await feed.waitFor(
    (messages) => messages.find(({ changed }) => (changed?.status ?? 0) > first),
    'the change of the status'
  )
  assert.equal((await statusCode()) & SYSTEM_STATUS_BITS.rebooting, SYSTEM_STATUS_BITS.rebooting)
  assert.equal(feed.socket.readyState, 1)
  await closing
  await feed.closed
})

test('a hub that is stopped has no such flag, and without open consoles a restart does not wait', async () => {
  const other = await startHub()
  const time = await ownTime(() => other.close('restart'))
  assert.ok(time < 1000, `${time} ms`)
})

test('SIGUSR2 ends the process of a hub in the same way', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-restart-'))
  const running = await startHubProcess(data)
  const ended = once(running.child, 'exit')
  const feed = await openFeed(Number(new URL(running.url).port), { cookie: running.cookie() })
  feed.subscribe('status')
  const first = await feed.waitFor(currentRevision, 'the current revision')
  running.child.kill('SIGUSR2')
  await feed.waitFor(
    (messages) => messages.find(({ changed }) => (changed?.status ?? 0) > first),
    'the change of the status'
  )
  assert.deepEqual(await ended, [0, null])
  rmSync(data, { recursive: true })
})

test.run()
