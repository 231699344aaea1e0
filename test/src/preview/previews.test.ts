import assert from 'node:assert/strict'
import { resolveObjectURL } from 'node:buffer'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import type { PreviewSetup } from '../../../contract/preview.ts'
import { createPreviews, type PreviewItem, SETTLE } from '../../../src/preview/previews.ts'
import { BOUNDARY, bytesOf, noise, partOf } from './multipart.ts'

const test = suite('previews')

type Bytes = Uint8Array<ArrayBuffer>

/** Time that passes only when told to. */
function createClock() {
  let time = 1_000_000
  const timers = new Set<{ at: number; action: () => void }>()
  return {
    now: () => time,
    timers,
    /** Takes the place of the platform's timers. */
    setTimeout(action: (...values: unknown[]) => void, ms: number, ...values: unknown[]) {
      const timer = { at: time + ms, action: () => action(...values) }
      timers.add(timer)
      return timer
    },
    clearTimeout: (timer: { at: number; action: () => void }) => void timers.delete(timer),
    /** Lets `ms` milliseconds pass, and all that follows from each timer happen. */
    async pass(ms: number) {
      const until = time + ms
      await turn()
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (!next) break
        timers.delete(next)
        time = Math.max(time, next.at)
        next.action()
        await turn()
      }
      time = until
      await turn()
    }
  }
}

/** Lets everything happen that waits for no timer of ours. */
async function turn() {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve))
}

const platform = { setTimeout, clearTimeout, document: globalThis.document }
const { now } = Date

test.after.each(() => {
  Object.assign(globalThis, platform)
  Date.now = now
})

/** A hub that does as told, and a page that is visible or hidden, at a time of its own. */
function setUp() {
  const clock = createClock()
  const document = Object.assign(new EventTarget(), { hidden: false })
  Object.assign(globalThis, { setTimeout: clock.setTimeout, clearTimeout: clock.clearTimeout, document })
  Date.now = clock.now
  const setups: PreviewSetup[] = []
  const cleared: string[] = []
  const streams: {
    signal: AbortSignal
    cancelled: boolean
    send(...pieces: Bytes[]): void
    end(): void
    fail(): void
  }[] = []
  const hub = {
    result: 0,
    refuse: false,
    /** Opening waits for this. */
    opening: Promise.resolve(),
    /** Calls of setup wait for this. */
    gate: Promise.resolve(),
    answer: (body: ReadableStream<Bytes>, handle: string) =>
      new Response(body, { headers: { 'content-type': `multipart/x; boundary=${BOUNDARY}; handle-id=${handle}` } })
  }
  const previews = createPreviews({
    async open(signal) {
      if (hub.refuse) throw new TypeError('Failed to fetch')
      let controller: ReadableByteStreamController | undefined
      const stream = {
        signal,
        cancelled: false,
        send: (...pieces: Bytes[]) => controller?.enqueue(bytesOf(...pieces)),
        end() {
          controller?.close()
          controller?.byobRequest?.respond(0)
        },
        fail: () => controller?.error(new Error('reset'))
      }
      const source: UnderlyingByteSource = {
        type: 'bytes',
        start(given) {
          controller = given
        },
        cancel() {
          stream.cancelled = true
        }
      }
      const body = new ReadableStream(source) as ReadableStream<Bytes>
      streams.push(stream)
      await hub.opening
      return hub.answer(body, `h${streams.length}`)
    },
    async setup(request) {
      setups.push(structuredClone(request))
      await hub.gate
      return { result: hub.result }
    },
    async clear(id) {
      cleared.push(id)
    }
  })
  const hide = (hidden: boolean) => {
    document.hidden = hidden
    document.dispatchEvent(new Event('visibilitychange'))
  }
  return { clock, previews, setups, cleared, streams, hub, hide }
}

type Items = (PreviewItem | undefined)[]

/** A callback that keeps what it was given. */
function kept() {
  const items: Items = []
  return { items, take: (item: PreviewItem | undefined) => void items.push(item) }
}

