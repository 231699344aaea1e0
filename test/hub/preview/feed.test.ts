import assert from 'node:assert/strict'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import { IDS_PER_STREAM, PreviewFeed, STREAMS_PER_OWNER } from '../../../hub/preview/feed.ts'
import { PartBuffer } from '../../../src/preview/buffer.ts'
import { readStreamHead } from '../../../src/preview/headers.ts'
import { createPreviews, type PreviewItem } from '../../../src/preview/previews.ts'
import { readParts } from '../../../src/preview/read-parts.ts'
import { createTestFeed, readStream } from '../../kit/hub/preview-feed.ts'
import { until } from '../../kit/until.ts'

const test = suite('preview feed')

test('the response has a random boundary and handle ID, and forbids caching and buffering', () => {
  const { open } = createTestFeed()
  const [firstStream, secondStream] = [open(), open()]
  const { headers } = firstStream.response
  assert.equal(firstStream.response.status, 200)
  assert.equal(
    headers.get('content-type'),
    `multipart/x-mixed-replace; boundary=${firstStream.boundary}; handle-id=${firstStream.handle}`
  )
  assert.equal(headers.get('handle-id'), firstStream.handle)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-accel-buffering'), 'no')
  assert.notEqual(firstStream.handle, secondStream.handle)
  assert.notEqual(firstStream.boundary, secondStream.boundary)
  assert.ok(`--${firstStream.boundary}\r\n`.length <= 48)
})

test('the first boundary line is sent at once, and each image with the next boundary line', async () => {
  const { feed, open, send } = createTestFeed()
  const stream = open()
  const { next } = readStream(stream)
  assert.equal(await next(), `--${stream.boundary}\r\n`)
  feed.setup('session', { id: stream.handle, add: ['DEV-1'] })
  send('DEV-1', 'picture')
  assert.equal(
    await next(),
    'image-id: DEV-1\r\ncontent-type: image/jpeg\r\nimage-age: 0\r\nimage-interval: 500\r\n' +
      `content-length: 7\r\n\r\npicture\r\n--${stream.boundary}\r\n`
  )
})

test('a handle ID that is not open, or belongs to another session, is refused with 16', () => {
  const { feed, open, subscriptionCount } = createTestFeed()
  const { handle } = open('one')
  for (const [owner, id] of [
    ['two', handle],
    ['one', 'nonsense'],
    ['one', `${handle}x`]
  ] as const) {
    assert.equal(feed.setup(owner, { id, add: ['A'] }), 16)
    assert.equal(feed.clear(owner, id), 16)
  }
  assert.equal(subscriptionCount('A'), 0)
  assert.equal(feed.setup('one', { id: handle, add: ['A'] }), 0)
  assert.equal(feed.clear('one', handle), 0)
  assert.equal(feed.setup('one', { id: handle, add: ['A'] }), 16)
})

test('IDs that the session has no access to are ignored, and so are IDs that would break a header', () => {
  const { feed, open, subscriptionCount } = createTestFeed((owner, id) => owner === 'one' && id !== 'secret')
  const { handle } = open('one')
  assert.equal(feed.setup('one', { id: handle, add: ['A', 'secret', 'a\r\nimage-id: A'] }), 0)
  assert.deepEqual(
    [subscriptionCount('A'), subscriptionCount('secret'), subscriptionCount('a\r\nimage-id: A')],
    [1, 0, 0]
  )
})

test('an ID as a number is the same as its text', async () => {
  const { feed, open, send, subscriptionCount } = createTestFeed()
  const stream = open()
  const { next, nextImage } = readStream(stream)
  await next()
  feed.setup('session', { id: stream.handle, add: [7, '7'] })
  send('7', 'seven')
  assert.equal(await nextImage(), '7 seven')
  feed.setup('session', { id: stream.handle, del: [7] })
  assert.equal(subscriptionCount('7'), 0)
})

