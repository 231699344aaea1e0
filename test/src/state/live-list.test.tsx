import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { atom } from 'nanostores'
import { suite } from 'uvu'
import { call, type ListReply, type Page, type Since } from '../../../contract/call.ts'
import { pageSince } from '../../../hub/handlers/list.ts'
import { type Changes, createChanges } from '../../../hub/store/changes.ts'
import { NO_CONNECTION } from '../../../src/link/failure.ts'
import { setDoor } from '../../../src/link/fetch-json.ts'
import { liveList } from '../../../src/state/live-list.ts'
import { $session, onClear, startSession } from '../../../src/state/session.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { openDocument } from '../../kit/document.ts'
import { openVoice, type Voice } from './keep-alive.ts'

const test = suite('live list')

test.after(openDocument())

interface Row {
  id: number
  name: string
  kbps: number
}
interface Request extends Page, Since {
  key?: string
}
const listRows = call<Request, ListReply<Row> & { extra?: string }>('GET', '/row/list', 'session')

let voice: Voice
let changes: Changes
let rows: Row[]
/** Requests in order, as the hub got them. */
let asked: Request[]
/** Takes the place of the hub's answer when set. */
let instead: ((request: Request) => object | Promise<object>) | undefined
let stops: (() => void)[]

/** Answers as the hub does: in the order of names, by differences. */
function answer(request: Request): object {
  const matching = rows
    .filter(({ name }) => name.includes(request.key ?? ''))
    .sort((a, b) => a.name.localeCompare(b.name))
  return { result: 0, ...pageSince(changes, 'device', request, matching, (row) => ({ ...row })) }
}

test.before.each(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_800_000_000_000 })
  voice = openVoice()
  changes = createChanges()
  rows = ['Alpha', 'Bravo', 'Delta'].map((name, index) => ({ id: index + 1, name, kbps: 0 }))
  asked = []
  instead = undefined
  stops = []
  setDoor({
    base: 'http://hub.test',
    socket: voice.socket.bind(voice),
    async fetch(input, init) {
      const url = new URL(String(input))
      if (url.pathname !== '/api/row/list') return new Response('', { status: 404 })
      const numbers = ['since', 'start', 'count']
      const request: Request = Object.fromEntries(
        [...url.searchParams].map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value])
      )
      asked.push(request)
      const reply = await (instead ?? answer)(request)
      init?.signal?.throwIfAborted()
      return Response.json(reply)
    }
  })
})

test.after.each(async () => {
  for (const stop of stops) stop()
  await pass(1000)
  await pass(1)
  mock.timers.reset()
})

/** Lets what was promised happen. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}
async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms)
  await settle()
}

const names = (list: ReturnType<typeof makeList>) => list.get().items.map(({ name }) => name)

function makeList($request = atom<Request>({}), pace: 'slower' | 'slowest' = 'slower') {
  return liveList({ call: listRows, topic: 'device', request: $request, keyOf: (row: Row) => row.id, pace })
}

/** Makes a list that somebody looks at. */
function shown($request?: ReturnType<typeof atom<Request>>) {
  const $list = makeList($request)
  const phases: string[] = []
  stops.push($list.subscribe(({ phase }) => phases.push(phase)))
  return { $list, phases }
}

/** Makes a list that somebody looks at, over a feed that speaks. */
async function following($request?: ReturnType<typeof atom<Request>>) {
  const made = shown($request)
  await pass(1)
  voice.say({ changed: { device: changes.revs().device } })
  await pass(1000)
  asked = []
  return made
}

/** Says that the topic changed, and lets the console act on it. */
async function word(): Promise<void> {
  voice.say({ changed: { device: changes.revs().device } })
  await pass(500)
}

function alter(id: number, change: Partial<Row>): void {
  Object.assign(rows.find((row) => row.id === id) as Row, change)
  changes.bump('device', id)
}

test('nothing is asked before somebody looks', async () => {
  makeList()
  await pass(10_000)
  assert.deepEqual(asked, [])
})

