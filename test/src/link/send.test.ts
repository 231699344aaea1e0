import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { call } from '../../../contract/call.ts'
import { REQUEST_TIMEOUT } from '../../../contract/limits.ts'
import { NO_CONNECTION, REQUEST_TIMED_OUT } from '../../../src/link/failure.ts'
import { $heard, $refused, door, setDoor } from '../../../src/link/fetch-json.ts'
import { openStream, send } from '../../../src/link/send.ts'

const test = suite('send')

const read = call<{ key?: string; start?: number; none?: undefined }, { list: number[] }>(
  'GET',
  '/noun/list',
  'session'
)
const write = call<{ name: string }>('POST', '/noun/set', 'session')

interface Asked {
  url: string
  init: RequestInit
}
let asked: Asked[] = []

function answering(make: (asked: Asked) => Response | Promise<Response>): void {
  setDoor({
    fetch: async (url, init = {}) => {
      const one = { url: String(url), init }
      asked.push(one)
      return make(one)
    }
  })
}
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

/** Ends with its signal, as fetch does on a line on which nothing comes. */
const silent = ({ init }: Asked) =>
  new Promise<Response>((_, reject) => {
    init.signal?.throwIfAborted()
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
  })

const original = { ...door }
test.before.each(() => {
  asked = []
  setDoor({ ...original, hub: undefined })
  $heard.set(0)
})
test.after.each(() => mock.timers.reset())

test('a GET call carries its request as a query, without what is absent', async () => {
  answering(() => json({ result: 0, list: [1] }))
  const reply = await send(read, { key: 'Hall 1 & 2/é', start: 0, none: undefined })
  assert.deepEqual(reply, { result: 0, list: [1] })
  assert.equal(asked[0]?.url, '/api/noun/list?key=Hall+1+%26+2%2F%C3%A9&start=0')
  assert.equal(asked[0]?.init.method ?? 'GET', 'GET')
  assert.equal(asked[0]?.init.body, undefined)
})

test('a GET call without anything to say has no query', async () => {
  answering(() => json({ result: 0 }))
  await send(read, {})
  assert.equal(asked[0]?.url, '/api/noun/list')
})

test('a POST call carries its request as JSON and says so', async () => {
  answering(() => json({ result: 0 }))
  await send(write, { name: 'Halle ü' })
  const { url, init } = asked[0] as Asked
  assert.equal(url, '/api/noun/set')
  assert.equal(init.method, 'POST')
  assert.deepEqual(init.headers, { 'content-type': 'application/json;charset=utf-8' })
  assert.equal(init.body, '{"name":"Halle ü"}')
})

test('in the cloud variant a call goes through the relay with the serial of the hub', async () => {
  answering(() => json({ result: 0 }))
  setDoor({ base: 'https://cloud.test', hub: 'H123 4' })
  await send(read, { start: 5 })
  await send(write, { name: 'a' })
  assert.equal(asked[0]?.url, 'https://cloud.test/socket/api/noun/list?start=5&sc-client-id=H123+4')
  assert.equal(asked[1]?.url, 'https://cloud.test/socket/api/noun/set?sc-client-id=H123+4')
})

test('a result other than 0 is answered with the fields that came beside it', async () => {
  answering(() => json({ result: 7, field: 'name' }))
  assert.deepEqual(await send(write, { name: '' }), { result: 7, field: 'name' })
})

test('a result in an answer with an HTTP error is taken', async () => {
  answering(() => json({ result: 18 }, 413))
  assert.deepEqual(await send(write, { name: '' }), { result: 18 })
})

test('answers without a result get one that fits their HTTP status', async () => {
  const expected: Record<number, number> = {
    200: 6,
    400: 6,
    403: 31,
    404: 9,
    405: 9,
    413: 18,
    500: 6,
    502: NO_CONNECTION,
    503: NO_CONNECTION,
    504: REQUEST_TIMED_OUT
  }
  const bodies = ['', '<html>', 'null', '5', '"0"', '[]', '{}', '{"result":"0"}', '{"result":0', '{"result":null}']
  for (const [status, result] of Object.entries(expected)) {
    for (const body of bodies) {
      answering(() => new Response(body, { status: Number(status) }))
      assert.deepEqual(await send(read, {}), { result }, `${status} ${body}`)
    }
  }
  assert.equal($heard.get(), 0, 'none of it was a word of the hub')
})

test('a hub that cannot be reached is an answer, not an exception', async () => {
  answering(() => Promise.reject(new TypeError('fetch failed')))
  assert.deepEqual(await send(read, {}), { result: NO_CONNECTION })
  assert.equal($heard.get(), 0)
})

test('a line that breaks in the middle of an answer is no connection', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"result":0,'))
      controller.error(new TypeError('terminated'))
    }
  })
  answering(() => new Response(body))
  assert.deepEqual(await send(read, {}), { result: NO_CONNECTION })
})

test('a hub that says nothing for 20 s has not answered in time', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  answering(silent)
  let result: number | undefined
  const sent = send(read, {}).then((reply) => {
    result = reply.result
  })
  mock.timers.tick(REQUEST_TIMEOUT - 1)
  await Promise.resolve()
  assert.equal(asked[0]?.init.signal?.aborted, false)
  mock.timers.tick(1)
  await sent
  assert.equal(result, REQUEST_TIMED_OUT)
})

test('the time limit covers the body too, and can be shorter', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  answering(({ init }) => {
    const body = new ReadableStream({
      start: (controller) => init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
    })
    return new Response(body)
  })
  const sent = send(read, {}, { timeout: 300 })
  mock.timers.tick(300)
  assert.deepEqual(await sent, { result: REQUEST_TIMED_OUT })
})

test('an answer in time stops the clock', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  answering(() => json({ result: 0 }))
  await send(read, {})
  mock.timers.tick(REQUEST_TIMEOUT)
  assert.equal(asked[0]?.init.signal?.aborted, false)
})

test('only the end of the caller’s own signal rejects, with its reason', async () => {
  answering(silent)
  const mine = new AbortController()
  const sent = send(read, {}, { signal: mine.signal })
  const reason = new Error('left the page')
  mine.abort(reason)
  await assert.rejects(sent, reason)
  await assert.rejects(send(read, {}, { signal: mine.signal }), reason, 'a signal that ended before')
})

test('every answer of the hub is a word, a refused one too', async () => {
  answering(() => json({ result: 31 }))
  const before = Date.now()
  await send(read, {})
  assert.ok($heard.get() >= before)
})

test('result 37 is announced with the time of its request, and answered all the same', async () => {
  const heard: number[] = []
  const stop = $refused.listen((at) => heard.push(at))
  answering(() => json({ result: 37 }))
  const before = performance.now()
  assert.deepEqual(await send(read, {}), { result: 37 })
  const after = performance.now()
  assert.equal(heard.length, 1)
  assert.ok((heard[0] ?? 0) >= before && (heard[0] ?? 0) <= after)
  answering(() => json({ result: 31 }))
  await send(read, {})
  assert.equal(heard.length, 1, '31 is no such refusal')
  stop()
  answering(() => json({ result: 37 }))
  await send(read, {})
  assert.equal(heard.length, 1, 'nobody listens any more')
})

test('a stream is handed over as it comes, without a time limit', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  answering(() => new Response('--part'))
  const mine = new AbortController()
  const response = await openStream(read, { start: 1 }, mine.signal)
  mock.timers.tick(REQUEST_TIMEOUT * 2)
  assert.equal(asked[0]?.url, '/api/noun/list?start=1')
  assert.equal(asked[0]?.init.signal, mine.signal)
  assert.equal(await response.text(), '--part')
})

test.run()
