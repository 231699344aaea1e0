import assert from 'node:assert/strict'
import { atom } from 'nanostores'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { openDocument } from '../../kit/runner/document.ts'
import {
  advance,
  announceChange,
  changeRow,
  holdResponses,
  hub,
  makeList,
  names,
  type Request,
  respond,
  settle,
  showFollowing,
  showList,
  startFakeHub,
  stopFakeHub
} from './fake-list.ts'

const test = suite('live list')

test.after(openDocument())
test.before.each(startFakeHub)
test.after.each(stopFakeHub)

test('no request is sent before the list has a listener', async () => {
  makeList()
  await advance(10_000)
  assert.deepEqual(hub.requests, [])
})

test('the list is loading, then ready with the items of the hub', async () => {
  const { $list, phases } = showList()
  assert.deepEqual({ ...$list.get() }, { phase: 'loading', code: 0, items: [], updatedAt: 0, total: 0 })
  await settle()
  assert.deepEqual(phases, ['loading', 'ready'])
  assert.deepEqual(names($list), ['Alpha', 'Bravo', 'Delta'])
  assert.equal($list.get().total, 3)
  assert.equal($list.get().updatedAt, Date.now())
})

test('while the feed is current, no request is sent without a change', async () => {
  await showFollowing()
  for (let second = 0; second < 30; second++) {
    hub.feed.sendMessage({})
    await advance(1000)
  }
  assert.deepEqual(hub.requests, [])
})

test('an announcement without a new revision sends no request', async () => {
  await showFollowing()
  await announceChange()
  hub.feed.sendMessage({ changed: { channel: 5 } })
  await advance(500)
  assert.deepEqual(hub.requests, [])
})

test('a change is fetched as a delta, and unchanged items stay the same objects', async () => {
  const { $list } = await showFollowing()
  const before = $list.get().items
  const rev = hub.changes.rev
  changeRow(2, { kbps: 800 })
  await announceChange()
  assert.deepEqual(hub.requests, [{ since: rev }])
  const after = $list.get().items
  assert.equal(after[1]?.kbps, 800)
  assert.notEqual(after[1], before[1])
  assert.equal(after[0], before[0])
  assert.equal(after[2], before[2])
})

test('a removed item leaves the list', async () => {
  const { $list } = await showFollowing()
  hub.rows = hub.rows.filter(({ id }) => id !== 1)
  hub.changes.markRemoved('device', 1)
  await announceChange()
  assert.deepEqual(names($list), ['Bravo', 'Delta'])
  assert.equal($list.get().total, 2)
  assert.equal(hub.requests.length, 1)
})

test('an added item appears at the position that the hub gives it', async () => {
  const { $list } = await showFollowing()
  hub.rows.push({ id: 4, name: 'Charlie', kbps: 0 })
  hub.changes.markChanged('device', 4)
  await announceChange()
  assert.deepEqual(names($list), ['Alpha', 'Bravo', 'Charlie', 'Delta'])
  assert.deepEqual(
    hub.requests.map(({ since }) => since === undefined),
    [false, true],
    'the delta does not say its position: everything was requested'
  )
})

test('a renamed item moves to the position that the hub gives it', async () => {
  const { $list } = await showFollowing()
  changeRow(1, { name: 'Zulu' })
  await announceChange()
  assert.deepEqual(names($list), ['Bravo', 'Delta', 'Zulu'])
})

test('items are added, changed and removed at once', async () => {
  const { $list } = await showFollowing()
  hub.rows = hub.rows.filter(({ id }) => id !== 2)
  hub.changes.markRemoved('device', 2)
  changeRow(3, { kbps: 5 })
  hub.rows.push({ id: 9, name: 'Aaron', kbps: 1 })
  hub.changes.markChanged('device', 9)
  await announceChange()
  assert.deepEqual(
    $list.get().items.map(({ id, kbps }) => [id, kbps]),
    [
      [9, 1],
      [1, 0],
      [3, 5]
    ]
  )
})

test('a response that is not partial replaces the list', async () => {
  const { $list } = await showFollowing()
  hub.rows = [{ id: 7, name: 'Only', kbps: 0 }]
  hub.changes.resetTopic('device')
  await announceChange()
  assert.deepEqual(names($list), ['Only'])
  assert.equal(hub.requests.length, 1)
})

