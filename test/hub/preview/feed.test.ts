import assert from 'node:assert/strict'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import { createPreviewFeed, IDS_PER_STREAM, STREAMS_PER_OWNER } from '../../../hub/preview/feed.ts'
import { PartBuffer } from '../../../src/preview/buffer.ts'
import { readStreamHead } from '../../../src/preview/headers.ts'
import { createPreviews, type PreviewItem } from '../../../src/preview/previews.ts'
import { readParts } from '../../../src/preview/read.ts'

const test = suite('preview feed')

const jpeg = (text: string) => new Uint8Array(Buffer.from(text))

/** A feed over devices that send when told to. */
function setUp(allowed = (_owner: string, _id: string) => true) {
  const takers = new Map<string, Set<(jpeg: Uint8Array) => void>>()
  const time = { now: 1_000_000 }
  const feed = createPreviewFeed({
    subscribe(id, onPicture) {
      const theirs = takers.get(id) ?? new Set()
      takers.set(id, theirs.add(onPicture))
      return () => void theirs.delete(onPicture)
    },
    allowed: (owner) => (id) => allowed(owner, id),
    now: () => time.now
  })
  function sendBytes(id: string, picture: Uint8Array) {
    for (const taker of takers.get(id) ?? []) taker(picture)
  }
  return {
    feed,
    time,
    /** How many subscriptions a device has. */
    watched: (id: string) => takers.get(id)?.size ?? 0,
    send: (id: string, text: string) => sendBytes(id, jpeg(text)),
    sendBytes,
    open(owner = 'session') {
      const response = feed.open(owner)
      const head = readStreamHead(response.headers)
      assert.ok(head && response.body)
      return { ...head, response, body: response.body }
    }
  }
}

type Opened = ReturnType<ReturnType<typeof setUp>['open']>

/** Reads a stream piece by piece. */
function reader({ body }: Opened) {
  const reader = body.getReader()
  /** The next piece as text; undefined at the end. */
  async function next(): Promise<string | undefined> {
    const { value } = await reader.read()
    return value && Buffer.from(value).toString()
  }
  return {
    next,
    /** What the next piece shows, as `id text`. */
    async picture(): Promise<string> {
      const [, id, content] = /^image-id: (\S+)\r\n.*\r\n\r\n(.*)\r\n--\w+\r\n$/s.exec((await next()) ?? '') ?? []
      return `${id} ${content}`
    },
    cancel: () => reader.cancel()
  }
}

