// A fake hub with one list, for tests of live stores.
import { mock } from 'node:test'
import { atom } from 'nanostores'
import type { Call, DeltaRequest, ListResponse, PageRequest } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { paginateSince } from '../../../hub/handlers/list.ts'
import { Changes } from '../../../hub/store/changes.ts'
import { setTransport } from '../../../src/link/fetch-json.ts'
import { createLiveList } from '../../../src/state/live-list.ts'
import { type FakeFeed, openFakeFeed } from './fake-feed.ts'

export interface Row {
  id: number
  name: string
  kbps: number
}

export interface Request extends PageRequest, DeltaRequest {
  key?: string
}

const listRows: Call<Request, ListResponse<Row> & { extra?: string }> = {
  method: 'GET',
  path: '/row/list',
  access: 'session'
}

interface FakeHub {
  feed: FakeFeed
  changes: Changes
  rows: Row[]
  /** Requests in the order in which the hub received them. */
  requests: Request[]
  /** Replaces the hub's responses when set. */
  respondWith?: ((request: Request) => object | Promise<object>) | undefined
  /** Called after the test. */
  stops: (() => void)[]
}

/** The hub of the current test. */
export let hub: FakeHub

/** Starts a new hub. Time passes with `advance` only. */
export function startFakeHub(): void {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_800_000_000_000 })
  const feed = openFakeFeed()
  hub = {
    feed,
    changes: new Changes(),
    rows: ['Alpha', 'Bravo', 'Delta'].map((name, index) => ({ id: index + 1, name, kbps: 0 })),
    requests: [],
    stops: []
  }
  setTransport({
    base: 'http://hub.test',
    socket: feed.socket.bind(feed),
    async fetch(input, init) {
      const url = new URL(String(input))
      if (url.pathname !== '/api/row/list') return new Response('', { status: 404 })
      const numbers = ['since', 'start', 'count']
      const request: Request = Object.fromEntries(
        [...url.searchParams].map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value])
      )
      hub.requests.push(request)
      const response = await (hub.respondWith ?? respond)(request)
      init?.signal?.throwIfAborted()
      return Response.json(response)
    }
  })
}

export async function stopFakeHub(): Promise<void> {
  for (const stop of hub.stops) stop()
  await advance(1000)
  await advance(1)
  mock.timers.reset()
}

/** Responds like the hub: sorted by name, with deltas. */
export function respond(request: Request): object {
  const matching = hub.rows
    .filter(({ name }) => name.includes(request.key ?? ''))
    .sort((a, b) => a.name.localeCompare(b.name))
  return { result: SUCCESS, ...paginateSince(hub.changes, 'device', request, matching, (row) => ({ ...row })) }
}

/** Lets pending promises settle. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

export async function advance(ms: number): Promise<void> {
  mock.timers.tick(ms)
  await settle()
}

export const names = (list: ReturnType<typeof makeList>) => list.get().items.map(({ name }) => name)

export function makeList($request = atom<Request>({}), pace: 'slower' | 'slowest' = 'slower') {
  return createLiveList({ call: listRows, topic: 'device', request: $request, keyOf: (row: Row) => row.id, pace })
}

/** Makes a list with a listener. */
export function showList($request?: ReturnType<typeof atom<Request>>) {
  const $list = makeList($request)
  const phases: string[] = []
  hub.stops.push($list.subscribe(({ phase }) => phases.push(phase)))
  return { $list, phases }
}

/** Makes a list with a listener, over a connected feed. */
export async function showFollowing($request?: ReturnType<typeof atom<Request>>) {
  const list = showList($request)
  await advance(1)
  hub.feed.sendMessage({ changed: { device: hub.changes.revs().device } })
  await advance(1000)
  hub.requests = []
  return list
}

/** Announces a change of the topic, and waits for the console to handle it. */
export async function announceChange(): Promise<void> {
  hub.feed.sendMessage({ changed: { device: hub.changes.revs().device } })
  await advance(500)
}

export function changeRow(id: number, change: Partial<Row>): void {
  Object.assign(hub.rows.find((row) => row.id === id) as Row, change)
  hub.changes.markChanged('device', id)
}

/** Holds back responses, which contain the data at the time of their hub.requests. @returns releases the last one */
export function holdResponses(): () => void {
  let release = () => {}
  hub.respondWith = async (request) => {
    const response = respond(request)
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return response
  }
  return () => release()
}