test('one upstream subscription serves all browsers, and ends with the last of them', async () => {
  const { feed, open, send, subscriptionCount } = createTestFeed()
  const streams = [open('one'), open('one'), open('two')]
  const readers = streams.map(readStream)
  await Promise.all(readers.map((each) => each.next()))
  for (const [i, owner] of ['one', 'one', 'two'].entries())
    feed.setup(owner, { id: streams[i]?.handle ?? '', add: ['A', 'A'] })
  assert.equal(subscriptionCount('A'), 1)
  send('A', 'picture')
  for (const reader of readers) assert.equal(await reader.nextImage(), 'A picture')
  feed.setup('one', { id: streams[0]?.handle ?? '', del: ['A'] })
  await readers[1]?.cancel()
  assert.equal(subscriptionCount('A'), 1)
  feed.closeOwner('two')
  assert.equal(subscriptionCount('A'), 0)
})

test('a new stream gets the newest image at once, unless it is too old', async () => {
  const { feed, open, send, time } = createTestFeed()
  feed.setup('session', { id: open().handle, add: ['A'] })
  send('A', 'old')
  send('A', 'new')
  const second = open()
  const { next, nextImage } = readStream(second)
  await next()
  feed.setup('session', { id: second.handle, add: ['A'] })
  assert.equal(await nextImage(), 'A new')

  time.now += 60_000
  const third = open()
  const lateReader = readStream(third)
  await lateReader.next()
  feed.setup('session', { id: third.handle, add: ['A'] })
  const pendingImage = lateReader.nextImage()
  send('A', 'newest')
  assert.equal(await pendingImage, 'A newest')
})

test('a slow reader gets the newest image of each ID in turn, and none older', async () => {
  const { feed, open, send } = createTestFeed()
  const stream = open()
  const each = readStream(stream)
  await each.next()
  const ids = ['A', 'B', 'C']
  feed.setup('session', { id: stream.handle, add: ids })
  const images: string[] = []
  for (let round = 0; round < 4; round++) {
    // A sends far more than the others.
    for (let i = 0; i < 500; i++) send('A', `${round}.${i}`)
    for (const id of ['B', 'C']) send(id, `${round}`)
    for (let i = 0; i < 3; i++) {
      images.push(await each.nextImage())
      send('A', `${round} while reading`)
    }
  }
  assert.deepEqual(images.slice(0, 6), ['A 0.499', 'B 0', 'C 0', 'A 1.499', 'B 1', 'C 1'])
  assert.equal(images.length, 12)
  const count = (id: string) => images.filter((text) => text.startsWith(id)).length
  assert.deepEqual(ids.map(count), [4, 4, 4])
})

test('a stream that is not read holds one image of each ID, however many are sent', async () => {
  setFlagsFromString('--expose-gc')
  const { feed, open, sendBytes } = createTestFeed()
  const stream = open()
  feed.setup('session', { id: stream.handle, add: ['A'] })
  const imageRefs = Array.from({ length: 200 }, () => {
    const image = new Uint8Array(1 << 18)
    sendBytes('A', image)
    return new WeakRef(image)
  })
  // Weak references keep their targets until the end of the current job.
  await new Promise((resolve) => setImmediate(resolve))
  runInNewContext('gc')()
  assert.equal(imageRefs.filter((image) => image.deref()).length, 1)
  await stream.body.cancel()
})

test('a removed ID is not sent anymore, even if an image is queued', async () => {
  const { feed, open, send } = createTestFeed()
  const stream = open()
  const each = readStream(stream)
  await each.next()
  feed.setup('session', { id: stream.handle, add: ['A', 'B'] })
  send('A', 'waiting')
  feed.setup('session', { id: stream.handle, del: ['A'] })
  const pendingImage = each.nextImage()
  send('A', 'more')
  send('B', 'picture')
  assert.equal(await pendingImage, 'B picture')
})