test('it is loading, then ready with the hub’s items', async () => {
  const { $list, phases } = shown()
  assert.deepEqual({ ...$list.get() }, { phase: 'loading', code: 0, at: 0, items: [], total: 0 })
  await settle()
  assert.deepEqual(phases, ['loading', 'ready'])
  assert.deepEqual(names($list), ['Alpha', 'Bravo', 'Delta'])
  assert.equal($list.get().total, 3)
  assert.equal($list.get().at, Date.now())
})

test('while the feed vouches for it nothing is asked without a word', async () => {
  await following()
  for (let second = 0; second < 30; second++) {
    voice.say({})
    await pass(1000)
  }
  assert.deepEqual(asked, [])
})

test('a word that tells nothing new asks nothing', async () => {
  await following()
  await word()
  voice.say({ changed: { channel: 5 } })
  await pass(500)
  assert.deepEqual(asked, [])
})

test('a change is fetched as a difference, and what did not change stays the same object', async () => {
  const { $list } = await following()
  const before = $list.get().items
  const rev = changes.rev
  alter(2, { kbps: 800 })
  await word()
  assert.deepEqual(asked, [{ since: rev }])
  const after = $list.get().items
  assert.equal(after[1]?.kbps, 800)
  assert.notEqual(after[1], before[1])
  assert.equal(after[0], before[0])
  assert.equal(after[2], before[2])
})

test('what is gone leaves the list', async () => {
  const { $list } = await following()
  rows = rows.filter(({ id }) => id !== 1)
  changes.gone('device', 1)
  await word()
  assert.deepEqual(names($list), ['Bravo', 'Delta'])
  assert.equal($list.get().total, 2)
  assert.equal(asked.length, 1)
})

test('what is added comes where the hub has it', async () => {
  const { $list } = await following()
  rows.push({ id: 4, name: 'Charlie', kbps: 0 })
  changes.bump('device', 4)
  await word()
  assert.deepEqual(names($list), ['Alpha', 'Bravo', 'Charlie', 'Delta'])
  assert.deepEqual(
    asked.map(({ since }) => since === undefined),
    [false, true],
    'the difference does not tell its place: the whole was asked for'
  )
})

test('what is renamed moves where the hub has it', async () => {
  const { $list } = await following()
  alter(1, { name: 'Zulu' })
  await word()
  assert.deepEqual(names($list), ['Bravo', 'Delta', 'Zulu'])
})

test('added, changed and gone at once', async () => {
  const { $list } = await following()
  rows = rows.filter(({ id }) => id !== 2)
  changes.gone('device', 2)
  alter(3, { kbps: 5 })
  rows.push({ id: 9, name: 'Aaron', kbps: 1 })
  changes.bump('device', 9)
  await word()
  assert.deepEqual(
    $list.get().items.map(({ id, kbps }) => [id, kbps]),
    [
      [9, 1],
      [1, 0],
      [3, 5]
    ]
  )
})

test('an answer that is no difference is the whole', async () => {
  const { $list } = await following()
  rows = [{ id: 7, name: 'Only', kbps: 0 }]
  changes.reset('device')
  await word()
  assert.deepEqual(names($list), ['Only'])
  assert.equal(asked.length, 1)
})

test('a difference that does not add up leads to the whole', async () => {
  const { $list } = await following()
  instead = (request) =>
    request.since ? { result: 0, list: [], gone: [99], total: 1, partial: true, rev: 1 } : answer(request)
  rows = rows.slice(0, 1)
  changes.bump('device')
  await word()
  assert.deepEqual(names($list), ['Alpha'])
})

test('differences without end do not lead to questions without end', async () => {
  const { $list } = await following()
  instead = () => ({ result: 0, list: [{ id: 50, name: 'x', kbps: 0 }], total: 9, partial: true, rev: 1 })
  changes.bump('device')
  await word()
  assert.equal(asked.length, 2)
  assert.deepEqual(names($list), ['Alpha', 'Bravo', 'Delta'])
})

test('a page of a longer list is kept by whole answers', async () => {
  const { $list } = await following(atom<Request>({ count: 2 }))
  assert.deepEqual(names($list), ['Alpha', 'Bravo'])
  assert.equal($list.get().total, 3)
  changes.bump('channel', 1)
  await $list.refresh()
  assert.deepEqual(names($list), ['Alpha', 'Bravo'], 'nothing changed')
  rows = rows.filter(({ id }) => id !== 1)
  changes.gone('device', 1)
  await word()
  assert.deepEqual(names($list), ['Bravo', 'Delta'])
})

