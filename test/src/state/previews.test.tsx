import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { setDoor } from '../../../src/link/fetch-json.ts'
import type { PreviewItem } from '../../../src/preview/previews.ts'
import { $saver, previews, toggleSaver } from '../../../src/state/previews.ts'
import { $session, signOut, startSession } from '../../../src/state/session.ts'
import { until } from '../../kit/until.ts'

const test = suite('previews of the console')

const PICTURE = '--b\r\nimage-id: DEV-1\r\ncontent-type: image/jpeg\r\ncontent-length: 3\r\n\r\nabc\r\n--b\r\n'
const admin = { name: 'Admin', type: 1, permission: 4294967295, id: 1, 'group-name': '' }

let asked: string[]
let setups: string[]
let wishes: URLSearchParams[]

test.before.each(() => {
  asked = []
  setups = []
  wishes = []
  setDoor({
    base: 'http://hub.test',
    socket: () => ({ close() {} }) as WebSocket,
    async fetch(url, init) {
      const { pathname } = new URL(String(url))
      asked.push(pathname)
      if (pathname === '/api/preview/open') wishes.push(new URL(String(url)).searchParams)
      if (pathname === '/api/preview/setup') setups.push(String(init?.body))
      if (pathname !== '/api/preview/open') return Response.json({ result: 0, revs: {} })
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(PICTURE))
          init?.signal?.addEventListener('abort', () => controller.close())
        }
      })
      return new Response(body, {
        headers: { 'content-type': 'multipart/octet-stream; handle-id="h1"; boundary="b"', 'handle-id': 'h1' }
      })
    }
  })
})

test('pictures come while somebody is signed in, and none is left after', async () => {
  const stop = startSession()
  const items: (PreviewItem | undefined)[] = []
  const leave = previews.subscribe('DEV-1', (item) => items.push(item))
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.deepEqual(asked, [], 'nobody is signed in')
  $session.set(admin)
  await until(() => items.length > 0, 'a picture')
  assert.equal(await items[0]?.blob.text(), 'abc')
  assert.deepEqual(JSON.parse(setups[0] ?? ''), { id: 'h1', add: ['DEV-1'] })
  await signOut()
  assert.equal(items.at(-1), undefined)
  leave()
  stop()
})

test('who saves data has the stream opened anew as one that saves, and it stays chosen', async () => {
  const stop = startSession()
  const leave = previews.subscribe('DEV-1', () => {})
  $session.set(admin)
  await until(() => wishes.length === 1, 'the stream')
  assert.equal(wishes[0]?.has('save'), false)
  toggleSaver()
  await until(() => wishes.length === 2, 'the stream anew')
  assert.equal(wishes[1]?.get('save'), '1')
  assert.equal(localStorage.getItem('headend-saver'), '1')
  toggleSaver()
  await until(() => wishes.length === 3, 'the stream as before')
  assert.equal(wishes[2]?.has('save'), false)
  assert.equal($saver.get(), 0)
  await signOut()
  leave()
  stop()
})

test.run()
