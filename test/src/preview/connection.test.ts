import assert from 'node:assert/strict'
import { resolveObjectURL } from 'node:buffer'
import { suite } from 'uvu'
import { NOT_LOGGED_IN } from '../../../contract/codes.ts'
import { BATCH_DELAY } from '../../../src/preview/previews.ts'
import { partOf } from '../../kit/preview/multipart.ts'
import { recordItems, restorePlatform, setUp } from './fake-hub.ts'

const test = suite('preview connection')

test.after.each(restorePlatform)

test('no stream is opened before the start, nor without subscriptions', async () => {
  const { clock, previews, streams } = setUp()
  previews.subscribe('A', () => {})
  await clock.pass(60_000)
  assert.equal(streams.length, 0)
  const other = setUp()
  other.previews.start()
  await other.clock.pass(60_000)
  assert.equal(other.streams.length, 0)
})

test('the stream is closed without subscriptions, and its handle cleared', async () => {
  const { clock, previews, streams, cleared, setups } = setUp()
  previews.start()
  const leave = previews.subscribe('A', () => {})
  await clock.pass(BATCH_DELAY)
  leave()
  await clock.pass(BATCH_DELAY)
  assert.ok(streams[0]?.cancelled && streams[0].signal.aborted)
  assert.deepEqual(cleared, ['h1'])
  assert.equal(setups.length, 1)
  await clock.pass(60_000)
  assert.equal(streams.length, 1)
  assert.equal(clock.timers.size, 0)
})

test('3 s after the stream failed or ended it is reopened and all ids are registered', async () => {
  for (const how of ['fail', 'end'] as const) {
    const { clock, previews, streams, setups } = setUp()
    previews.start()
    for (const id of ['A', 'B', 'C']) previews.subscribe(id, () => {})
    await clock.pass(BATCH_DELAY)
    streams[0]?.[how]()
    await clock.pass(2999)
    assert.equal(streams.length, 1)
    await clock.pass(1)
    assert.equal(streams.length, 2)
    assert.deepEqual(setups.at(-1), { id: 'h2', add: ['A', 'B', 'C'] })
    const { items, take } = recordItems()
    previews.subscribe('A', take)
    streams[1]?.send(partOf('A', 'again'))
    await clock.pass(0)
    assert.equal(items.length, 1)
  }
})

test('subscriptions during the wait of 3 s do not shorten it', async () => {
  const { clock, previews, streams, setups } = setUp()
  previews.start()
  const leave = previews.subscribe('A', () => {})
  await clock.pass(BATCH_DELAY)
  streams[0]?.fail()
  await clock.pass(1000)
  previews.subscribe('B', () => {})
  leave()
  await clock.pass(1999)
  assert.equal(streams.length, 1)
  await clock.pass(1)
  assert.deepEqual(setups.at(-1), { id: 'h2', add: ['B'] })
})

test('with a hub that is unreachable, refuses, or sends another response, the stream is reopened every 3 s', async () => {
  const { clock, previews, streams, hub, setups } = setUp()
  previews.start()
  previews.subscribe('A', () => {})
  hub.refuse = true
  await clock.pass(10_000)
  hub.refuse = false
  const { respond } = hub
  hub.respond = () => Response.json({ result: NOT_LOGGED_IN })
  await clock.pass(3000)
  hub.respond = (body, handle) => new Response(body, { status: 502, headers: respond(body, handle).headers })
  await clock.pass(3000)
  assert.equal(setups.length, 0)
  hub.respond = respond
  hub.result = 16
  const before = streams.length
  await clock.pass(3000)
  assert.equal(streams.length, before + 1)
  assert.ok(streams.at(-1)?.cancelled, 'a refused setup ends its stream')
  hub.result = 0
  await clock.pass(3000)
  assert.equal(streams.length, before + 2)
  assert.equal(streams.at(-1)?.cancelled, false)
})

test('a hidden tab closes the stream, and registers its subscriptions when it is visible again', async () => {
  const { clock, previews, streams, setups, hide } = setUp()
  const { items, take } = recordItems()
  previews.start()
  previews.subscribe('A', take)
  await clock.pass(BATCH_DELAY)
  streams[0]?.send(partOf('A', 'image'))
  await clock.pass(0)
  hide(true)
  previews.subscribe('B', () => {})
  await clock.pass(60_000)
  assert.ok(streams[0]?.cancelled)
  assert.equal(streams.length, 1)
  assert.ok(resolveObjectURL(items[0]?.url ?? ''), 'the last image stays')
  hide(false)
  await clock.pass(0)
  assert.deepEqual(setups.at(-1), { id: 'h2', add: ['A', 'B'] })
})

test('signing out closes the stream without a call; signing in registers the remaining subscriptions', async () => {
  const { clock, previews, streams, setups, cleared, hide } = setUp()
  previews.start()
  previews.subscribe('A', () => {})
  await clock.pass(BATCH_DELAY)
  previews.stop()
  hide(true)
  hide(false)
  await clock.pass(60_000)
  assert.ok(streams[0]?.cancelled)
  assert.equal(streams.length, 1)
  assert.deepEqual(cleared, [])
  previews.start()
  await clock.pass(BATCH_DELAY)
  assert.deepEqual(setups.at(-1), { id: 'h2', add: ['A'] })
})

test('a stream that opens after it was closed is cancelled', async () => {
  const { clock, previews, streams, setups, hub } = setUp()
  const gate = Promise.withResolvers<void>()
  hub.opening = gate.promise
  previews.start()
  previews.subscribe('A', () => {})
  await clock.pass(BATCH_DELAY)
  previews.stop()
  gate.resolve()
  await clock.pass(60_000)
  assert.equal(streams.length, 1)
  assert.ok(streams[0]?.cancelled)
  assert.equal(setups.length, 0)
})

test('a stream without further images is reopened after 20 s, one that never had an image is not', async () => {
  const { clock, previews, streams } = setUp()
  previews.start()
  previews.subscribe('A', () => {})
  await clock.pass(100_000)
  assert.equal(streams.length, 1)
  for (let i = 0; i < 10; i++) {
    streams[0]?.send(partOf('A', 'image'))
    await clock.pass(15_000)
  }
  assert.equal(streams.length, 1)
  await clock.pass(8000 + BATCH_DELAY)
  assert.equal(streams.length, 2)
  assert.ok(streams[0]?.cancelled)
  await clock.pass(100_000)
  assert.equal(streams.length, 2)
})

test.run()
