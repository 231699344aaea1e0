import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import type { Call } from '../../../contract/call.ts'
import { INVALID_ARG, NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS, TOO_LARGE } from '../../../contract/codes.ts'
import { REQUEST_TIMEOUT } from '../../../contract/limits.ts'
import { NO_CONNECTION, REQUEST_TIMED_OUT } from '../../../src/link/failure.ts'
import { $lastResponseAt, $unauthorizedAt, setTransport, transport } from '../../../src/link/fetch-json.ts'
import { openStream, send } from '../../../src/link/send.ts'

const test = suite('send')

const readCall: Call<{ key?: string; start?: number; none?: undefined }, { list: number[] }> = {
  method: 'GET',
  path: '/noun/list',
  access: 'session'
}
const writeCall: Call<{ name: string }, object> = { method: 'POST', path: '/noun/set', access: 'session' }

interface SentRequest {
  url: string
  init: RequestInit
}
let requests: SentRequest[] = []

function respondWith(respond: (request: SentRequest) => Response | Promise<Response>): void {
  setTransport({
    fetch: async (url, init = {}) => {
      const request = { url: String(url), init }
      requests.push(request)
      return respond(request)
    }
  })
}
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

/** Rejects when its signal aborts, like fetch on a connection without data. */
const neverRespond = ({ init }: SentRequest) =>
  new Promise<Response>((_, reject) => {
    init.signal?.throwIfAborted()
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
  })

const original = { ...transport }
test.before.each(() => {
  requests = []
  setTransport({ ...original, relayedHub: undefined })
  $lastResponseAt.set(0)
})
test.after.each(() => mock.timers.reset())

test('a GET call has its request as query, without undefined values', async () => {
  respondWith(() => json({ result: SUCCESS, list: [1] }))
  const response = await send(readCall, { key: 'Hall 1 & 2/é', start: 0, none: undefined })
  assert.deepEqual(response, { result: SUCCESS, list: [1] })
  assert.equal(requests[0]?.url, '/api/noun/list?key=Hall+1+%26+2%2F%C3%A9&start=0')
  assert.equal(requests[0]?.init.method ?? 'GET', 'GET')
  assert.equal(requests[0]?.init.body, undefined)
})

test('a GET call with an empty request has no query', async () => {
  respondWith(() => json({ result: SUCCESS }))
  await send(readCall, {})
  assert.equal(requests[0]?.url, '/api/noun/list')
})

test('a POST call has its request as JSON body and the matching content type', async () => {
  respondWith(() => json({ result: SUCCESS }))
  await send(writeCall, { name: 'Halle ü' })
  const { url, init } = requests[0] as SentRequest
  assert.equal(url, '/api/noun/set')
  assert.equal(init.method, 'POST')
  assert.deepEqual(init.headers, { 'content-type': 'application/json;charset=utf-8' })
  assert.equal(init.body, '{"name":"Halle ü"}')
})

test('in the cloud variant a call goes through the relay with the serial number of the hub', async () => {
  respondWith(() => json({ result: SUCCESS }))
  setTransport({ base: 'https://cloud.test', relayedHub: 'H123 4' })
  await send(readCall, { start: 5 })
  await send(writeCall, { name: 'a' })
  assert.equal(requests[0]?.url, 'https://cloud.test/socket/api/noun/list?start=5&client-id=H123+4')
  assert.equal(requests[1]?.url, 'https://cloud.test/socket/api/noun/set?client-id=H123+4')
})

test('a response with a result other than 0 keeps its other fields', async () => {
  respondWith(() => json({ result: INVALID_ARG, field: 'name' }))
  assert.deepEqual(await send(writeCall, { name: '' }), { result: INVALID_ARG, field: 'name' })
})

test('a result in a response with an HTTP error status is used', async () => {
  respondWith(() => json({ result: TOO_LARGE }, 413))
  assert.deepEqual(await send(writeCall, { name: '' }), { result: TOO_LARGE })
})