test('nothing is opened before the start, nor while nothing is wanted', async () => {
  const { clock, previews, streams } = setUp()
  previews.subscribe('A', () => {})
  await clock.pass(60_000)
  assert.equal(streams.length, 0)
  const other = setUp()
  other.previews.start()
  await other.clock.pass(60_000)
  assert.equal(other.streams.length, 0)
})

test('wishes of one moment become one call', async () => {
  const { clock, previews, streams, setups } = setUp()
  previews.start()
  const leave = previews.subscribe('A', () => {})
  previews.subscribe('B', () => {})
  await clock.pass(SETTLE)
  assert.deepEqual(setups, [{ id: 'h1', add: ['A', 'B'] }])
  leave()
  previews.subscribe('C', () => {})
  previews.subscribe('D', () => {})()
  await clock.pass(SETTLE)
  assert.deepEqual(setups.slice(1), [{ id: 'h1', add: ['C'], del: ['A'] }])
  assert.equal(streams.length, 1)
})

test('what is wished for during a call is told in the next one', async () => {
  const { clock, previews, setups, hub } = setUp()
  const gate = Promise.withResolvers<void>()
  hub.gate = gate.promise
  previews.start()
  previews.subscribe('A', () => {})
  await clock.pass(SETTLE)
  for (const id of ['B', 'C']) {
    previews.subscribe(id, () => {})
    await clock.pass(SETTLE)
  }
  assert.equal(setups.length, 1)
  gate.resolve()
  await clock.pass(0)
  assert.deepEqual(setups.slice(1), [{ id: 'h1', add: ['B', 'C'] }])
})

test('a picture reaches everyone who wants it, with its type, bytes, URL and time', async () => {
  const { clock, previews, streams } = setUp()
  const [one, two, other] = [kept(), kept(), kept()]
  previews.start()
  previews.subscribe('A', one.take)
  previews.subscribe('A', two.take)
  previews.subscribe('B', other.take)
  await clock.pass(SETTLE)
  streams[0]?.send(partOf('A', 'picture'), partOf('nobody', 'x'))
  await clock.pass(0)
  const [item] = one.items as PreviewItem[]
  assert.equal(item?.id, 'A')
  assert.equal(item?.contentType, 'image/jpeg')
  assert.equal(item?.createTime, clock.now())
  assert.equal(await item?.blob.text(), 'picture')
  assert.equal(await resolveObjectURL(item?.url ?? '')?.text(), 'picture')
  assert.deepEqual(two.items, one.items)
  assert.deepEqual(other.items, [])
  const late = kept()
  previews.subscribe('A', late.take)
  assert.deepEqual(late.items, one.items, 'who comes later gets the last one at once')
})

test('what is empty or no picture is not shown', async () => {
  const { clock, previews, streams } = setUp()
  const { items, take } = kept()
  previews.start()
  previews.subscribe('A', take)
  await clock.pass(SETTLE)
  for (const type of ['text/html', 'image/svg+xml', 'IMAGE/SVG+XML'])
    streams[0]?.send(
      bytesOf(`--${BOUNDARY}\r\nimage-id: A\r\ncontent-type: ${type}\r\ncontent-length: 4\r\n\r\n<a/>\r\n`)
    )
  streams[0]?.send(partOf('A', ''))
  await clock.pass(0)
  assert.deepEqual(items, [])
})

test('an id is told to the hub once and taken back when the last one leaves', async () => {
  const { clock, previews, setups } = setUp()
  const same = () => {}
  previews.start()
  previews.subscribe('B', () => {})
  const leave = [previews.subscribe('A', same), previews.subscribe('A', same)]
  await clock.pass(SETTLE)
  leave[0]?.()
  leave[0]?.()
  await clock.pass(SETTLE)
  assert.deepEqual(setups, [{ id: 'h1', add: ['B', 'A'] }])
  leave[1]?.()
  await clock.pass(SETTLE)
  assert.deepEqual(setups[1], { id: 'h1', del: ['A'] })
})

