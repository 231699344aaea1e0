// The states and flags of a console update, as they pass during a real upload.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { UPDATE_STATUS_BITS } from '../../../contract/system.ts'
import { UPDATE_STATE } from '../../../contract/update.ts'
import { createTestUpdate } from '../../kit/hub/console-update.ts'
import {
  closeUpdaters,
  installUpdate,
  ONE,
  refusal,
  removeFolder,
  script,
  startUpdater,
  TWO
} from '../../kit/hub/console-updater.ts'

const test = suite('update states')
test.after.each(closeUpdaters)
test.after(removeFolder)

const NEW_VERSION = 0x1000
const UPDATING = 0x8000

/** An updater that records the status bits at each change, without repetitions. */
function startRecorder(options: Parameters<typeof startUpdater>[1] = {}) {
  const recorded: number[] = []
  const awaited = new Map<number, () => void>()
  const updater: ReturnType<typeof startUpdater> = startUpdater(undefined, {
    ...options,
    onChange() {
      const bits = updater.statusBits()
      if (bits !== recorded.at(-1)) recorded.push(bits)
      for (const [state, resolve] of awaited) if ((updater.stateBits() & state) !== 0) resolve()
    }
  })
  /** Resolves at the next change to a state. */
  const reached = (state: number) => new Promise<void>((resolve) => awaited.set(state, resolve))
  return { updater, recorded, reached }
}

test('an upload is checking, uploading and verifying, and then a new version exists', async () => {
  const { updater, recorded } = startRecorder()
  assert.equal(updater.statusBits(), 0)
  await updater.uploadBytes(ONE)
  assert.deepEqual(recorded, [
    UPDATE_STATE.checking | UPDATING,
    UPDATE_STATE.uploading | UPDATING,
    UPDATE_STATE.verifying | UPDATING,
    NEW_VERSION
  ])
})

test('installing it ends the new version, restarts on trial, and confirming leaves no flag', async () => {
  const { updater, recorded } = startRecorder()
  await installUpdate(updater, ONE)
  assert.equal(recorded.at(-1), UPDATE_STATE.restarting | UPDATING)
  updater.confirm(script('1'))
  assert.equal(updater.statusBits(), 0)
})

test('a discarded update, one of the same version, and an older one are no new version', async () => {
  const { updater } = startRecorder()
  await updater.uploadBytes(ONE)
  updater.cancel()
  assert.equal(updater.statusBits(), 0)
  await updater.uploadBytes(createTestUpdate('3', { version: '0.9.0' }))
  assert.equal(updater.statusBits(), 0)
  await updater.uploadBytes(createTestUpdate('4', { version: '0.8.99' }))
  assert.equal(updater.statusBits(), 0)
})

test('the online status names the newest known version', async () => {
  const { updater } = startRecorder()
  const online = () => updater.status()['online-status']
  const base = { 'update-result': 0 }
  assert.deepEqual(online(), { ...base, 'is-newest': true, 'newest-version': '0.9.0' })
  await updater.uploadBytes(ONE)
  assert.deepEqual(online(), { ...base, 'is-newest': false, 'newest-version': '1.0.0' })
  updater.install(updater.status().consoles[0]?.id ?? '', false)
  updater.confirm(script('1'))
  await updater.uploadBytes(TWO)
  assert.deepEqual(online(), { ...base, 'is-newest': false, 'newest-version': '1.0.1' })
})

test('without enough disk space the check fails before a byte is received', async () => {
  let wasAsked = false
  const { updater, recorded } = startRecorder({ freeSpace: async () => 0 })
  const upload = updater.upload(ONE.length, async () => {
    wasAsked = true
  })
  assert.deepEqual((await refusal(upload)).code, 29)
  assert.deepEqual(recorded, [UPDATE_STATE.checking | UPDATING, UPDATE_STATE.failed])
  assert.equal(wasAsked, false)
})

test('a cancelled upload is cancelling until its files are removed', async () => {
  for (const phase of ['checking', 'uploading', 'verifying'] as const) {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { updater, recorded, reached } = startRecorder(
      phase === 'checking' ? { freeSpace: () => released.then(() => 2 ** 40) } : {}
    )
    const isReached = reached(UPDATE_STATE[phase])
    const uploading = refusal(
      updater.upload(ONE.length, async (write) => {
        await write(phase === 'verifying' ? ONE : ONE.subarray(0, 100))
        if (phase === 'uploading') await released
      })
    )
    await isReached
    updater.cancel()
    assert.equal(updater.stateBits(), UPDATE_STATE.cancelling, phase)
    assert.equal(recorded.at(-1), UPDATE_STATE.cancelling | UPDATING, phase)
    release()
    assert.equal((await uploading).code, 42, phase)
    assert.equal(updater.statusBits(), 0, phase)
  }
})

test('a hub that trusts no key has no update service, in the same number as all flags', () => {
  const { updater } = startRecorder({ trusted: [] })
  assert.equal(updater.statusBits(), UPDATE_STATE.unavailable)
})

test('the bits in the status of the system are those of the update service', () => {
  const { idle: _, pulling, ...states } = UPDATE_STATE
  assert.deepEqual({ ...UPDATE_STATUS_BITS }, { ...states, downloading: pulling })
})

test.run()
