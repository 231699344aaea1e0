import assert from 'node:assert/strict'
import { resolveObjectURL } from 'node:buffer'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import { BATCH_DELAY, type PreviewItem } from '../../../src/preview/previews.ts'
import { BOUNDARY, bytesOf, noise, partOf } from '../../kit/preview/multipart.ts'
import { type Items, recordItems, restorePlatform, settle, setUp } from './fake-hub.ts'

const test = suite('previews')

test.after.each(restorePlatform)

test('subscriptions at the same time become one call', async () => {
  const { clock, previews, streams, setups } = setUp()
  previews.start()
  const leave = previews.subscribe('A', () => {})
  previews.subscribe('B', () => {})
  await clock.pass(BATCH_DELAY)
  assert.deepEqual(setups, [{ id: 'h1', add: ['A', 'B'] }])
  leave()
  previews.subscribe('C', () => {})
  previews.subscribe('D', () => {})()
  await clock.pass(BATCH_DELAY)
  assert.deepEqual(setups.slice(1), [{ id: 'h1', add: ['C'], del: ['A'] }])
  assert.equal(streams.length, 1)
})

test('subscriptions during a call are sent with the next one', async () => {
  const { clock, previews, setups, hub } = setUp()
  const gate = Promise.withResolvers<void>()
  hub.gate = gate.promise
  previews.start()
  previews.subscribe('A', () => {})
  await clock.pass(BATCH_DELAY)
  for (const id of ['B', 'C']) {
    previews.subscribe(id, () => {})
    await clock.pass(BATCH_DELAY)
  }
  assert.equal(setups.length, 1)
  gate.resolve()
  await clock.pass(0)
  assert.deepEqual(setups.slice(1), [{ id: 'h1', add: ['B', 'C'] }])
})

test('an image reaches all of its subscribers, with its type, bytes, URL and time', async () => {
  const { clock, previews, streams } = setUp()
  const [one, two, other] = [recordItems(), recordItems(), recordItems()]
  previews.start()
  previews.subscribe('A', one.take)
  previews.subscribe('A', two.take)
  previews.subscribe('B', other.take)
  await clock.pass(BATCH_DELAY)
  streams[0]?.send(partOf('A', 'image'), partOf('nobody', 'x'))
  await clock.pass(0)
  const [item] = one.items as PreviewItem[]
  assert.equal(item?.id, 'A')
  assert.equal(item?.contentType, 'image/jpeg')
  assert.equal(item?.createTime, clock.now())
  assert.equal(await item?.blob.text(), 'image')
  assert.equal(await resolveObjectURL(item?.url ?? '')?.text(), 'image')
  assert.deepEqual(two.items, one.items)
  assert.deepEqual(other.items, [])
  const late = recordItems()
  previews.subscribe('A', late.take)
  assert.deepEqual(late.items, one.items, 'a later subscription gets the last image at once')
})

test('empty parts and parts that are not images are not shown', async () => {
  const { clock, previews, streams } = setUp()
  const { items, take } = recordItems()
  previews.start()
  previews.subscribe('A', take)
  await clock.pass(BATCH_DELAY)
  for (const type of ['text/html', 'image/svg+xml', 'IMAGE/SVG+XML'])
    streams[0]?.send(
      bytesOf(`--${BOUNDARY}\r\nimage-id: A\r\ncontent-type: ${type}\r\ncontent-length: 4\r\n\r\n<a/>\r\n`)
    )
  streams[0]?.send(partOf('A', ''))
  await clock.pass(0)
  assert.deepEqual(items, [])
})

test('an id is registered once and removed with its last subscription', async () => {
  const { clock, previews, setups } = setUp()
  const same = () => {}
  previews.start()
  previews.subscribe('B', () => {})
  const leave = [previews.subscribe('A', same), previews.subscribe('A', same)]
  await clock.pass(BATCH_DELAY)
  leave[0]?.()
  leave[0]?.()
  await clock.pass(BATCH_DELAY)
  assert.deepEqual(setups, [{ id: 'h1', add: ['B', 'A'] }])
  leave[1]?.()
  await clock.pass(BATCH_DELAY)
  assert.deepEqual(setups[1], { id: 'h1', del: ['A'] })
})

test('ending a subscription and subscribing again at once changes nothing', async () => {
  const { clock, previews, setups, streams } = setUp()
  const { items, take } = recordItems()
  previews.start()
  const leave = previews.subscribe('A', () => {})
  await clock.pass(BATCH_DELAY)
  streams[0]?.send(partOf('A', 'image'))
  await clock.pass(0)
  leave()
  previews.subscribe('A', take)
  await clock.pass(BATCH_DELAY)
  assert.equal(setups.length, 1)
  assert.equal(items.length, 1)
  assert.ok(resolveObjectURL(items[0]?.url ?? ''))
})

test('URLs are revoked when replaced, with the last subscription, and when images are removed', async () => {
  const { clock, previews, streams } = setUp()
  const [a, b] = [recordItems(), recordItems()]
  previews.start()
  const leave = previews.subscribe('A', a.take)
  previews.subscribe('B', b.take)
  await clock.pass(BATCH_DELAY)
  streams[0]?.send(partOf('A', 'one'), partOf('A', 'two'), partOf('B', 'three'))
  await clock.pass(0)
  const live = (items: Items) => items.map((item) => item !== undefined && resolveObjectURL(item.url) !== undefined)
  assert.deepEqual(live(a.items), [false, true])
  leave()
  await clock.pass(BATCH_DELAY)
  assert.deepEqual(live(a.items), [false, false])
  previews.clear()
  assert.deepEqual(live(b.items), [false, false])
  assert.equal(b.items.at(-1), undefined, 'the subscribers are notified')
  const late = recordItems()
  previews.subscribe('B', late.take)
  assert.deepEqual(late.items, [])
})

test('memory stays constant over 10,000 images', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { clock, previews, streams } = setUp()
  const live = new Set<string>()
  let imageCount = 0
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
    for (let id = 0; id < 20; id++) previews.subscribe(`P${id}`, () => imageCount++)
    await clock.pass(BATCH_DELAY)
    const round = bytesOf(...Array.from({ length: 20 }, (_, id) => partOf(`P${id}`, noise(4000 + id * 400))))
    const show = async (rounds: number) => {
      for (let i = 0; i < rounds; i++) {
        streams[0]?.send(round)
        await settle()
      }
      collect()
      await settle()
      collect()
      const { heapUsed, arrayBuffers, external } = process.memoryUsage()
      return (heapUsed + Math.max(arrayBuffers, external)) / 1e6
    }
    const before = await show(50)
    const after = await show(500)
    assert.equal(imageCount, 11_000)
    assert.equal(live.size, 20)
    assert.ok(after - before < 6, `${before.toFixed(1)} MB before, ${after.toFixed(1)} MB after`)
  } finally {
    Object.assign(URL, { createObjectURL, revokeObjectURL })
    previews.stop()
  }
})

test.run()