test('leaving and wanting again within a moment changes nothing', async () => {
  const { clock, previews, setups, streams } = setUp()
  const { items, take } = kept()
  previews.start()
  const leave = previews.subscribe('A', () => {})
  await clock.pass(SETTLE)
  streams[0]?.send(partOf('A', 'picture'))
  await clock.pass(0)
  leave()
  previews.subscribe('A', take)
  await clock.pass(SETTLE)
  assert.equal(setups.length, 1)
  assert.equal(items.length, 1)
  assert.ok(resolveObjectURL(items[0]?.url ?? ''))
})

test('the stream is closed when nothing is wanted, and the handle cleared', async () => {
  const { clock, previews, streams, cleared, setups } = setUp()
  previews.start()
  const leave = previews.subscribe('A', () => {})
  await clock.pass(SETTLE)
  leave()
  await clock.pass(SETTLE)
  assert.ok(streams[0]?.cancelled && streams[0].signal.aborted)
  assert.deepEqual(cleared, ['h1'])
  assert.equal(setups.length, 1)
  await clock.pass(60_000)
  assert.equal(streams.length, 1)
  assert.equal(clock.timers.size, 0)
})

test('3 s after the stream failed or ended it is opened again and all ids are registered', async () => {
  for (const how of ['fail', 'end'] as const) {
    const { clock, previews, streams, setups } = setUp()
    previews.start()
    for (const id of ['A', 'B', 'C']) previews.subscribe(id, () => {})
    await clock.pass(SETTLE)
    streams[0]?.[how]()
    await clock.pass(2999)
    assert.equal(streams.length, 1)
    await clock.pass(1)
    assert.equal(streams.length, 2)
    assert.deepEqual(setups.at(-1), { id: 'h2', add: ['A', 'B', 'C'] })
    const { items, take } = kept()
    previews.subscribe('A', take)
    streams[1]?.send(partOf('A', 'again'))
    await clock.pass(0)
    assert.equal(items.length, 1)
  }
})

test('wishes that come during the 3 s wait do not shorten it', async () => {
  const { clock, previews, streams, setups } = setUp()
  previews.start()
  const leave = previews.subscribe('A', () => {})
  await clock.pass(SETTLE)
  streams[0]?.fail()
  await clock.pass(1000)
  previews.subscribe('B', () => {})
  leave()
  await clock.pass(1999)
  assert.equal(streams.length, 1)
  await clock.pass(1)
  assert.deepEqual(setups.at(-1), { id: 'h2', add: ['B'] })
})

test('a hub that cannot be reached, refuses, or answers something else is asked again every 3 s', async () => {
  const { clock, previews, streams, hub, setups } = setUp()
  previews.start()
  previews.subscribe('A', () => {})
  hub.refuse = true
  await clock.pass(10_000)
  hub.refuse = false
  const { answer } = hub
  hub.answer = () => Response.json({ result: 37 })
  await clock.pass(3000)
  hub.answer = (body, handle) => new Response(body, { status: 502, headers: answer(body, handle).headers })
  await clock.pass(3000)
  assert.equal(setups.length, 0)
  hub.answer = answer
  hub.result = 16
  const before = streams.length
  await clock.pass(3000)
  assert.equal(streams.length, before + 1)
  assert.ok(streams.at(-1)?.cancelled, 'a refused setup ends its stream')
  hub.result = 0
  await clock.pass(3000)
  assert.equal(streams.length, before + 2)
  assert.equal(streams.at(-1)?.cancelled, false)
})

test('a hidden tab wants nothing, and what it wanted is registered when it is seen again', async () => {
  const { clock, previews, streams, setups, hide } = setUp()
  const { items, take } = kept()
  previews.start()
  previews.subscribe('A', take)
  await clock.pass(SETTLE)
  streams[0]?.send(partOf('A', 'picture'))
  await clock.pass(0)
  hide(true)
  previews.subscribe('B', () => {})
  await clock.pass(60_000)
  assert.ok(streams[0]?.cancelled)
  assert.equal(streams.length, 1)
  assert.ok(resolveObjectURL(items[0]?.url ?? ''), 'the last picture stays')
  hide(false)
  await clock.pass(0)
  assert.deepEqual(setups.at(-1), { id: 'h2', add: ['A', 'B'] })
})