test('a browser that disconnects ends its subscriptions', async () => {
  const { feed, open, subscriptionCount } = createTestFeed()
  const stream = open()
  const each = readStream(stream)
  await each.next()
  feed.setup('session', { id: stream.handle, add: ['A', 'B'] })
  const reading = each.next()
  await each.cancel()
  assert.equal(await reading, undefined)
  assert.deepEqual([subscriptionCount('A'), subscriptionCount('B')], [0, 0])
  assert.equal(feed.setup('session', { id: stream.handle, add: ['A'] }), 16)
})

test('clear, closeOwner and close end the stream cleanly', async () => {
  for (const method of ['clear', 'closeOwner', 'close'] as const) {
    const { feed, open, subscriptionCount, send } = createTestFeed()
    const stream = open()
    const each = readStream(stream)
    await each.next()
    feed.setup('session', { id: stream.handle, add: ['A'] })
    const reading = each.next()
    if (method === 'clear') feed.clear('session', stream.handle)
    else feed[method]('session')
    assert.equal(await reading, undefined)
    assert.equal(subscriptionCount('A'), 0)
    send('A', 'nobody')
  }
})

test('recheckAccess closes the streams of ended sessions, and removes IDs that are no longer allowed', async () => {
  const hidden = new Set<string>()
  const { feed, open, send, subscriptionCount } = createTestFeed((_owner, id) => !hidden.has(id))
  const [firstStream, secondStream] = [open('one'), open('two')]
  const [first, second] = [readStream(firstStream), readStream(secondStream)]
  await Promise.all([first.next(), second.next()])
  for (const [owner, { handle }] of [
    ['one', firstStream],
    ['two', secondStream]
  ] as const)
    feed.setup(owner, { id: handle, add: ['A', 'B'] })
  hidden.add('B')
  feed.recheckAccess((owner) => owner === 'one')
  assert.equal(await second.next(), undefined)
  send('B', 'secret')
  send('A', 'picture')
  assert.equal(await first.nextImage(), 'A picture')
  assert.deepEqual([subscriptionCount('A'), subscriptionCount('B')], [1, 0])
})

test('beyond 8 streams of a session its oldest is closed, and no stream of another session', async () => {
  const { feed, open } = createTestFeed()
  const other = open('other')
  const streams = Array.from({ length: STREAMS_PER_OWNER + 1 }, () => open())
  const results = streams.map(({ handle }) => feed.setup('session', { id: handle, add: ['A'] }))
  assert.deepEqual(results, [16, ...Array.from({ length: STREAMS_PER_OWNER }, () => 0)])
  assert.equal(feed.setup('other', { id: other.handle, add: ['A'] }), 0)
})

test('beyond 1000 IDs a setup is refused with 17 and changes nothing', () => {
  const { feed, open, subscriptionCount } = createTestFeed()
  const { handle: id } = open()
  const ids = Array.from({ length: IDS_PER_STREAM }, (_, i) => `DEV-${i}`)
  assert.equal(feed.setup('session', { id, add: ids }), 0)
  assert.equal(feed.setup('session', { id, add: ids.slice(0, 10) }), 0)
  assert.equal(feed.setup('session', { id, add: ['X', 'Y'], del: ['DEV-0'] }), 17)
  assert.deepEqual([subscriptionCount('X'), subscriptionCount('DEV-0')], [0, 1])
  assert.equal(feed.setup('session', { id, add: ['X'], del: ['DEV-0'] }), 0)
  assert.deepEqual([subscriptionCount('X'), subscriptionCount('DEV-0')], [1, 0])
})