test('responses without a result get one by their HTTP status', async () => {
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
      respondWith(() => new Response(body, { status: Number(status) }))
      assert.deepEqual(await send(readCall, {}), { result }, `${status} ${body}`)
    }
  }
  assert.equal($lastResponseAt.get(), 0, 'none of these responses came from the hub')
})

test('an unreachable hub gives a result, not an exception', async () => {
  respondWith(() => Promise.reject(new TypeError('fetch failed')))
  assert.deepEqual(await send(readCall, {}), { result: NO_CONNECTION })
  assert.equal($lastResponseAt.get(), 0)
})

test("a connection that breaks during a response gives 'no connection'", async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"result":0,'))
      controller.error(new TypeError('terminated'))
    }
  })
  respondWith(() => new Response(body))
  assert.deepEqual(await send(readCall, {}), { result: NO_CONNECTION })
})

test("a hub that is silent for 20 s gives 'timed out'", async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  respondWith(neverRespond)
  let result: number | undefined
  const call = send(readCall, {}).then((response) => {
    result = response.result
  })
  mock.timers.tick(REQUEST_TIMEOUT - 1)
  await Promise.resolve()
  assert.equal(requests[0]?.init.signal?.aborted, false)
  mock.timers.tick(1)
  await call
  assert.equal(result, REQUEST_TIMED_OUT)
})

test('the timeout includes the body and can be shorter', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  respondWith(({ init }) => {
    const body = new ReadableStream({
      start: (controller) => init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
    })
    return new Response(body)
  })
  const call = send(readCall, {}, { timeout: 300 })
  mock.timers.tick(300)
  assert.deepEqual(await call, { result: REQUEST_TIMED_OUT })
})

test('a response in time is not timed out', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  respondWith(() => json({ result: SUCCESS }))
  await send(readCall, {})
  mock.timers.tick(REQUEST_TIMEOUT)
  assert.equal(requests[0]?.init.signal?.aborted, false)
})

test('only the caller’s signal rejects, with its reason', async () => {
  respondWith(neverRespond)
  const mine = new AbortController()
  const call = send(readCall, {}, { signal: mine.signal })
  const reason = new Error('left the page')
  mine.abort(reason)
  await assert.rejects(call, reason)
  await assert.rejects(send(readCall, {}, { signal: mine.signal }), reason, 'a signal that was aborted before')
})

test('every response of the hub marks it as alive, also an error', async () => {
  respondWith(() => json({ result: NOT_PERMITTED }))
  const before = Date.now()
  await send(readCall, {})
  assert.ok($lastResponseAt.get() >= before)
})

test('result 37 is announced with the time of its request, and returned', async () => {
  const times: number[] = []
  const stop = $unauthorizedAt.listen((time) => times.push(time))
  respondWith(() => json({ result: NOT_LOGGED_IN }))
  const before = performance.now()
  assert.deepEqual(await send(readCall, {}), { result: NOT_LOGGED_IN })
  const after = performance.now()
  assert.equal(times.length, 1)
  assert.ok((times[0] ?? 0) >= before && (times[0] ?? 0) <= after)
  respondWith(() => json({ result: NOT_PERMITTED }))
  await send(readCall, {})
  assert.equal(times.length, 1, '31 does not end the session')
  stop()
  respondWith(() => json({ result: NOT_LOGGED_IN }))
  await send(readCall, {})
  assert.equal(times.length, 1, 'the listener was removed')
})

test('a stream is returned as it arrives, without a timeout', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  respondWith(() => new Response('--part'))
  const mine = new AbortController()
  const response = await openStream(readCall, { start: 1 }, mine.signal)
  mock.timers.tick(REQUEST_TIMEOUT * 2)
  assert.equal(requests[0]?.url, '/api/noun/list?start=1')
  assert.equal(requests[0]?.init.signal, mine.signal)
  assert.equal(await response.text(), '--part')
})

test.run()
