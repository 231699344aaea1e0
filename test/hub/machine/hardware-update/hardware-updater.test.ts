import assert from 'node:assert/strict'
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { IN_PROGRESS, NOT_EXIST, UNSUPPORTED, WRONG_STATE } from '../../../../contract/codes.ts'
import { INSTALLATION_STATE } from '../../../../contract/installation-state.ts'
import {
  ANSWER_LINES,
  ANSWER_TIMEOUT,
  HardwareUpdateRefused,
  HardwareUpdater,
  STALL_TIMEOUT,
  UPDATE_LINES,
  UPDATE_TIMEOUT,
  WATCH_INTERVAL
} from '../../../../hub/machine/hardware-update/hardware-updater.ts'
import { openStore, type Store } from '../../../../hub/store/store.ts'
import {
  CAPTURE_CARD,
  COMPONENT,
  type Demonstration,
  DOWNLOAD,
  FRONT_PANEL,
  HANG,
  IDLE,
  print,
  programFile,
  programFolder,
  startDemonstration,
  stateLine,
  writeProgram
} from '../../../kit/hub/hardware-program.ts'
import { until } from '../../../kit/until.ts'

const test = suite('hardware updater')
programFolder(test)

const { failed, idle, init, updating, done, download } = INSTALLATION_STATE

/** What a program says while an update runs, and after it. */
const BUSY = print(COMPONENT, stateLine(updating, { progress: 10 }))
const DONE = print(COMPONENT, stateLine(done))

let store: Store
const open: HardwareUpdater[] = []

test.before.each(() => {
  store = openStore(':memory:')
})
test.after.each(() => {
  mock.timers.reset()
  for (const updater of open.splice(0)) updater.close()
  store.close()
})

/** Starts an updater, and waits until it knows the components. @returns it, with every state that it has reported */
async function startUpdater(program: string | undefined, hasComponents = true) {
  const states: number[] = []
  const updater = new HardwareUpdater({
    program,
    store,
    onChange() {
      const { state } = updater.view()
      if (state !== states.at(-1)) states.push(state)
    }
  })
  open.push(updater)
  updater.start()
  if (hasComponents) await until(() => updater.view().components.length > 0, 'the components')
  return Object.assign(updater, { states })
}

const begin = (updater: HardwareUpdater) => updater.begin(store.database.transaction(() => updater.prepare()))
const whenEnded = (updater: HardwareUpdater) => until(() => !updater.isRunning, 'the end of the update')
const whenIn = (updater: HardwareUpdater, state: number) =>
  until(
    () => updater.view().state === state,
    () => `state ${state}, not ${JSON.stringify(updater.view())}`
  )
const events = () =>
  store.logs
    .list({ type: 'system' }, 0, 10)
    .list.map(({ event, detail }) => `${event}: ${detail}`)
    .toReversed()
const refusal = (code: number) => (error: unknown) => error instanceof HardwareUpdateRefused && error.code === code

async function startDemo(prepare = (_demonstration: Demonstration) => {}) {
  const demonstration = startDemonstration()
  prepare(demonstration)
  return { demonstration, updater: await startUpdater(demonstration.path) }
}

test('a machine without a program has no hardware update', async () => {
  const updater = await startUpdater(undefined, false)
  assert.deepEqual(updater.view(), { isAvailable: false, state: idle, progress: 0, components: [], failure: undefined })
  assert.throws(() => updater.requireStartable(), refusal(UNSUPPORTED))
  await assert.rejects(updater.cancel(), refusal(UNSUPPORTED))
})

test('an update goes through its states, and then shows the new versions', async () => {
  const { demonstration, updater } = await startDemo((demo) => demo.holdAt(DOWNLOAD))
  assert.deepEqual(
    updater.offered().map(({ name, offered }) => [name, offered]),
    [
      ['Front panel', '1.4'],
      ['Capture card 1', '2.1.0']
    ]
  )
  begin(updater)
  assert.throws(() => updater.requireStartable(), refusal(IN_PROGRESS))
  await whenIn(updater, download)
  demonstration.holdAt(CAPTURE_CARD)
  await until(() => updater.view().current?.name === 'Capture card 1', 'the capture card')
  await assert.rejects(updater.cancel(), refusal(WRONG_STATE))
  demonstration.release()
  await whenEnded(updater)
  await demonstration.whenEnded()
  assert.deepEqual(updater.states.slice(updater.states.indexOf(init)), [init, download, updating, done])
  const { components, progress } = updater.view()
  assert.deepEqual(
    components.map(({ version, offered, 'needs-reboot': needsReboot }) => [version, offered, needsReboot]),
    [
      ['1.4', undefined, true],
      ['2.1.0', undefined, undefined]
    ]
  )
  assert.equal(progress, 100)
  assert.deepEqual(events(), ['hardware-updated: Front panel 1.3 → 1.4, Capture card 1 2.0.3 → 2.1.0'])
  assert.throws(() => updater.requireStartable(), refusal(NOT_EXIST))
  await assert.rejects(updater.cancel(), refusal(NOT_EXIST))
})

