import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { type CheckSchedule, DailyCheck } from '../../../hub/online/daily-check.ts'
import { StorageFaultError } from '../../../hub/storage-fault/storage-fault.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.parse('2026-03-01T12:00:00.000Z')

const test = suite('daily check')

/** A check at noon of the clock of the test. */
function startCheck(stored: CheckSchedule | null = null, random = () => 0.5) {
  const state = { now: START, stored, checks: [] as number[], work: async () => {}, fault: undefined as unknown }
  const check = new DailyCheck({
    now: () => state.now,
    random,
    read: () => state.stored,
    write(schedule) {
      if (state.fault) throw state.fault
      state.stored = schedule
    },
    check() {
      state.checks.push(state.now)
      return state.work()
    }
  })
  return {
    state,
    /** Lets time pass, with a tick each minute. */
    async pass(milliseconds: number) {
      for (const end = state.now + milliseconds; state.now < end; ) {
        state.now += MINUTE
        check.tick()
        await Promise.resolve()
      }
    },
    tick: () => check.tick()
  }
}

/** Lets the promises of a check settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a check runs once a day at one random minute, and not at once', async () => {
  for (const [random, minute] of [
    [0, 0],
    [0.99999, 1439]
  ] as const) {
    const { state, pass } = startCheck(null, () => random)
    await pass(3 * DAY)
    assert.equal(state.stored?.minute, minute)
    assert.equal(state.checks.length, 3)
    for (const time of state.checks) assert.equal(Math.floor((time % DAY) / MINUTE), minute)
  }
})

test('the minute stays over restarts, and a check that was missed is made at the next start', async () => {
  const stored = { minute: 60, last: START - 3 * DAY }
  const { state, pass } = startCheck(stored, () => assert.fail())
  await pass(2 * MINUTE)
  assert.deepEqual(state.checks, [START + MINUTE])
  assert.deepEqual(state.stored, { minute: 60, last: START + MINUTE })
  await pass(DAY)
  assert.deepEqual(state.checks[1], START + 13 * HOUR)
})

test('a check is not made twice after a restart on the same day', async () => {
  const { state, pass } = startCheck({ minute: 60, last: START - 11 * HOUR })
  await pass(12 * HOUR)
  assert.deepEqual(state.checks, [])
})

test('a check is made again after the clock was set back', async () => {
  const { state, pass } = startCheck({ minute: 60, last: START + 400 * DAY })
  await pass(2 * MINUTE)
  assert.equal(state.checks.length, 1)
})

test('a check that fails or still runs does not stop the next ones', async () => {
  const { state, pass } = startCheck({ minute: 0, last: START - DAY })
  state.work = () => Promise.reject(new Error('no network'))
  await pass(MINUTE)
  await settle()
  const { promise, resolve } = Promise.withResolvers<void>()
  state.work = () => promise
  await pass(3 * DAY)
  assert.equal(state.checks.length, 2)
  resolve()
  await settle()
  await pass(MINUTE)
  assert.equal(state.checks.length, 3)
})

test('a check that cannot be recorded because the disk is full is not made', async () => {
  const { state, pass } = startCheck({ minute: 0, last: START - DAY })
  state.fault = new StorageFaultError('full')
  await pass(5 * MINUTE)
  assert.deepEqual(state.checks, [])
  state.fault = undefined
  await pass(5 * MINUTE)
  assert.equal(state.checks.length, 1)
})

test.run()
