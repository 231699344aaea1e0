import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createTestFeed, readStream } from '../../kit/hub/preview-feed.ts'

const test = suite('preview timing')

/** Age and interval of the next image, in milliseconds. */
async function nextTiming({ next }: ReturnType<typeof readStream>): Promise<number[]> {
  const [, age, interval] = /\r\nimage-age: (\d+)\r\nimage-interval: (\d+)\r\n/.exec((await next()) ?? '') ?? []
  return [Number(age), Number(interval)]
}

test('the interval of a source that sends rarely is announced, and one interruption does not count', async () => {
  const { feed, open, send, time } = createTestFeed()
  const stream = open()
  const reader = readStream(stream)
  await reader.next()
  feed.setup('session', { id: stream.handle, add: ['A'] })
  const timings: number[] = []
  for (const distance of [0, 10_000, 10_000, 60_000, 10_000, 10_000]) {
    time.now += distance
    send('A', 'picture')
    const [age, interval = 0] = await nextTiming(reader)
    assert.equal(age, 0)
    timings.push(interval)
  }
  assert.deepEqual(timings, [500, 10_000, 10_000, 10_000, 10_000, 10_000])
})

test('a console that opens a preview between two images gets the last one with its age', async () => {
  const { feed, open, send, time } = createTestFeed()
  feed.setup('session', { id: open().handle, add: ['A'] })
  send('A', 'picture')
  time.now += 10_000
  send('A', 'picture')
  time.now += 9000
  const stream = open()
  const reader = readStream(stream)
  await reader.next()
  feed.setup('session', { id: stream.handle, add: ['A'] })
  assert.deepEqual(await nextTiming(reader), [9000, 10_000])
})

test('the interval of a connection that takes few images is announced', async () => {
  const { feed, open, send, time } = createTestFeed()
  const stream = open()
  const reader = readStream(stream)
  await reader.next()
  feed.setup('session', { id: stream.handle, add: ['A'] })
  let interval: number | undefined
  for (let count = 0; count < 3; count++) {
    for (let image = 0; image < 8; image++) {
      send('A', 'picture')
      time.now += 500
    }
    interval = (await nextTiming(reader))[1]
  }
  assert.equal(interval, 4000)
})

test.run()