test('a failure has the words of the program, until it is cleared', async () => {
  const { demonstration, updater } = await startDemo((demo) => demo.set('fail'))
  begin(updater)
  await whenEnded(updater)
  await demonstration.whenEnded()
  const words = 'Capture card 1: verification failed at block 7'
  assert.deepEqual(updater.view().failure, { fault: 'failed', words })
  assert.deepEqual(events(), [`hardware-failed: ${words} failed`])
  await updater.cancel()
  assert.deepEqual([updater.view().state, updater.view().failure], [idle, undefined])
})

test('a download is cancelled, and the update can be started again', async () => {
  const { demonstration, updater } = await startDemo((demo) => demo.holdAt(DOWNLOAD))
  begin(updater)
  await whenIn(updater, download)
  const cancelled = updater.cancel()
  await assert.rejects(updater.cancel(), refusal(IN_PROGRESS))
  await cancelled
  await whenEnded(updater)
  await demonstration.whenEnded()
  assert.equal(updater.view().state, idle)
  assert.deepEqual(events(), [])
  demonstration.release()
  begin(updater)
  await whenIn(updater, done)
  await demonstration.whenEnded()
})

test('an update goes on while the hub is stopped, and the next hub reports its end', async () => {
  const [started, ended] = [programFile('begun'), programFile('ended')]
  const program = writeProgram({
    status: `if [ -e ${ended} ]; then ${DONE}; elif [ -e ${started} ]; then ${BUSY}; else ${IDLE}; fi`,
    update: `touch ${started}; ${BUSY}; ${HANG}`
  })
  const first = await startUpdater(program)
  begin(first)
  await whenIn(first, updating)
  first.close()
  mock.timers.enable({ apis: ['setTimeout'] })
  const next = await startUpdater(program)
  assert.ok(next.isRunning)
  assert.deepEqual([next.view().state, next.view().progress], [updating, 10])
  writeFileSync(ended, '')
  mock.timers.tick(WATCH_INTERVAL)
  await whenIn(next, done)
  assert.deepEqual(events(), ['hardware-updated: Capture card 1 2.0.3 → 2.1.0'])
  assert.equal(store.settings.get('hardware-update'), null)
})

test('an update that ended with the hub is a failure, and the report of the program is kept', async () => {
  const { demonstration, updater } = await startDemo((demo) => demo.holdAt(FRONT_PANEL))
  begin(updater)
  await whenIn(updater, updating)
  updater.close()
  process.kill(demonstration.worker() ?? 0, 'SIGKILL')
  await demonstration.whenEnded()
  const next = await startUpdater(demonstration.path)
  await whenEnded(next)
  assert.deepEqual(next.view().failure, { fault: 'failed', words: 'The update was interrupted' })
})

test('an update of which the program knows nothing after a restart of the hub was interrupted', async () => {
  const program = writeProgram({ update: HANG })
  const first = await startUpdater(program)
  begin(first)
  first.close()
  const next = await startUpdater(program)
  await whenEnded(next)
  assert.deepEqual(next.view().failure, { fault: 'interrupted', words: '' })
  assert.deepEqual(events(), ['hardware-failed: Capture card 1 2.0.3 → 2.1.0 interrupted'])
})

test('an update that was started without the hub is shown until its end', async () => {
  const file = programFile('panel')
  writeFileSync(file, '')
  mock.timers.enable({ apis: ['setTimeout'] })
  const updater = await startUpdater(writeProgram({ status: `[ -e ${file} ] && ${BUSY} || ${IDLE}` }))
  assert.ok(updater.isRunning)
  assert.deepEqual([updater.view().state, updater.view().progress], [updating, 10])
  rmSync(file)
  mock.timers.tick(WATCH_INTERVAL)
  await whenEnded(updater)
})

for (const [what, update, fault, words] of [
  ['ends in the middle', print(stateLine(updating, { progress: 10 })), 'exit', ''],
  ['ends with an error', `${print(stateLine(init))}; echo 'no power' >&2; exit 1`, 'exit', 'no power'],
  ['prints something else', print('Updating...'), 'output', 'Updating...'],
  ['prints without end', `yes '${stateLine(updating, { progress: 1 })}'`, 'output', '']
] as const)
  test(`an update that ${what} is a failure`, async () => {
    const updater = await startUpdater(writeProgram({ update }))
    begin(updater)
    await whenEnded(updater)
    assert.deepEqual(updater.view().failure, { fault, words })
    assert.equal(updater.view().components[0]?.version, '2.0.3')
    // It can be tried again.
    updater.requireStartable()
  })

