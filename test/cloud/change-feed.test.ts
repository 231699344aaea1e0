import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { logout } from '../../contract/access/session.ts'
import { CLOSE_SESSION_OVER, getRevisions } from '../../contract/change-feed.ts'
import { getInvitation } from '../../contract/cloud/calls.ts'
import { startCloud, type TestCloud } from '../kit/cloud/cloud.ts'
import { helloOf, startFakeHub } from '../kit/cloud/fake-hub.ts'
import { suite } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('change feed of the cloud')

interface Message {
  changed?: { device?: number; log?: number }
  over?: true
}

async function openFeed(port: number, cookie: string, origin = `http://127.0.0.1:${port}`) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/socket?background=1`, { headers: { cookie, origin } })
  const messages: Message[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ topics: ['device'] }))
  return { socket, messages }
}

async function withFeed(run: (cloud: TestCloud, ports: { port: number; linkPort: number }) => Promise<void>) {
  const cloud = await startCloud()
  try {
    await run(cloud, await cloud.listen(0, 0))
  } finally {
    await cloud.close()
  }
}

test('a page learns of a hub that connects, by topic, and that the cloud is there', () =>
  withFeed(async (cloud, { port, linkPort }) => {
    const user = await cloud.clientAs()
    const { invitation } = await user.send(getInvitation, {})
    const { socket, messages } = await openFeed(port, user.cookie)
    try {
      const revisions = () => messages.flatMap(({ changed }) => changed?.device ?? [])
      await until(() => revisions().length === 1, 'the revision at the beginning')
      assert.equal(revisions()[0], (await user.send(getRevisions, {})).revs.device)
      await until(() => messages.some((message) => Object.keys(message).length === 0), 'a heartbeat')
      const hub = startFakeHub(linkPort, () => helloOf(invitation, 'HUB1'))
      await until(() => revisions().length > 1, 'the hub is reported')
      hub.stop()
      assert.ok((revisions()[1] ?? 0) > (revisions()[0] ?? 0))
      assert.ok(messages.every(({ changed }) => changed?.log === undefined))
    } finally {
      socket.terminate()
    }
  }))

test('the feed ends with the session', () =>
  withFeed(async (cloud, { port }) => {
    const user = await cloud.clientAs()
    const { socket, messages } = await openFeed(port, user.cookie)
    const closed = once(socket, 'close')
    await user.send(logout, {})
    const [code] = await closed
    assert.equal(code, CLOSE_SESSION_OVER)
    assert.ok(messages.at(-1)?.over)
  }))

test('strangers and pages of other origins get no feed', () =>
  withFeed(async (cloud, { port }) => {
    const { cookie } = await cloud.clientAs()
    await assert.rejects(openFeed(port, ''), /401/)
    await assert.rejects(openFeed(port, cookie, 'http://evil.example'), /403/)
  }))

test.run()