test('images of any size and content are parsed unchanged by the console', async () => {
  const { feed, open, send } = createTestFeed()
  const stream = open()
  const texts = ['', 'x', `\r\n--${stream.boundary}\r\nimage-id: B\r\n\r\n`, 'y'.repeat(3_000_000)]
  const parts: string[] = []
  const abort = new AbortController()
  const reading = readParts(
    stream.body as ReadableStream<Uint8Array<ArrayBuffer>>,
    stream.boundary,
    new PartBuffer(),
    ({ id, type, bytes }) => {
      assert.deepEqual([id, type], ['A', 'image/jpeg'])
      parts.push(Buffer.from(bytes).toString())
      const next = texts[parts.length]
      if (next === undefined) abort.abort()
      else send('A', next)
    },
    abort.signal
  )
  feed.setup('session', { id: stream.handle, add: ['A'] })
  send('A', texts[0] as string)
  await reading
  assert.deepEqual(parts, texts)
})

/** Lets the stream pass on what it may. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('a reader that acknowledges gets a few images ahead, then the newest of those queued', async () => {
  const { feed, sendBytes } = createTestFeed()
  const response = feed.open('session', { seen: 1 })
  const head = readStreamHead(response.headers)
  assert.ok(head?.handle && response.body)
  const { next } = readStream({ body: response.body })
  await next()
  feed.setup('session', { id: head.handle, add: ['A'] })
  const readNumber = async () => /\r\n\r\n(\d+) /.exec((await next()) ?? '')?.[1]
  const send = (number: number) => sendBytes('A', Buffer.alloc(5000, ' ').fill(`${number} `, 0, 4))
  for (let number = 1000; number < 1003; number++) {
    send(number)
    assert.equal(await readNumber(), String(number))
  }
  let received: string | undefined
  const waiting = readNumber().then((number) => {
    received = number
  })
  for (let number = 1003; number < 1006; number++) send(number)
  await settle()
  assert.equal(received, undefined, 'the window is full')
  feed.acknowledge('another', head.handle, 3)
  feed.acknowledge('session', 'nonsense', 3)
  await settle()
  assert.equal(received, undefined, 'acknowledgements of other sessions are ignored')
  feed.acknowledge('session', head.handle, 1)
  await waiting
  assert.equal(received, '1005')
  feed.close()
})

test('streams that save data share a separate subscription for smaller images', () => {
  const subscriptions: boolean[] = []
  const feed = new PreviewFeed({
    subscribe(_id, _onImage, saveData) {
      subscriptions.push(saveData)
      return () => {}
    }
  })
  for (const options of [{}, { save: 1 }, { save: 0, seen: 1 }, { save: 1, seen: 1 }]) {
    const head = readStreamHead(feed.open('session', options).headers)
    feed.setup('session', { id: head?.handle ?? '', add: ['A'] })
  }
  assert.deepEqual(subscriptions, [false, true])
  feed.close()
})

test('the console shows images of devices, and reconnects after the feed was closed', async () => {
  const { feed, send, subscriptionCount } = createTestFeed()
  Object.assign(globalThis, { document: Object.assign(new EventTarget(), { hidden: false }) })
  const previews = createPreviews({
    open: async () => feed.open('session'),
    setup: async (request) => ({ result: feed.setup('session', request) }),
    clear: async (id) => feed.clear('session', id)
  })
  const shownPreviews: PreviewItem[] = []
  previews.start()
  const leave = previews.subscribe('DEV-1', (item) => item && shownPreviews.push(item))
  await until(() => subscriptionCount('DEV-1') === 1, 'the subscription')
  send('DEV-1', 'one')
  await until(() => shownPreviews.length === 1, 'the first image')

  feed.close()
  assert.equal(subscriptionCount('DEV-1'), 0)
  // It reconnects after 3 s.
  await until(() => subscriptionCount('DEV-1') === 1, 'the subscription')
  send('DEV-1', 'two')
  await until(() => shownPreviews.length === 2, 'the second image')
  assert.deepEqual(await Promise.all(shownPreviews.map(({ blob }) => blob.text())), ['one', 'two'])
  leave()
  await until(() => subscriptionCount('DEV-1') === 0, 'the subscription ends')
  previews.stop()
  Reflect.deleteProperty(globalThis, 'document')
})

test.run()
