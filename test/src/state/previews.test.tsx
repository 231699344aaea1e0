import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { setTransport } from '../../../src/link/fetch-json.ts'
import type { PreviewItem } from '../../../src/preview/previews.ts'
import { $dataSaver, previews, toggleDataSaver } from '../../../src/state/previews.ts'
import { $session, signOut, startSession } from '../../../src/state/session.ts'
import { until } from '../../kit/until.ts'

const test = suite('previews of the console')

const IMAGE_PART = '--b\r\nimage-id: DEV-1\r\ncontent-type: image/jpeg\r\ncontent-length: 3\r\n\r\nabc\r\n--b\r\n'
const admin = { name: 'Admin', type: 1, permission: 4294967295, id: 1, 'group-name': '' }

let paths: string[]
let setups: string[]
let streamQueries: URLSearchParams[]

test.before.each(() => {
  paths = []
  setups = []
  streamQueries = []
  setTransport({
    base: 'http://hub.test',
    socket: () => ({ close() {} }) as WebSocket,
    async fetch(url, init) {
      const { pathname } = new URL(String(url))
      paths.push(pathname)
      if (pathname === '/api/preview/open') streamQueries.push(new URL(String(url)).searchParams)
      if (pathname === '/api/preview/setup') setups.push(String(init?.body))
      if (pathname !== '/api/preview/open') return Response.json({ result: SUCCESS, revs: {} })
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(IMAGE_PART))
          init?.signal?.addEventListener('abort', () => controller.close())
        }
      })
      return new Response(body, {
        headers: { 'content-type': 'multipart/octet-stream; handle-id="h1"; boundary="b"', 'handle-id': 'h1' }
      })
    }
  })
})

test('images arrive while a user is signed in, and are removed on sign-out', async () => {
  const stop = startSession()
  const items: (PreviewItem | undefined)[] = []
  mock.timers.enable({ apis: ['setTimeout'] })
  const unsubscribe = previews.subscribe('DEV-1', (item) => items.push(item))
  mock.timers.tick(60_000)
  mock.timers.reset()
  assert.deepEqual(paths, [], 'no user is signed in')
  $session.set(admin)
  await until(() => items.length > 0, 'an image')
  assert.equal(await items[0]?.blob.text(), 'abc')
  assert.deepEqual(JSON.parse(setups[0] ?? ''), { id: 'h1', add: ['DEV-1'] })
  await signOut()
  assert.equal(items.at(-1), undefined)
  unsubscribe()
  stop()
})

test('the data saver reopens the stream with its parameter, and is remembered', async () => {
  const stop = startSession()
  const unsubscribe = previews.subscribe('DEV-1', () => {})
  $session.set(admin)
  await until(() => streamQueries.length === 1, 'the stream')
  assert.equal(streamQueries[0]?.has('save'), false)
  toggleDataSaver()
  await until(() => streamQueries.length === 2, 'the stream to reopen')
  assert.equal(streamQueries[1]?.get('save'), '1')
  assert.equal(localStorage.getItem('headend-saver'), '1')
  toggleDataSaver()
  await until(() => streamQueries.length === 3, 'the stream without data saver')
  assert.equal(streamQueries[2]?.has('save'), false)
  assert.equal($dataSaver.get(), false)
  await signOut()
  unsubscribe()
  stop()
})

test.run()