test('an update of 20000 lines is read', async () => {
  const lines = `yes '${stateLine(updating, { progress: 1 })}' | head -n ${UPDATE_LINES - 1}; ${print(stateLine(done))}`
  const updater = await startUpdater(writeProgram({ update: lines }))
  begin(updater)
  await whenEnded(updater)
  assert.equal(updater.view().failure, undefined)
})

for (const [what, status, fault] of [
  ['says no state', print(COMPONENT), 'output'],
  ['prints more than 256 lines', `yes '${COMPONENT}'`, 'output'],
  ['fails', 'exit 1', 'exit']
] as const)
  test(`a program whose status ${what} is shown as failed, and with its next answer as it is`, async () => {
    const file = programFile('broken')
    writeFileSync(file, '')
    const updater = await startUpdater(
      writeProgram({ status: `[ -e ${file} ] && { ${status}; exit; }; ${IDLE}` }),
      false
    )
    await whenIn(updater, failed)
    assert.equal(updater.view().failure?.fault, fault)
    assert.throws(() => updater.requireStartable(), refusal(NOT_EXIST))
    rmSync(file)
    await updater.cancel()
    assert.equal(updater.view().state, idle)
    updater.requireStartable()
  })

test('a status of 256 lines is read', async () => {
  const updater = await startUpdater(
    writeProgram({ status: `yes '${COMPONENT}' | head -n ${ANSWER_LINES - 1}; ${print(stateLine(idle))}` })
  )
  assert.equal(updater.view().state, idle)
})

test('a program that cannot be started is shown as failed', async () => {
  const updater = await startUpdater('/nonexistent/program', false)
  await whenIn(updater, failed)
  assert.deepEqual(updater.view().failure, { fault: 'not-started', words: 'ENOENT' })
})

test('a status that hangs is given up after 10 s', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const updater = await startUpdater(writeProgram({ status: HANG }), false)
  mock.timers.tick(ANSWER_TIMEOUT - 1)
  assert.equal(updater.view().state, idle)
  mock.timers.tick(1)
  await whenIn(updater, failed)
  assert.deepEqual(updater.view().failure, { fault: 'timeout', words: '' })
})

/** Starts an update that hangs, with timers that the test moves. @param status what the program then says of itself */
async function startHanging(status: string, update = `${print(stateLine(updating, { progress: 10 }))}; ${HANG}`) {
  const file = programFile('started')
  rmSync(file, { force: true })
  const updater = await startUpdater(
    writeProgram({ status: `[ -e ${file} ] && { ${status}; exit; }; ${IDLE}`, update: `touch ${file}; ${update}` })
  )
  mock.timers.enable({ apis: ['setTimeout'] })
  begin(updater)
  return updater
}

test('an update without progress counts as failed after 10 minutes, also if the program says that it runs', async () => {
  const updater = await startHanging(BUSY)
  await whenIn(updater, updating)
  mock.timers.tick(STALL_TIMEOUT - 1)
  assert.ok(updater.isRunning)
  mock.timers.tick(1)
  await whenEnded(updater)
  assert.deepEqual(updater.view().failure, { fault: 'timeout', words: '' })
  assert.deepEqual(events(), ['hardware-failed: Capture card 1 2.0.3 → 2.1.0 timeout'])
})

test('an update that reports progress forever counts as failed after two hours', async () => {
  const file = programFile('progress')
  writeFileSync(file, '')
  const updater = await startHanging(BUSY, `tail -n +1 -f ${file}`)
  const half = STALL_TIMEOUT / 2
  for (let passed = half, progress = 1; passed < UPDATE_TIMEOUT; passed += half, progress++) {
    appendFileSync(file, `${stateLine(updating, { progress })}\n`)
    await until(() => updater.view().progress === progress, 'progress')
    mock.timers.tick(half)
    assert.ok(updater.isRunning)
  }
  mock.timers.tick(half)
  await whenEnded(updater)
  assert.equal(updater.view().failure?.fault, 'timeout')
})

test('an update that hangs after it was cancelled is given up after 10 s', async () => {
  const updater = await startHanging(IDLE, `${print(stateLine(download))}; ${HANG}`)
  await whenIn(updater, download)
  await updater.cancel()
  mock.timers.tick(ANSWER_TIMEOUT)
  await whenEnded(updater)
  assert.equal(updater.view().state, idle)
})

test('a program that is gone is asked five times', async () => {
  const program = writeProgram({ update: 'rm $0' })
  const updater = await startUpdater(program)
  mock.timers.enable({ apis: ['setTimeout'] })
  begin(updater)
  let waited = 0
  await until(() => {
    if (!updater.isRunning || updater.view().failure) return true
    if (existsSync(program)) return false
    mock.timers.tick(WATCH_INTERVAL)
    waited += WATCH_INTERVAL
    return false
  }, 'the end of the update')
  assert.ok(waited >= 4 * WATCH_INTERVAL && waited < STALL_TIMEOUT, `${waited} ms`)
  assert.deepEqual(updater.view().failure, { fault: 'not-started', words: 'ENOENT' })
})

test.run()
