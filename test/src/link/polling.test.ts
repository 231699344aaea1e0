import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { PACE } from '../../../contract/limits.ts'
import { NO_CONNECTION, REQUEST_TIMED_OUT } from '../../../src/link/failure.ts'
import { type Pace, poll } from '../../../src/link/polling.ts'
import { openDocument } from '../../kit/document.ts'

const test = suite('pace')

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

/** Lets what was promised happen. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms)
  await settle()
}

function show(visible: boolean): void {
  hidden = !visible
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Polls with the given results in turn, the last one for ever. @returns the times of the looks */
function looks(pace: Pace, ...results: number[]): number[] {
  const start = Date.now()
  const times: number[] = []
  stop = poll(pace, async () => {
    times.push(Date.now() - start)
    return results[times.length - 1] ?? results.at(-1) ?? 0
  })
  return times
}

test('looks at once, and again at each pace of the specification', async () => {
  assert.deepEqual(PACE, {
    slowest: 5000,
    slower: 2000,
    slow: 1100,
    normal: 1000,
    fast: 500,
    faster: 300,
    fastest: 100
  })
  for (const [pace, ms] of Object.entries(PACE)) {
    const times = looks(pace as Pace, 0)
    await settle()
    for (let round = 0; round < 3; round++) {
      await pass(ms - 1)
      await pass(1)
    }
    assert.deepEqual(times, [0, ms, 2 * ms, 3 * ms], pace)
    stop()
  }
})

test('never looks while it still looks', async () => {
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
  await pass(10_000)
  show(false)
  show(true)
  await pass(10_000)
  assert.equal(most, 1)
  finish(0)
  await settle()
  assert.equal(looking, 0, 'the pace counts from the end')
  await pass(100)
  assert.equal(looking, 1)
})

test('waits double while the hub is not heard, up to the slowest pace, and are short again after a word', async () => {
  const times = looks('normal', NO_CONNECTION, REQUEST_TIMED_OUT, NO_CONNECTION, NO_CONNECTION, 0, 0)
  await settle()
  for (let second = 0; second < 40; second++) await pass(500)
  assert.deepEqual(times.slice(0, 7), [0, 2000, 6000, 11_000, 16_000, 17_000, 18_000])
})

test('where answers take long it asks rarely, and one that stalled alone changes nothing', async () => {
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
    for (let step = 0; step < 400; step++) await pass(100)
    // 0; after the stall, as ever; 400 ms twice: ten times that; 2 s twice: the slowest pace.
    assert.deepEqual(times.slice(0, 7), [0, 2000, 6000, 8000, 10_400, 14_800, 20_800])
    assert.equal(times[7], 27_800)
  } finally {
    clock.mock.restore()
  }
})

test('a refusal of the hub is a word and slows nothing down', async () => {
  const times = looks('normal', 31, 6, 1001)
  await settle()
  for (let second = 0; second < 3; second++) await pass(1000)
  assert.deepEqual(times, [0, 1000, 2000, 3000])
})

test('rests while the tab is hidden and looks at once on return', async () => {
  const times = looks('normal', 0)
  await settle()
  await pass(400)
  show(false)
  await pass(60_000)
  assert.deepEqual(times, [0])
  show(true)
  await settle()
  await pass(1000)
  assert.deepEqual(times, [0, 60_400, 61_400])
})

test('begun in a hidden tab it waits for the tab', async () => {
  hidden = true
  const times = looks('normal', 0)
  await pass(5000)
  assert.deepEqual(times, [])
  show(true)
  await settle()
  assert.deepEqual(times, [5000])
})

test('stopping ends the look under way and everything after', async () => {
  let signal: AbortSignal | undefined
  let count = 0
  stop = poll('fastest', (its) => {
    signal = its
    count++
    return new Promise((_, reject) => its.addEventListener('abort', () => reject(its.reason)))
  })
  stop()
  assert.equal(signal?.aborted, true)
  await pass(10_000)
  show(false)
  show(true)
  await pass(10_000)
  assert.equal(count, 1)
})

test.run()
