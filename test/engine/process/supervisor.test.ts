import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { CONNECTION, SOURCE } from '../../../contract/stream/protocols.ts'
import { failure } from '../../../engine/process/failure.ts'
import { NotInstalled } from '../../../engine/process/launcher.ts'
import { type Attempt, createSupervisor } from '../../../engine/process/supervisor.ts'

const test = suite('supervisor')

const broken = failure(CONNECTION.disconnected, 'other-end')

/** A supervisor over processes that exist only here, on a clock that moves when told. */
function bench() {
  const tried: Attempt[] = []
  const stopped: number[] = []
  const state = { now: 0, carried: 0, creation: undefined as Error | undefined }
  const supervisor = createSupervisor({
    async begin(attempt) {
      if (state.creation) throw state.creation
      const number = tried.push(attempt)
      return { pid: number, input: undefined, stop: async () => void stopped.push(number) }
    },
    carried: () => state.carried,
    changed() {},
    quiet: async () => {},
    now: () => state.now
  })
  return { supervisor, tried, stopped, state }
}

/** Lets promises settle: mocked timers do not wait for them. */
const settle = async () => {
  for (let step = 0; step < 5; step++) await Promise.resolve()
}
const pass = async (milliseconds: number) => {
  mock.timers.tick(milliseconds)
  await settle()
}

test.before.each(() => mock.timers.enable({ apis: ['setTimeout'] }))
test.after.each(() => mock.timers.reset())

test('a failure is tried again after a growing pause, and no sooner', async () => {
  const { supervisor, tried } = bench()
  supervisor.wake()
  await settle()
  for (const pause of [500, 1000, 2000, 4000, 5000, 5000]) {
    const before = tried.length
    tried.at(-1)?.over(broken)
    assert.equal(supervisor.phase(), 'pausing')
    await pass(pause - 1)
    assert.equal(tried.length, before)
    await pass(1)
    assert.equal(tried.length, before + 1)
    assert.equal(supervisor.phase(), 'running')
  }
})

test('after a good run the pause is short again', async () => {
  const { supervisor, tried, state } = bench()
  supervisor.wake()
  await settle()
  for (const pause of [500, 1000, 2000]) {
    tried.at(-1)?.over(broken)
    await pass(pause)
  }
  state.carried = 10_000
  tried.at(-1)?.over(broken)
  await pass(500)
  assert.equal(tried.length, 5)
})

test('an end that is no failure is followed at once', async () => {
  const { supervisor, tried } = bench()
  supervisor.wake()
  await settle()
  tried[0]?.over()
  assert.equal(supervisor.failure(), undefined)
  await pass(0)
  assert.equal(tried.length, 2)
})

test('what an earlier try says late changes nothing', async () => {
  const { supervisor, tried } = bench()
  supervisor.wake()
  await settle()
  tried[0]?.over(broken)
  await pass(500)
  tried[0]?.over(failure(CONNECTION.refused, 'timed-out'))
  assert.equal(tried[0]?.alive(), false)
  assert.equal(supervisor.phase(), 'running')
  assert.equal(supervisor.failure(), broken)
  supervisor.works()
  assert.equal(supervisor.failure(), undefined)
})

test('what is parked stays so until it is woken', async () => {
  const { supervisor, tried, stopped } = bench()
  supervisor.wake()
  await settle()
  await supervisor.park()
  assert.deepEqual(stopped, [1])
  await pass(60_000)
  assert.equal(tried.length, 1)
  supervisor.wake()
  await settle()
  assert.equal(tried.length, 2)
})

test('what is parked while it starts does not start', async () => {
  const { supervisor, tried } = bench()
  supervisor.wake()
  supervisor.park()
  await settle()
  assert.equal(tried.length, 0)
})

test('waking does not cut a pause short unless told to', async () => {
  const { supervisor, tried } = bench()
  supervisor.wake()
  await settle()
  tried[0]?.over(broken)
  supervisor.wake()
  await settle()
  assert.equal(tried.length, 1)
  supervisor.wake(true)
  await settle()
  assert.equal(tried.length, 2)
})

test('a process that cannot be created is a creation that failed, and is tried again', async () => {
  const { supervisor, state, tried } = bench()
  state.creation = new NotInstalled('ffmpeg')
  supervisor.wake()
  await settle()
  assert.deepEqual(supervisor.failure(), {
    state: SOURCE.addFailed,
    connState: CONNECTION.creationFailed,
    reason: 'not-installed ffmpeg'
  })
  state.creation = undefined
  await pass(500)
  assert.equal(tried.length, 1)
})

test.run()