test('signing out closes the stream without another call; signing in registers what is still wanted', async () => {
  const { clock, previews, streams, setups, cleared, hide } = setUp()
  previews.start()
  previews.subscribe('A', () => {})
  await clock.pass(SETTLE)
  previews.stop()
  hide(true)
  hide(false)
  await clock.pass(60_000)
  assert.ok(streams[0]?.cancelled)
  assert.equal(streams.length, 1)
  assert.deepEqual(cleared, [])
  previews.start()
  await clock.pass(SETTLE)
  assert.deepEqual(setups.at(-1), { id: 'h2', add: ['A'] })
})

test('a stream that answers after it is no longer wanted is cancelled', async () => {
  const { clock, previews, streams, setups, hub } = setUp()
  const gate = Promise.withResolvers<void>()
  hub.opening = gate.promise
  previews.start()
  previews.subscribe('A', () => {})
  await clock.pass(SETTLE)
  previews.stop()
  gate.resolve()
  await clock.pass(60_000)
  assert.equal(streams.length, 1)
  assert.ok(streams[0]?.cancelled)
  assert.equal(setups.length, 0)
})

test('a stream that shows nothing any more is opened again after 20 s, one that never did is left alone', async () => {
  const { clock, previews, streams } = setUp()
  previews.start()
  previews.subscribe('A', () => {})
  await clock.pass(100_000)
  assert.equal(streams.length, 1)
  for (let i = 0; i < 10; i++) {
    streams[0]?.send(partOf('A', 'picture'))
    await clock.pass(15_000)
  }
  assert.equal(streams.length, 1)
  await clock.pass(8000 + SETTLE)
  assert.equal(streams.length, 2)
  assert.ok(streams[0]?.cancelled)
  await clock.pass(100_000)
  assert.equal(streams.length, 2)
})

test('URLs are revoked when replaced, when the last one leaves and when pictures are cleared', async () => {
  const { clock, previews, streams } = setUp()
  const [a, b] = [kept(), kept()]
  previews.start()
  const leave = previews.subscribe('A', a.take)
  previews.subscribe('B', b.take)
  await clock.pass(SETTLE)
  streams[0]?.send(partOf('A', 'one'), partOf('A', 'two'), partOf('B', 'three'))
  await clock.pass(0)
  const live = (items: Items) => items.map((item) => item !== undefined && resolveObjectURL(item.url) !== undefined)
  assert.deepEqual(live(a.items), [false, true])
  leave()
  await clock.pass(SETTLE)
  assert.deepEqual(live(a.items), [false, false])
  previews.clear()
  assert.deepEqual(live(b.items), [false, false])
  assert.equal(b.items.at(-1), undefined, 'whoever shows it is told')
  const late = kept()
  previews.subscribe('B', late.take)
  assert.deepEqual(late.items, [])
})

test('memory stays flat over 10,000 pictures', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { clock, previews, streams } = setUp()
  const live = new Set<string>()
  let shown = 0
  const { createObjectURL, revokeObjectURL } = URL
  URL.createObjectURL = (blob) => {
    const url = createObjectURL(blob)
    live.add(url)
    return url
  }
  URL.revokeObjectURL = (url) => {
    live.delete(url)
    revokeObjectURL(url)
  }
  try {
    previews.start()
    for (let id = 0; id < 20; id++) previews.subscribe(`P${id}`, () => shown++)
    await clock.pass(SETTLE)
    const round = bytesOf(...Array.from({ length: 20 }, (_, id) => partOf(`P${id}`, noise(4000 + id * 400))))
    const show = async (rounds: number) => {
      for (let i = 0; i < rounds; i++) {
        streams[0]?.send(round)
        await turn()
      }
      collect()
      await turn()
      collect()
      const { heapUsed, arrayBuffers, external } = process.memoryUsage()
      return (heapUsed + Math.max(arrayBuffers, external)) / 1e6
    }
    const before = await show(50)
    const after = await show(500)
    assert.equal(shown, 11_000)
    assert.equal(live.size, 20)
    assert.ok(after - before < 6, `${before.toFixed(1)} MB before, ${after.toFixed(1)} MB after`)
  } finally {
    Object.assign(URL, { createObjectURL, revokeObjectURL })
    previews.stop()
  }
})

test.run()
