import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { REFRESH_INTERVAL } from '../../../contract/limits.ts'
import { NO_CONNECTION, REQUEST_TIMED_OUT } from '../../../src/link/failure.ts'
import { type Pace, poll } from '../../../src/link/polling.ts'
import { openDocument } from '../../kit/runner/document.ts'

const test = suite('polling')

test.after(openDocument())

let stop = () => {}
let hidden = false

test.before.each(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  hidden = false
  Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true })
})
test.after.each(() => {
  stop()
  mock.timers.reset()
  Reflect.deleteProperty(document, 'hidden')
})

/** Lets pending promises settle. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

async function advance(ms: number): Promise<void> {
  mock.timers.tick(ms)
  await settle()
}

function setVisible(visible: boolean): void {
  hidden = !visible
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Polls with the given results in turn, the last one repeatedly. @returns the times of the requests */
function recordRequests(pace: Pace, ...results: number[]): number[] {
  const start = Date.now()
  const times: number[] = []
  stop = poll(pace, async () => {
    times.push(Date.now() - start)
    return results[times.length - 1] ?? results.at(-1) ?? 0
  })
  return times
}

test('requests at once, and again after each refresh interval', async () => {
  assert.deepEqual(REFRESH_INTERVAL, {
    rare: 60_000,
    slowest: 5000,
    slower: 2000,
    slow: 1100,
    normal: 1000,
    fast: 500,
    faster: 300,
    fastest: 100
  })
  for (const [pace, ms] of Object.entries(REFRESH_INTERVAL)) {
    const times = recordRequests(pace as Pace, 0)
    await settle()
    for (let round = 0; round < 3; round++) {
      await advance(ms - 1)
      await advance(1)
    }
    assert.deepEqual(times, [0, ms, 2 * ms, 3 * ms], pace)
    stop()
  }
})

test('requests never overlap', async () => {
  let looking = 0
  let finish = (_: number) => {}
  let most = 0
  stop = poll('fastest', () => {
    most = Math.max(most, ++looking)
    return new Promise<number>((resolve) => {
      finish = (result) => {
        looking--
        resolve(result)
      }
    })
  })
  await advance(10_000)
  setVisible(false)
  setVisible(true)
  await advance(10_000)
  assert.equal(most, 1)
  finish(0)
  await settle()
  assert.equal(looking, 0, 'the interval counts from the end of a request')
  await advance(100)
  assert.equal(looking, 1)
})

test('waits double while the hub is unreachable, up to the slowest interval, and are reset by a response', async () => {
  const times = recordRequests('normal', NO_CONNECTION, REQUEST_TIMED_OUT, NO_CONNECTION, NO_CONNECTION, 0, 0)
  await settle()
  for (let second = 0; second < 40; second++) await advance(500)
  assert.deepEqual(times.slice(0, 7), [0, 2000, 6000, 11_000, 16_000, 17_000, 18_000])
})

test('slow responses lengthen the waits, and a single slow one does not', async () => {
  const clock = mock.method(performance, 'now', () => Date.now())
  try {
    const start = Date.now()
    const times: number[] = []
    const takes = [0, 2000, 0, 400, 400, 2000, 2000]
    stop = poll('slower', async () => {
      const turn = times.push(Date.now() - start) - 1
      const ms = takes[turn]
      if (ms) await new Promise((resolve) => setTimeout(resolve, ms))
      return 0
    })
    await settle()
    for (let step = 0; step < 400; step++) await advance(100)
    // 0; after a single stall unchanged; after 400 ms twice ten times that; after 2 s twice the slowest interval.
    assert.deepEqual(times.slice(0, 7), [0, 2000, 6000, 8000, 10_400, 14_800, 20_800])
    assert.equal(times[7], 27_800)
  } finally {
    clock.mock.restore()
  }
})

test('a response with an error code does not lengthen the waits', async () => {
  const times = recordRequests('normal', 31, 6, 1001)
  await settle()
  for (let second = 0; second < 3; second++) await advance(1000)
  assert.deepEqual(times, [0, 1000, 2000, 3000])
})

test('pauses while the tab is hidden and requests at once when it is visible', async () => {
  const times = recordRequests('normal', 0)
  await settle()
  await advance(400)
  setVisible(false)
  await advance(60_000)
  assert.deepEqual(times, [0])
  setVisible(true)
  await settle()
  await advance(1000)
  assert.deepEqual(times, [0, 60_400, 61_400])
})

test('started in a hidden tab it waits until the tab is visible', async () => {
  hidden = true
  const times = recordRequests('normal', 0)
  await advance(5000)
  assert.deepEqual(times, [])
  setVisible(true)
  await settle()
  assert.deepEqual(times, [5000])
})

test('stopping aborts the running request and all further ones', async () => {
  let signal: AbortSignal | undefined
  let count = 0
  stop = poll('fastest', (its) => {
    signal = its
    count++
    return new Promise((_, reject) => its.addEventListener('abort', () => reject(its.reason)))
  })
  stop()
  assert.equal(signal?.aborted, true)
  await advance(10_000)
  setVisible(false)
  setVisible(true)
  await advance(10_000)
  assert.equal(count, 1)
})

test.run()