test('a burst of words is gathered into few questions', async () => {
  const { $list } = await following()
  for (let step = 0; step < 20; step++) {
    alter(2, { kbps: step })
    voice.say({ changed: { device: changes.revs().device } })
    await pass(50)
  }
  await pass(500)
  assert.ok(asked.length <= 4, `${asked.length} in a second`)
  assert.equal($list.get().items[1]?.kbps, 19)
})

/** Has each question be answered with what holds when it comes, but no sooner than is said. @returns says so for the last one */
function holdBack(): () => void {
  let release = () => {}
  instead = async (request) => {
    const reply = answer(request)
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return reply
  }
  return () => release()
}

test('a change during a question is asked for after it', async () => {
  const { $list } = await following()
  const release = holdBack()
  alter(2, { kbps: 1 })
  await word()
  alter(2, { kbps: 2 })
  await word()
  await word()
  assert.equal(asked.length, 1, 'not two at once')
  instead = undefined
  release()
  await settle()
  await pass(1)
  assert.equal($list.get().items[1]?.kbps, 2)
  assert.equal(asked.length, 2)
})

test('without the feed it is asked for at its pace, by differences', async () => {
  voice.available(false)
  const { $list } = shown()
  await pass(1)
  asked = []
  for (let second = 0; second < 8; second++) await pass(1000)
  assert.equal(asked.length, 4)
  assert.ok(asked.every(({ since }) => since === changes.rev))
  alter(3, { kbps: 7 })
  await pass(2000)
  assert.equal($list.get().items[2]?.kbps, 7)
})

test('a hub without revisions is asked for the whole', async () => {
  instead = () => ({ result: 0, start: 0, total: rows.length, list: rows })
  voice.available(false)
  const { $list } = shown()
  await pass(1)
  rows = [...rows, { id: 4, name: 'Echo', kbps: 0 }]
  await pass(2000)
  assert.deepEqual(asked, [{}, {}])
  assert.equal($list.get().items.length, 4)
})

test('a feed that may have missed words has the list asked at once, over a question that hangs', async () => {
  const { $list } = await following()
  instead = () => new Promise(() => {})
  alter(2, { kbps: 3 })
  await word()
  assert.equal(asked.length, 1)
  voice.available(false)
  await pass(100)
  instead = undefined
  voice.available(true)
  await pass(500)
  await word()
  assert.equal($list.get().items[1]?.kbps, 3)
})

test('a failure at first says so, and the next good answer is shown', async () => {
  instead = () => ({ result: 6 })
  const { $list } = shown()
  await settle()
  assert.equal($list.get().phase, 'failed')
  assert.equal($list.get().code, 6)
  instead = undefined
  await pass(2000)
  assert.equal($list.get().phase, 'ready')
  assert.equal($list.get().code, 0)
})

test('a later failure keeps the last good items and says why they are old', async () => {
  const { $list } = await following()
  const { items, at } = $list.get()
  instead = () => Promise.reject(new TypeError('fetch failed'))
  changes.bump('device', 1)
  await word()
  assert.equal($list.get().phase, 'ready')
  assert.equal($list.get().code, NO_CONNECTION)
  assert.equal($list.get().items, items)
  assert.equal($list.get().at, at)
  instead = undefined
  await pass(5000)
  assert.equal($list.get().code, 0)
})

test('a refusal empties the list', async () => {
  const { $list } = await following()
  instead = () => ({ result: 31 })
  changes.bump('device', 1)
  await word()
  assert.equal($list.get().phase, 'denied')
  assert.deepEqual($list.get().items, [])
  assert.equal($list.get().code, 31)
})

test('another request asks anew for the whole; the old items stay until then', async () => {
  const $request = atom<Request>({})
  const { $list, phases } = await following($request)
  phases.length = 0
  $request.set({ key: 'a' })
  assert.equal($list.get().phase, 'loading')
  assert.deepEqual(names($list), ['Alpha', 'Bravo', 'Delta'])
  $request.set({ key: 'Br' })
  await settle()
  assert.deepEqual(names($list), ['Bravo'])
  assert.deepEqual(asked, [{ key: 'a' }, { key: 'Br' }])
  assert.equal(phases.at(-1), 'ready')
})

