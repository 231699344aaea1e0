// The places for pages that play channels: which page gives way, and which is refused.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { TOO_MANY } from '../../../contract/codes.ts'
import { WATCHERS_MAX, WATCHERS_PER_USER_MAX } from '../../../contract/limits.ts'
import { WatchFeed } from '../../../hub/preview/watch-feed.ts'

const test = suite('places for playing channels')
const CHANNEL = 7
let feed: WatchFeed
/** Pages, as `user/page`, whose stream the feed has ended. */
let ended: string[]
let opening = ''

test.before.each(() => {
  ended = []
  feed = new WatchFeed({
    engine: {
      watchChannel(_id, signal) {
        const page = opening
        signal.addEventListener('abort', () => ended.push(page))
        return Promise.resolve(new Response(new ReadableStream(), { headers: { 'content-type': 'video/mp4' } }))
      }
    },
    createAccessCheck: () => () => true,
    onChange() {}
  })
})

/** @returns 200 or a result code */
async function open(user: number, page: number): Promise<number> {
  opening = `${user}/${page}`
  const reply = await feed.open({ owner: `session ${user}`, user, page }, CHANNEL)
  return typeof reply === 'number' ? reply : reply.status
}

async function fill(): Promise<void> {
  for (let user = 1; user <= WATCHERS_MAX / WATCHERS_PER_USER_MAX; user++)
    for (let page = 1; page <= WATCHERS_PER_USER_MAX; page++) assert.equal(await open(user, page), 200)
}

test('one user holds four places however many pages are opened', async () => {
  for (let page = 1; page <= WATCHERS_MAX; page++) assert.equal(await open(1, page), 200)
  assert.equal(feed.count(CHANNEL), WATCHERS_PER_USER_MAX)
  assert.deepEqual(ended.slice(0, 2), ['1/1', '1/2'], 'the oldest gives way')
  for (let user = 2; user <= WATCHERS_MAX - 3; user++) assert.equal(await open(user, 1), 200, `user ${user}`)
  assert.equal(feed.count(CHANNEL), WATCHERS_MAX)
})

test('pages that gave way do not take the place of others in turns', async () => {
  for (let page = 1; page <= 6; page++) await open(1, page)
  assert.deepEqual([await open(1, 1), await open(1, 2)], [TOO_MANY, TOO_MANY])
  assert.equal(ended.length, 2)
  assert.equal(feed.limitFor(1), WATCHERS_PER_USER_MAX)
})

test('when all places are in use, a user with the most gives one to another', async () => {
  await fill()
  assert.deepEqual([await open(99, 1), await open(99, 2), await open(99, 3)], [200, 200, 200])
  assert.equal(feed.count(CHANNEL), WATCHERS_MAX)
  assert.deepEqual(ended, ['1/1', '2/1', '3/1'])
  assert.equal(await open(1, 1), TOO_MANY, 'each has about as many')
  assert.equal(feed.limitFor(1), WATCHERS_MAX)
})

test('each of as many users as there are places plays one channel, and a further one is refused', async () => {
  await fill()
  for (let user = 100; user < 100 + WATCHERS_MAX; user++) assert.equal(await open(user, 1), user < 124 ? 200 : TOO_MANY)
})

test.run()
