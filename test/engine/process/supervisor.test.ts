import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import { NotInstalledError } from '../../../engine/interfaces/errors.ts'
import { failure } from '../../../engine/process/failure.ts'
import { type Attempt, Supervisor } from '../../../engine/process/supervisor.ts'

const test = suite('supervisor')

const broken = failure(CONNECTION_STATE.disconnected, 'other-end')

/** Creates a supervisor of simulated processes, with a clock that the test advances. */
function createSupervisorFixture() {
  const attempts: Attempt[] = []
  const stopped: number[] = []
  const state = { now: 0, lastRunMs: 0, startError: undefined as Error | undefined }
  const supervisor = new Supervisor({
    async start(attempt) {
      if (state.startError) throw state.startError
      const number = attempts.push(attempt)
      return { pid: number, stdin: undefined, stop: async () => void stopped.push(number) }
    },
    lastRunMs: () => state.lastRunMs,
    onChange() {},
    whenReady: async () => {},
    now: () => state.now
  })
  return { supervisor, attempts, stopped, state }
}

/** Lets promises settle, because mocked timers do not wait for them. */
const settle = async () => {
  for (let step = 0; step < 5; step++) await Promise.resolve()
}
const advance = async (milliseconds: number) => {
  mock.timers.tick(milliseconds)
  await settle()
}

test.before.each(() => mock.timers.enable({ apis: ['setTimeout'] }))
test.after.each(() => mock.timers.reset())

test('a failed process is restarted after a growing delay', async () => {
  const { supervisor, attempts } = createSupervisorFixture()
  supervisor.wake()
  await settle()
  for (const pause of [500, 1000, 2000, 4000, 4000, 4000]) {
    const before = attempts.length
    attempts.at(-1)?.end(broken)
    assert.equal(supervisor.phase(), 'pausing')
    await advance(pause - 1)
    assert.equal(attempts.length, before)
    await advance(1)
    assert.equal(attempts.length, before + 1)
    assert.equal(supervisor.phase(), 'running')
  }
})

test('after a good run the delay is short again', async () => {
  const { supervisor, attempts, state } = createSupervisorFixture()
  supervisor.wake()
  await settle()
  for (const pause of [500, 1000, 2000]) {
    attempts.at(-1)?.end(broken)
    await advance(pause)
  }
  state.lastRunMs = 10_000
  attempts.at(-1)?.end(broken)
  await advance(500)
  assert.equal(attempts.length, 5)
})

test('an end without a failure is followed by an immediate restart', async () => {
  const { supervisor, attempts } = createSupervisorFixture()
  supervisor.wake()
  await settle()
  attempts[0]?.end()
  assert.equal(supervisor.failure(), undefined)
  await advance(0)
  assert.equal(attempts.length, 2)
})

test('a late report of an earlier attempt is ignored', async () => {
  const { supervisor, attempts } = createSupervisorFixture()
  supervisor.wake()
  await settle()
  attempts[0]?.end(broken)
  await advance(500)
  attempts[0]?.end(failure(CONNECTION_STATE.refused, 'timed-out'))
  assert.equal(attempts[0]?.isCurrent(), false)
  assert.equal(supervisor.phase(), 'running')
  assert.equal(supervisor.failure(), broken)
  supervisor.clearFailure()
  assert.equal(supervisor.failure(), undefined)
})

test('a parked process does not run until it is woken', async () => {
  const { supervisor, attempts, stopped } = createSupervisorFixture()
  supervisor.wake()
  await settle()
  await supervisor.park()
  assert.deepEqual(stopped, [1])
  await advance(60_000)
  assert.equal(attempts.length, 1)
  supervisor.wake()
  await settle()
  assert.equal(attempts.length, 2)
})

test('a process that is parked while it starts does not start', async () => {
  const { supervisor, attempts } = createSupervisorFixture()
  supervisor.wake()
  supervisor.park()
  await settle()
  assert.equal(attempts.length, 0)
})

test('waking ends a delay only if requested', async () => {
  const { supervisor, attempts } = createSupervisorFixture()
  supervisor.wake()
  await settle()
  attempts[0]?.end(broken)
  supervisor.wake()
  await settle()
  assert.equal(attempts.length, 1)
  supervisor.wake(true)
  await settle()
  assert.equal(attempts.length, 2)
})

test('a process that cannot be created has the state creationFailed and is tried again', async () => {
  const { supervisor, state, attempts } = createSupervisorFixture()
  state.startError = new NotInstalledError('ffmpeg')
  supervisor.wake()
  await settle()
  assert.deepEqual(supervisor.failure(), {
    state: SOURCE_STATE.addFailed,
    connState: CONNECTION_STATE.creationFailed,
    reason: 'not-installed ffmpeg'
  })
  state.startError = undefined
  await advance(500)
  assert.equal(attempts.length, 1)
})

test.run()