test('the answer to a request that is no longer wanted is not shown', async () => {
  const $request = atom<Request>({})
  const { $list } = await following($request)
  let release = () => {}
  instead = async (request) => {
    if (request.key === 'A')
      await new Promise<void>((resolve) => {
        release = resolve
      })
    return answer(request)
  }
  $request.set({ key: 'A' })
  await settle()
  $request.set({ key: 'D' })
  await settle()
  release()
  await settle()
  assert.deepEqual(names($list), ['Delta'])
})

test('a failing request after a good one has failed, whatever came before', async () => {
  const $request = atom<Request>({})
  const { $list } = await following($request)
  instead = () => ({ result: 7 })
  $request.set({ key: '?' })
  await settle()
  assert.equal($list.get().phase, 'failed')
  assert.equal($list.get().code, 7)
})

test('refresh asks now and is done when the answer is there', async () => {
  const { $list } = await following()
  alter(1, { kbps: 42 })
  await $list.refresh()
  assert.equal($list.get().items[0]?.kbps, 42)
  assert.equal(asked.length, 1)
})

test('refresh is not content with a question asked before it', async () => {
  const { $list } = await following()
  const release = holdBack()
  changes.bump('device', 3)
  await word()
  instead = undefined
  alter(1, { kbps: 42 })
  const refreshed = $list.refresh()
  release()
  await refreshed
  assert.equal($list.get().items[0]?.kbps, 42)
})

test('it rests when nobody looks, and on return asks what changed meanwhile', async () => {
  const { $list } = await following()
  stops.pop()?.()
  await pass(1000)
  const rev = changes.rev
  alter(1, { kbps: 9 })
  await pass(60_000)
  assert.deepEqual(asked, [])
  stops.push($list.subscribe(() => {}))
  assert.deepEqual(names($list), ['Alpha', 'Bravo', 'Delta'], 'what was there is shown at once')
  await settle()
  assert.deepEqual(asked, [{ since: rev }])
  assert.equal($list.get().items[0]?.kbps, 9)
})

test('in another language everything is asked for as a whole, at once or when somebody looks again', async () => {
  const { $list } = await following()
  const rev = changes.rev
  setLanguage('zh')
  await settle()
  assert.deepEqual(asked, [{}])
  assert.equal($list.get().phase, 'ready')
  asked.length = 0
  stops.pop()?.()
  await pass(1000)
  setLanguage('en')
  await settle()
  assert.deepEqual(asked, [])
  stops.push($list.subscribe(() => {}))
  await settle()
  assert.deepEqual(asked, [{}])
  assert.equal(changes.rev, rev, 'though nothing has changed')
})

test('a request that changed while nobody looked is asked for on return', async () => {
  const $request = atom<Request>({})
  const { $list } = await following($request)
  stops.pop()?.()
  await pass(1000)
  $request.set({ key: 'Br' })
  stops.push($list.subscribe(() => {}))
  assert.equal($list.get().phase, 'loading')
  await settle()
  assert.deepEqual(asked, [{ key: 'Br' }])
  assert.deepEqual(names($list), ['Bravo'])
})

test('a hidden tab asks nothing and catches up when it is shown', async () => {
  const { $list } = await following()
  let hidden = true
  Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true })
  alter(1, { kbps: 5 })
  await word()
  assert.deepEqual(asked, [])
  hidden = false
  document.dispatchEvent(new Event('visibilitychange'))
  await settle()
  assert.equal($list.get().items[0]?.kbps, 5)
  Reflect.deleteProperty(document, 'hidden')
})

test('when the login cache is cleared nothing of the list is left', async () => {
  const { $list } = await following()
  let cleared = 0
  stops.push(
    onClear(() => cleared++),
    startSession()
  )
  $session.set({ name: 'Admin', type: 1, permission: 4294967295, id: 1, 'group-name': '' })
  instead = () => ({ result: 37 })
  await $list.refresh()
  assert.equal(cleared, 1)
  assert.deepEqual({ ...$list.get() }, { phase: 'loading', code: 0, at: 0, items: [], total: 0 })
})

test.run()
