import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { systemStatus } from '../../../contract/system.ts'
import { setTransport, transport } from '../../../src/link/fetch-json.ts'
import { send } from '../../../src/link/send.ts'
import { $session } from '../../../src/state/session.ts'
import { keepSession, startUseReports } from '../../../src/state/session-use.ts'

const test = suite('session use')

const original = { ...transport }
const USER = { name: 'Admin', id: 1, 'group-name': 'Admin', permission: 0, type: 1 }
/** Paths of the requests that extend the session, and of all others. */
let uses: string[] = []
let background: string[] = []
let stop = () => {}

test.before.each(() => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  uses = []
  background = []
  setTransport({
    fetch: async (url, { headers } = {}) => {
      const isBackground = new Headers(headers).has('headend-background')
      ;(isBackground ? background : uses).push(String(url))
      return new Response('{"result":0}')
    }
  })
  $session.set(USER)
})

test.after.each(() => {
  stop()
  $session.set(null)
  setTransport(original)
  mock.timers.reset()
})

const press = (type = 'keydown') => document.body.dispatchEvent(new Event(type, { bubbles: true }))

test('keys, clicks, touches and the wheel are reported: the first at once, later ones together', () => {
  stop = startUseReports()
  assert.deepEqual(uses, [])
  press()
  assert.deepEqual(uses, ['/api/session'])
  for (const type of ['pointerdown', 'wheel', 'touchstart', 'keydown']) press(type)
  assert.equal(uses.length, 1)
  mock.timers.tick(35_000)
  assert.equal(uses.length, 2)
  mock.timers.tick(3_600_000)
  assert.equal(uses.length, 2, 'nobody uses the page')
  for (const type of ['pointerdown', 'wheel', 'touchstart']) {
    press(type)
    mock.timers.tick(35_000)
  }
  assert.equal(uses.length, 5)
  press('pointermove')
  assert.equal(uses.length, 5)
})

test('nothing is reported while nobody is signed in', () => {
  stop = startUseReports()
  $session.set(null)
  press()
  assert.deepEqual(uses, [])
})

test('what the console reads by itself is marked, and what it changes is not', async () => {
  await send(systemStatus, {})
  assert.deepEqual(uses, [])
  assert.equal(background.length, 1)
  await send({ method: 'POST', path: '/preview/setup', access: 'session' }, {})
  assert.deepEqual(uses, [])
  await send({ method: 'POST', path: '/channel/enable', access: 'session' }, {})
  assert.deepEqual(uses, ['/api/channel/enable'])
})

test('a wall display keeps the session in use without anybody', () => {
  stop = keepSession()
  assert.equal(uses.length, 1)
  mock.timers.tick(70_000)
  assert.equal(uses.length, 3)
  stop()
  mock.timers.tick(70_000)
  assert.equal(uses.length, 3)
})

test.run()
