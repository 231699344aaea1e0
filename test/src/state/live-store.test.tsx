import assert from 'node:assert/strict'
import { atom } from 'nanostores'
import { suite } from 'uvu'
import { INVALID_ARG, NOT_LOGGED_IN, NOT_PERMITTED, UNKNOWN_ERROR } from '../../../contract/codes.ts'
import { NO_CONNECTION } from '../../../src/link/failure.ts'
import { $session, onSessionClear, startSession } from '../../../src/state/session.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { openDocument } from '../../kit/runner/document.ts'
import {
  advance,
  announceChange,
  changeRow,
  holdResponses,
  hub,
  names,
  type Request,
  respond,
  settle,
  showFollowing,
  showList,
  startFakeHub,
  stopFakeHub
} from './fake-list.ts'

const test = suite('live store')

test.after(openDocument())
test.before.each(startFakeHub)
test.after.each(stopFakeHub)

test('a first failure is shown, and then the next successful response', async () => {
  hub.respondWith = () => ({ result: UNKNOWN_ERROR })
  const { $list } = showList()
  await settle()
  assert.equal($list.get().phase, 'failed')
  assert.equal($list.get().code, 6)
  hub.respondWith = undefined
  await advance(2000)
  assert.equal($list.get().phase, 'ready')
  assert.equal($list.get().code, 0)
})

test('a later failure keeps the last items and shows its code', async () => {
  const { $list } = await showFollowing()
  const { items, updatedAt } = $list.get()
  hub.respondWith = () => Promise.reject(new TypeError('fetch failed'))
  hub.changes.markChanged('device', 1)
  await announceChange()
  assert.equal($list.get().phase, 'ready')
  assert.equal($list.get().code, NO_CONNECTION)
  assert.equal($list.get().items, items)
  assert.equal($list.get().updatedAt, updatedAt)
  hub.respondWith = undefined
  await advance(5000)
  assert.equal($list.get().code, 0)
})

test('result 31 empties the list', async () => {
  const { $list } = await showFollowing()
  hub.respondWith = () => ({ result: NOT_PERMITTED })
  hub.changes.markChanged('device', 1)
  await announceChange()
  assert.equal($list.get().phase, 'denied')
  assert.deepEqual($list.get().items, [])
  assert.equal($list.get().code, 31)
})

test('another request loads everything; the previous items stay until the response', async () => {
  const $request = atom<Request>({})
  const { $list, phases } = await showFollowing($request)
  phases.length = 0
  $request.set({ key: 'a' })
  assert.equal($list.get().phase, 'loading')
  assert.deepEqual(names($list), ['Alpha', 'Bravo', 'Delta'])
  $request.set({ key: 'Br' })
  await settle()
  assert.deepEqual(names($list), ['Bravo'])
  assert.deepEqual(hub.requests, [{ key: 'a' }, { key: 'Br' }])
  assert.equal(phases.at(-1), 'ready')
})

test('the response to an outdated request is not shown', async () => {
  const $request = atom<Request>({})
  const { $list } = await showFollowing($request)
  let release = () => {}
  hub.respondWith = async (request) => {
    if (request.key === 'A')
      await new Promise<void>((resolve) => {
        release = resolve
      })
    return respond(request)
  }
  $request.set({ key: 'A' })
  await settle()
  $request.set({ key: 'D' })
  await settle()
  release()
  await settle()
  assert.deepEqual(names($list), ['Delta'])
})

test('a request that fails after another one succeeded has failed', async () => {
  const $request = atom<Request>({})
  const { $list } = await showFollowing($request)
  hub.respondWith = () => ({ result: INVALID_ARG })
  $request.set({ key: '?' })
  await settle()
  assert.equal($list.get().phase, 'failed')
  assert.equal($list.get().code, 7)
})

test('refresh sends a request now and resolves with its response', async () => {
  const { $list } = await showFollowing()
  changeRow(1, { kbps: 42 })
  await $list.refresh()
  assert.equal($list.get().items[0]?.kbps, 42)
  assert.equal(hub.requests.length, 1)
})

test('refresh does not wait for an earlier request', async () => {
  const { $list } = await showFollowing()
  const release = holdResponses()
  hub.changes.markChanged('device', 3)
  await announceChange()
  hub.respondWith = undefined
  changeRow(1, { kbps: 42 })
  const refreshed = $list.refresh()
  release()
  await refreshed
  assert.equal($list.get().items[0]?.kbps, 42)
})

test('the list pauses without listeners, and then requests the changes made during the pause', async () => {
  const { $list } = await showFollowing()
  hub.stops.pop()?.()
  await advance(1000)
  const rev = hub.changes.rev
  changeRow(1, { kbps: 9 })
  await advance(60_000)
  assert.deepEqual(hub.requests, [])
  hub.stops.push($list.subscribe(() => {}))
  assert.deepEqual(names($list), ['Alpha', 'Bravo', 'Delta'], 'the previous items are shown at once')
  await settle()
  assert.deepEqual(hub.requests, [{ since: rev }])
  assert.equal($list.get().items[0]?.kbps, 9)
})

test('in another language everything is requested again, at once or with the next listener', async () => {
  const { $list } = await showFollowing()
  const rev = hub.changes.rev
  setLanguage('zh')
  await settle()
  assert.deepEqual(hub.requests, [{}])
  assert.equal($list.get().phase, 'ready')
  hub.requests.length = 0
  hub.stops.pop()?.()
  await advance(1000)
  setLanguage('en')
  await settle()
  assert.deepEqual(hub.requests, [])
  hub.stops.push($list.subscribe(() => {}))
  await settle()
  assert.deepEqual(hub.requests, [{}])
  assert.equal(hub.changes.rev, rev, 'although nothing has changed')
})

test('a request that changed without listeners is sent with the next listener', async () => {
  const $request = atom<Request>({})
  const { $list } = await showFollowing($request)
  hub.stops.pop()?.()
  await advance(1000)
  $request.set({ key: 'Br' })
  hub.stops.push($list.subscribe(() => {}))
  assert.equal($list.get().phase, 'loading')
  await settle()
  assert.deepEqual(hub.requests, [{ key: 'Br' }])
  assert.deepEqual(names($list), ['Bravo'])
})

test('a hidden tab sends no requests and catches up when it is visible', async () => {
  const { $list } = await showFollowing()
  let hidden = true
  Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true })
  changeRow(1, { kbps: 5 })
  await announceChange()
  assert.deepEqual(hub.requests, [])
  hidden = false
  document.dispatchEvent(new Event('visibilitychange'))
  await settle()
  assert.equal($list.get().items[0]?.kbps, 5)
  Reflect.deleteProperty(document, 'hidden')
})

test('when the session ends the list is emptied', async () => {
  const { $list } = await showFollowing()
  let cleared = 0
  hub.stops.push(
    onSessionClear(() => cleared++),
    startSession()
  )
  $session.set({ name: 'Admin', type: 1, permission: 4294967295, id: 1, 'group-name': '' })
  hub.respondWith = () => ({ result: NOT_LOGGED_IN })
  await $list.refresh()
  assert.equal(cleared, 1)
  assert.deepEqual({ ...$list.get() }, { phase: 'loading', code: 0, items: [], updatedAt: 0, total: 0 })
})

test.run()
