import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createPicturePace } from '../../../hub/preview/pace.ts'

const test = suite('pace of pictures')

const PICTURE = 5000

/** A line of so many bytes a second and milliseconds there and back, and a hub that always has a picture to send. */
function run(rate: number, latency: number, seconds: number, share?: number) {
  let time = 0
  const pace = createPicturePace({ now: () => time, share })
  /** When the last byte sent so far will have passed the line. */
  let free = 0
  const words: { at: number; count: number }[] = []
  let sent = 0
  let arrived = 0
  let queued = 0
  let busy = 0
  for (; time < seconds * 1000; time++) {
    while (words[0] && words[0].at <= time) {
      arrived = words[0].count
      pace.seen(arrived)
      words.shift()
    }
    while (pace.wait(PICTURE) === 0 && sent < arrived + 5000) {
      pace.sent(PICTURE)
      sent++
      free = Math.max(free, time) + (PICTURE / rate) * 1000
      words.push({ at: free + latency, count: sent })
    }
    queued = Math.max(queued, time > 5000 ? free - time : 0)
    if (free > time) busy++
  }
  return { perSecond: arrived / seconds, queued, busy: busy / time }
}

test('on a thin line one picture is under way at a time, and what is asked meanwhile waits for less than it', () => {
  const { perSecond, queued, busy } = run(8000, 400, 60)
  assert.ok(queued <= (PICTURE / 8000) * 1000, `${queued} ms`)
  assert.ok(perSecond > 0.8 && busy > 0.5, `${perSecond} a second`)
})

test('a fast line far away is filled as one nearby is', () => {
  assert.ok(run(1_000_000, 300, 30).perSecond > 120)
  assert.ok(run(1_000_000, 2, 30).perSecond > 120)
})

test('what waits before a line stays below a second, whatever the line', () => {
  for (const rate of [16_000, 64_000, 250_000]) {
    const { queued, busy } = run(rate, 100, 40)
    assert.ok(queued < 1000 && busy > 0.6, `${rate} B/s: ${queued} ms before it, ${busy} in use`)
  }
})

test('to save data pictures take a quarter of the time at most', () => {
  const all = run(8000, 400, 60).perSecond
  const saved = run(8000, 400, 60, 0.25).perSecond
  assert.ok(saved > 0 && saved < all * 0.35, `${saved} of ${all} a second`)
})

test('a word that was lost stops pictures for some seconds, not for ever', () => {
  let time = 0
  const pace = createPicturePace({ now: () => time })
  while (pace.wait(PICTURE) === 0) pace.sent(PICTURE)
  const wait = pace.wait(PICTURE)
  assert.ok(wait > 0 && wait < 10_000)
  time += wait
  assert.equal(pace.wait(PICTURE), 0)
})

test('words that count too much or backwards change nothing', () => {
  const pace = createPicturePace({ now: () => 0 })
  pace.seen(99)
  pace.sent(PICTURE)
  pace.seen(-1)
  pace.seen(Number.NaN)
  for (let count = 1; count < 3; count++) pace.sent(PICTURE)
  assert.ok(pace.wait(PICTURE) > 0)
})

test.run()
