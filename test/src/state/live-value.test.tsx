import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { atom } from 'nanostores'
import { suite } from 'uvu'
import type { Call, ListResponse } from '../../../contract/call.ts'
import { setTransport } from '../../../src/link/fetch-json.ts'
import { createLiveValue } from '../../../src/state/live-value.ts'
import { openDocument } from '../../kit/runner/document.ts'
import { type FakeFeed, openFakeFeed } from './fake-feed.ts'

const test = suite('live value')

test.after(openDocument())

const readLoad: Call<{ history?: number }, { cpu: number }> = { method: 'GET', path: '/load', access: 'session' }

let feed: FakeFeed
let requestCount: number
let result: number
let stop = () => {}

test.before.each(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_800_000_000_000 })
  feed = openFakeFeed()
  requestCount = result = 0
  setTransport({
    base: 'http://hub.test',
    socket: feed.socket.bind(feed),
    async fetch() {
      requestCount++
      return Response.json(result ? { result } : { result, cpu: requestCount })
    }
  })
})

test.after.each(async () => {
  stop()
  await advance(1000)
  await advance(1)
  mock.timers.reset()
})

async function advance(ms: number): Promise<void> {
  mock.timers.tick(ms)
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

function showValue() {
  const $load = createLiveValue({ call: readLoad, request: atom({}), pace: 'slower', topic: 'status' })
  stop = $load.subscribe(() => {})
  return $load
}

test('a value is requested at its pace, whatever the feed announces', async () => {
  const $load = showValue()
  assert.deepEqual({ ...$load.get() }, { phase: 'loading', code: 0, updatedAt: 0 })
  await advance(0)
  assert.equal($load.get().phase, 'ready')
  assert.equal($load.get().value?.cpu, 1)
  for (let second = 0; second < 10; second++) {
    await advance(1000)
    feed.sendMessage({})
  }
  assert.equal(requestCount, 6)
  assert.equal($load.get().value?.cpu, 6)
})

test('an announced change requests it sooner', async () => {
  const $load = showValue()
  await advance(600)
  feed.sendMessage({ changed: { status: 5 } })
  await advance(1)
  assert.equal($load.get().value?.cpu, 2)
})

test('a failure keeps the last value', async () => {
  const $load = showValue()
  await advance(0)
  result = 6
  await advance(2000)
  assert.equal($load.get().phase, 'ready')
  assert.equal($load.get().code, 6)
  assert.equal($load.get().value?.cpu, 1)
})

test('result 31 removes the value', async () => {
  const $load = showValue()
  await advance(0)
  result = 31
  await advance(2000)
  assert.equal($load.get().phase, 'denied')
  assert.equal($load.get().value, undefined)
})

test('a list with revisions stays whole', async () => {
  const requests: string[] = []
  setTransport({
    base: 'http://hub.test',
    socket: feed.socket.bind(feed),
    async fetch(url) {
      requests.push(String(url))
      const list = String(url).includes('since=') ? [{ id: 2 }] : [{ id: 1 }, { id: 2 }]
      return Response.json({ result, start: 0, total: 2, list, rev: 7, partial: list.length < 2 })
    }
  })
  const call: Call<object, ListResponse<{ id: number }>> = { method: 'GET', path: '/halls', access: 'session' }
  const $halls = createLiveValue({ call, pace: 'slower', topic: 'channel' })
  stop = $halls.subscribe(() => {})
  await advance(0)
  for (let second = 0; second < 4; second++) {
    await advance(1000)
    feed.sendMessage({})
  }
  assert.ok(
    requests.some((url) => url.includes('since=7')),
    'it asks for changes'
  )
  assert.deepEqual(
    $halls.get().value?.list.map(({ id }) => id),
    [1, 2]
  )
})

test.run()
