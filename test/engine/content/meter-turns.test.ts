// Which processes that measure content run while there is not enough memory or processor for all of them.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { MeterTurns } from '../../../engine/content/meter-turns.ts'

const test = suite('turns of content checks')

/** Milliseconds between two ticks. */
const TICK = 500
const GIB = 1 << 30

/** @returns the running members after each tick, as text */
function createTurns(memberCount: number, options: { memoryBytes?: number; wait?: () => number } = {}) {
  const turns = new MeterTurns({
    processorWait: options.wait ?? (() => 0),
    memoryBytes: options.memoryBytes ?? 8 * GIB
  })
  const running = new Set<number>()
  const seen = new Map<number, number>()
  for (let index = 0; index < memberCount; index++)
    turns.add({
      setRunning(isRunning) {
        if (isRunning) running.add(index)
        else running.delete(index)
      }
    })
  return {
    turns,
    running,
    /** Ticks of each member in which it ran. */
    seen,
    run(from: number, to: number): number {
      let most = 0
      for (let now = from; now < to; now += TICK) {
        turns.tick(now)
        most = Math.max(most, running.size)
        for (const index of running) seen.set(index, (seen.get(index) ?? 0) + 1)
      }
      return most
    }
  }
}

test('all run at once while there is enough of everything', () => {
  const { turns, running, run } = createTurns(60)
  run(0, TICK)
  assert.equal(running.size, 60)
  assert.equal(turns.isInTurns(), false)
})

test('a quarter of the memory is the limit, and all have turns of the same length', () => {
  // 256 MiB of 1 GiB, 32 MiB for each.
  const { turns, seen, run } = createTurns(20, { memoryBytes: GIB })
  assert.equal(run(0, 300_000), 8)
  assert.equal(turns.isInTurns(), true)
  assert.equal(seen.size, 20)
  const ticks = [...seen.values()]
  assert.ok(Math.max(...ticks) - Math.min(...ticks) <= 24, `a turn of difference at most: ${ticks}`)
})

test('a hundred run at most', () => {
  assert.equal(createTurns(150, { memoryBytes: 256 * GIB }).run(0, TICK), 100)
})

test('a quarter of them runs while the processor is short, and all of them afterwards', () => {
  let wait = 0
  const { turns, running, run } = createTurns(40, { wait: () => wait })
  run(0, TICK)
  wait = 0.5
  run(TICK, 2 * TICK)
  assert.equal(running.size, 10)
  assert.equal(turns.isInTurns(), true)
  wait = 0.3
  run(2 * TICK, 3 * TICK)
  assert.equal(running.size, 10, 'it is still short')
  wait = 0.29
  run(3 * TICK, 4 * TICK)
  assert.equal(running.size, 40)
  assert.equal(turns.isInTurns(), false)
})

test('four run in any case', () => {
  const { turns, running, run } = createTurns(4, { wait: () => 1 })
  run(0, TICK)
  assert.equal(running.size, 4)
  assert.equal(turns.isInTurns(), false)
})

test.run()