/** Waits until something is so, for 5 s at most. */
async function until(condition: () => boolean) {
  const end = Date.now() + 5000
  while (!condition()) {
    assert.ok(Date.now() < end, `waited in vain until ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

test('the answer names boundary and handle, both at random, and is not to be cached or gathered', () => {
  const { open } = setUp()
  const [one, two] = [open(), open()]
  const { headers } = one.response
  assert.equal(one.response.status, 200)
  assert.equal(
    headers.get('content-type'),
    `multipart/x-mixed-replace; boundary=${one.boundary}; handle-id=${one.handle}`
  )
  assert.equal(headers.get('handle-id'), one.handle)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-accel-buffering'), 'no')
  assert.notEqual(one.handle, two.handle)
  assert.notEqual(one.boundary, two.boundary)
  assert.ok(`--${one.boundary}\r\n`.length <= 48)
})

test('the first boundary line comes at once, and each picture with the line behind it', async () => {
  const { feed, open, send } = setUp()
  const stream = open()
  const { next } = reader(stream)
  assert.equal(await next(), `--${stream.boundary}\r\n`)
  feed.setup('session', { id: stream.handle, add: ['DEV-1'] })
  send('DEV-1', 'picture')
  assert.equal(
    await next(),
    `image-id: DEV-1\r\ncontent-type: image/jpeg\r\ncontent-length: 7\r\n\r\npicture\r\n--${stream.boundary}\r\n`
  )
})

test('a handle that is not open, or is another session’s, is refused with 16', () => {
  const { feed, open, watched } = setUp()
  const { handle } = open('one')
  for (const [owner, id] of [
    ['two', handle],
    ['one', 'nonsense'],
    ['one', `${handle}x`]
  ] as const) {
    assert.equal(feed.setup(owner, { id, add: ['A'] }), 16)
    assert.equal(feed.clear(owner, id), 16)
  }
  assert.equal(watched('A'), 0)
  assert.equal(feed.setup('one', { id: handle, add: ['A'] }), 0)
  assert.equal(feed.clear('one', handle), 0)
  assert.equal(feed.setup('one', { id: handle, add: ['A'] }), 16)
})

test('ids that the session may not see are ignored, as are ids that would break a header', () => {
  const { feed, open, watched } = setUp((owner, id) => owner === 'one' && id !== 'secret')
  const { handle } = open('one')
  assert.equal(feed.setup('one', { id: handle, add: ['A', 'secret', 'a\r\nimage-id: A'] }), 0)
  assert.deepEqual([watched('A'), watched('secret'), watched('a\r\nimage-id: A')], [1, 0, 0])
})

test('numbers name the same ids as their text', async () => {
  const { feed, open, send, watched } = setUp()
  const stream = open()
  const { next, picture } = reader(stream)
  await next()
  feed.setup('session', { id: stream.handle, add: [7, '7'] })
  send('7', 'seven')
  assert.equal(await picture(), '7 seven')
  feed.setup('session', { id: stream.handle, del: [7] })
  assert.equal(watched('7'), 0)
})

test('one subscription upstream serves all browsers and ends with the last of them', async () => {
  const { feed, open, send, watched } = setUp()
  const streams = [open('one'), open('one'), open('two')]
  const readers = streams.map(reader)
  await Promise.all(readers.map((each) => each.next()))
  for (const [i, owner] of ['one', 'one', 'two'].entries())
    feed.setup(owner, { id: streams[i]?.handle ?? '', add: ['A', 'A'] })
  assert.equal(watched('A'), 1)
  send('A', 'picture')
  for (const each of readers) assert.equal(await each.picture(), 'A picture')
  feed.setup('one', { id: streams[0]?.handle ?? '', del: ['A'] })
  await readers[1]?.cancel()
  assert.equal(watched('A'), 1)
  feed.closeOwner('two')
  assert.equal(watched('A'), 0)
})

test('a newcomer gets the newest picture at once, unless it is too old to be shown as new', async () => {
  const { feed, open, send, time } = setUp()
  feed.setup('session', { id: open().handle, add: ['A'] })
  send('A', 'old')
  send('A', 'new')
  const second = open()
  const { next, picture } = reader(second)
  await next()
  feed.setup('session', { id: second.handle, add: ['A'] })
  assert.equal(await picture(), 'A new')

  time.now += 60_000
  const third = open()
  const late = reader(third)
  await late.next()
  feed.setup('session', { id: third.handle, add: ['A'] })
  const shown = late.picture()
  send('A', 'newest')
  assert.equal(await shown, 'A newest')
})

test('a slow reader gets the newest picture of each id, in turn, and nothing older', async () => {
  const { feed, open, send } = setUp()
  const stream = open()
  const each = reader(stream)
  await each.next()
  const ids = ['A', 'B', 'C']
  feed.setup('session', { id: stream.handle, add: ids })
  const seen: string[] = []
  for (let round = 0; round < 4; round++) {
    // A sends far more than the others.
    for (let i = 0; i < 500; i++) send('A', `${round}.${i}`)
    for (const id of ['B', 'C']) send(id, `${round}`)
    for (let i = 0; i < 3; i++) {
      seen.push(await each.picture())
      send('A', `${round} while reading`)
    }
  }
  assert.deepEqual(seen.slice(0, 6), ['A 0.499', 'B 0', 'C 0', 'A 1.499', 'B 1', 'C 1'])
  assert.equal(seen.length, 12)
  const count = (id: string) => seen.filter((text) => text.startsWith(id)).length
  assert.deepEqual(ids.map(count), [4, 4, 4])
})

test('a reader that never reads holds one picture of each id, however many are sent', async () => {
  setFlagsFromString('--expose-gc')
  const { feed, open, sendBytes } = setUp()
  const stream = open()
  feed.setup('session', { id: stream.handle, add: ['A'] })
  const sent = Array.from({ length: 200 }, () => {
    const picture = new Uint8Array(1 << 18)
    sendBytes('A', picture)
    return new WeakRef(picture)
  })
  // Weak references hold until the turn is over.
  await new Promise((resolve) => setImmediate(resolve))
  runInNewContext('gc')()
  assert.equal(sent.filter((picture) => picture.deref()).length, 1)
  await stream.body.cancel()
})

test('an id that is taken away is not sent any more, even if a picture waits', async () => {
  const { feed, open, send } = setUp()
  const stream = open()
  const each = reader(stream)
  await each.next()
  feed.setup('session', { id: stream.handle, add: ['A', 'B'] })
  send('A', 'waiting')
  feed.setup('session', { id: stream.handle, del: ['A'] })
  const shown = each.picture()
  send('A', 'more')
  send('B', 'picture')
  assert.equal(await shown, 'B picture')
})

test('a browser that goes releases what it wanted', async () => {
  const { feed, open, watched } = setUp()
  const stream = open()
  const each = reader(stream)
  await each.next()
  feed.setup('session', { id: stream.handle, add: ['A', 'B'] })
  const reading = each.next()
  await each.cancel()
  assert.equal(await reading, undefined)
  assert.deepEqual([watched('A'), watched('B')], [0, 0])
  assert.equal(feed.setup('session', { id: stream.handle, add: ['A'] }), 16)
})

test('clearing, signing out and closing end the stream cleanly', async () => {
  for (const how of ['clear', 'closeOwner', 'close'] as const) {
    const { feed, open, watched, send } = setUp()
    const stream = open()
    const each = reader(stream)
    await each.next()
    feed.setup('session', { id: stream.handle, add: ['A'] })
    const reading = each.next()
    if (how === 'clear') feed.clear('session', stream.handle)
    else feed[how]('session')
    assert.equal(await reading, undefined)
    assert.equal(watched('A'), 0)
    send('A', 'nobody')
  }
})

test('a check closes the streams of ended sessions and takes away what is no longer allowed', async () => {
  const hidden = new Set<string>()
  const { feed, open, send, watched } = setUp((_owner, id) => !hidden.has(id))
  const [one, two] = [open('one'), open('two')]
  const [first, second] = [reader(one), reader(two)]
  await Promise.all([first.next(), second.next()])
  for (const [owner, { handle }] of [
    ['one', one],
    ['two', two]
  ] as const)
    feed.setup(owner, { id: handle, add: ['A', 'B'] })
  hidden.add('B')
  feed.check((owner) => owner === 'one')
  assert.equal(await second.next(), undefined)
  send('B', 'secret')
  send('A', 'picture')
  assert.equal(await first.picture(), 'A picture')
  assert.deepEqual([watched('A'), watched('B')], [1, 0])
})

test('beyond 8 streams of a session its oldest is closed, and no other’s', async () => {
  const { feed, open } = setUp()
  const other = open('other')
  const streams = Array.from({ length: STREAMS_PER_OWNER + 1 }, () => open())
  const results = streams.map(({ handle }) => feed.setup('session', { id: handle, add: ['A'] }))
  assert.deepEqual(results, [16, ...Array.from({ length: STREAMS_PER_OWNER }, () => 0)])
  assert.equal(feed.setup('other', { id: other.handle, add: ['A'] }), 0)
})

test('beyond 1000 ids a setup is refused with 17 and changes nothing', () => {
  const { feed, open, watched } = setUp()
  const { handle: id } = open()
  const ids = Array.from({ length: IDS_PER_STREAM }, (_, i) => `DEV-${i}`)
  assert.equal(feed.setup('session', { id, add: ids }), 0)
  assert.equal(feed.setup('session', { id, add: ids.slice(0, 10) }), 0)
  assert.equal(feed.setup('session', { id, add: ['X', 'Y'], del: ['DEV-0'] }), 17)
  assert.deepEqual([watched('X'), watched('DEV-0')], [0, 1])
  assert.equal(feed.setup('session', { id, add: ['X'], del: ['DEV-0'] }), 0)
  assert.deepEqual([watched('X'), watched('DEV-0')], [1, 0])
})

test('pictures of any size and content come through the console’s parser as they were', async () => {
  const { feed, open, send } = setUp()
  const stream = open()
  const texts = ['', 'x', `\r\n--${stream.boundary}\r\nimage-id: B\r\n\r\n`, 'y'.repeat(3_000_000)]
  const seen: string[] = []
  const abort = new AbortController()
  const reading = readParts(
    stream.body as ReadableStream<Uint8Array<ArrayBuffer>>,
    stream.boundary,
    new PartBuffer(),
    ({ id, type, bytes }) => {
      assert.deepEqual([id, type], ['A', 'image/jpeg'])
      seen.push(Buffer.from(bytes).toString())
      const next = texts[seen.length]
      if (next === undefined) abort.abort()
      else send('A', next)
    },
    abort.signal
  )
  feed.setup('session', { id: stream.handle, add: ['A'] })
  send('A', texts[0] as string)
  await reading
  assert.deepEqual(seen, texts)
})

test('a reader that tells what arrived is sent a few pictures ahead, and of those that wait the newest', async () => {
  const { feed, sendBytes } = setUp()
  const response = feed.open('session', { seen: 1 })
  const head = readStreamHead(response.headers)
  assert.ok(head?.handle && response.body)
  const { next } = reader({ ...head, response, body: response.body })
  await next()
  feed.setup('session', { id: head.handle, add: ['A'] })
  const read = async () => /\r\n\r\n(\d+) /.exec((await next()) ?? '')?.[1]
  const send = (number: number) => sendBytes('A', Buffer.alloc(5000, ' ').fill(`${number} `, 0, 4))
  for (let number = 1000; number < 1003; number++) {
    send(number)
    assert.equal(await read(), String(number))
  }
  let came: string | undefined
  const waiting = read().then((number) => {
    came = number
  })
  for (let number = 1003; number < 1006; number++) send(number)
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(came, undefined, 'more would wait before the line')
  feed.seen('another', head.handle, 3)
  feed.seen('session', 'nonsense', 3)
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(came, undefined, 'another session tells nothing')
  feed.seen('session', head.handle, 1)
  await waiting
  assert.equal(came, '1005')
  feed.close()
})

test('who saves data has a subscription of its own, for smaller pictures', () => {
  const subscriptions: boolean[] = []
  const feed = createPreviewFeed({
    subscribe(_id, _onPicture, save) {
      subscriptions.push(save)
      return () => {}
    }
  })
  for (const wish of [{}, { save: 1 }, { save: 0, seen: 1 }, { save: 1, seen: 1 }]) {
    const head = readStreamHead(feed.open('session', wish).headers)
    feed.setup('session', { id: head?.handle ?? '', add: ['A'] })
  }
  assert.deepEqual(subscriptions, [false, true])
  feed.close()
})

test('a console shows what devices send, and again after the feed was closed', async () => {
  const { feed, send, watched } = setUp()
  Object.assign(globalThis, { document: Object.assign(new EventTarget(), { hidden: false }) })
  const previews = createPreviews({
    open: async () => feed.open('session'),
    setup: async (request) => ({ result: feed.setup('session', request) }),
    clear: async (id) => feed.clear('session', id)
  })
  const shown: PreviewItem[] = []
  previews.start()
  const leave = previews.subscribe('DEV-1', (item) => item && shown.push(item))
  await until(() => watched('DEV-1') === 1)
  send('DEV-1', 'one')
  await until(() => shown.length === 1)

  feed.close()
  assert.equal(watched('DEV-1'), 0)
  // It opens again by itself, 3 s later.
  await until(() => watched('DEV-1') === 1)
  send('DEV-1', 'two')
  await until(() => shown.length === 2)
  assert.deepEqual(await Promise.all(shown.map(({ blob }) => blob.text())), ['one', 'two'])
  leave()
  await until(() => watched('DEV-1') === 0)
  previews.stop()
  Reflect.deleteProperty(globalThis, 'document')
})

test.run()