test('an inconsistent delta makes the list request everything', async () => {
  const { $list } = await showFollowing()
  hub.respondWith = (request) =>
    request.since ? { result: SUCCESS, list: [], gone: [99], total: 1, partial: true, rev: 1 } : respond(request)
  hub.rows = hub.rows.slice(0, 1)
  hub.changes.markChanged('device')
  await announceChange()
  assert.deepEqual(names($list), ['Alpha'])
})

test('repeated inconsistent deltas do not cause endless requests', async () => {
  const { $list } = await showFollowing()
  hub.respondWith = () => ({ result: SUCCESS, list: [{ id: 50, name: 'x', kbps: 0 }], total: 9, partial: true, rev: 1 })
  hub.changes.markChanged('device')
  await announceChange()
  assert.equal(hub.requests.length, 2)
  assert.deepEqual(names($list), ['Alpha', 'Bravo', 'Delta'])
})

test('a page of a longer list is updated with whole responses', async () => {
  const { $list } = await showFollowing(atom<Request>({ count: 2 }))
  assert.deepEqual(names($list), ['Alpha', 'Bravo'])
  assert.equal($list.get().total, 3)
  hub.changes.markChanged('channel', 1)
  await $list.refresh()
  assert.deepEqual(names($list), ['Alpha', 'Bravo'], 'nothing changed')
  hub.rows = hub.rows.filter(({ id }) => id !== 1)
  hub.changes.markRemoved('device', 1)
  await announceChange()
  assert.deepEqual(names($list), ['Bravo', 'Delta'])
})

test('a burst of announcements causes few requests', async () => {
  const { $list } = await showFollowing()
  for (let step = 0; step < 20; step++) {
    changeRow(2, { kbps: step })
    hub.feed.sendMessage({ changed: { device: hub.changes.revs().device } })
    await advance(50)
  }
  await advance(500)
  assert.ok(hub.requests.length <= 4, `${hub.requests.length} in a second`)
  assert.equal($list.get().items[1]?.kbps, 19)
})

test('a change during a request is requested after it', async () => {
  const { $list } = await showFollowing()
  const release = holdResponses()
  changeRow(2, { kbps: 1 })
  await announceChange()
  changeRow(2, { kbps: 2 })
  await announceChange()
  await announceChange()
  assert.equal(hub.requests.length, 1, 'no concurrent requests')
  hub.respondWith = undefined
  release()
  await settle()
  await advance(1)
  assert.equal($list.get().items[1]?.kbps, 2)
  assert.equal(hub.requests.length, 2)
})

test('without the feed the list is requested at its pace, by deltas', async () => {
  hub.feed.setAvailable(false)
  const { $list } = showList()
  await advance(1)
  hub.requests = []
  for (let second = 0; second < 8; second++) await advance(1000)
  assert.equal(hub.requests.length, 4)
  assert.ok(hub.requests.every(({ since }) => since === hub.changes.rev))
  changeRow(3, { kbps: 7 })
  await advance(2000)
  assert.equal($list.get().items[2]?.kbps, 7)
})

test('a hub without revisions is sent requests for everything', async () => {
  hub.respondWith = () => ({ result: SUCCESS, start: 0, total: hub.rows.length, list: hub.rows })
  hub.feed.setAvailable(false)
  const { $list } = showList()
  await advance(1)
  hub.rows = [...hub.rows, { id: 4, name: 'Echo', kbps: 0 }]
  await advance(2000)
  assert.deepEqual(hub.requests, [{}, {}])
  assert.equal($list.get().items.length, 4)
})

test('a feed that may have missed messages makes the list request at once, and replaces a request that hangs', async () => {
  const { $list } = await showFollowing()
  hub.respondWith = () => new Promise(() => {})
  changeRow(2, { kbps: 3 })
  await announceChange()
  assert.equal(hub.requests.length, 1)
  hub.feed.setAvailable(false)
  await advance(100)
  hub.respondWith = undefined
  hub.feed.setAvailable(true)
  await advance(500)
  await announceChange()
  assert.equal($list.get().items[1]?.kbps, 3)
})

test.run()
