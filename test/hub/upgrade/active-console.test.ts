// Installation, trial and revert of consoles with real files and timers: every step, and a power cut after each.

import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { type StoredConsole, UPDATE_STATE } from '../../../contract/update.ts'
import { computeDigest } from '../../../pack/manifest.ts'
import { createTestUpdate } from '../../kit/hub/console-update.ts'
import {
  closeUpdaters,
  describeSlots,
  dist,
  folder,
  installUpdate,
  listFiles,
  ONE,
  refusal,
  removeFolder,
  script,
  slotWithUse,
  startUpdater,
  TWO
} from '../../kit/hub/console-updater.ts'
import { recordProcessLog } from '../../kit/hub/process-log.ts'
import { until } from '../../kit/until.ts'

const test = suite('active console')
test.after.each(closeUpdaters)
test.after(removeFolder)

test('a pack is uploaded, installed, served at once, and stays after its confirmation', async () => {
  const updater = startUpdater()
  assert.deepEqual(
    [updater.servedMark(), updater.stateBits(), slotWithUse(updater, 'active')],
    ['0', UPDATE_STATE.idle, 'built-in']
  )
  const uploaded = await updater.uploadBytes(ONE)
  assert.deepEqual(
    [uploaded.version, uploaded.commit, uploaded.development, uploaded.size, uploaded.older],
    ['1.0.0', '1'.repeat(40), true, ONE.length, undefined]
  )
  const { slot, use, ...ready } = updater.status().consoles[0] as StoredConsole
  assert.deepEqual([updater.servedMark(), slot, use, ready], ['0', 'uploaded', 'ready', uploaded])
  updater.install(uploaded.id, false)
  assert.deepEqual([updater.servedMark(), updater.stateBits()], ['1', UPDATE_STATE.restarting])
  assert.deepEqual(describeSlots(updater.status()), ['built-in 0.9.0 kept', 'a 1.0.0 trial'])
  const { left: seconds = 0 } = updater.status().consoles[1] ?? {}
  assert.ok(seconds > 80 && seconds <= 90)
  assert.equal(updater.trialScript(), script('1'))
  assert.equal((await refusal(() => updater.confirm(script('0')))).code, 38)
  updater.confirm(script('1'))
  assert.deepEqual(
    [updater.stateBits(), updater.trialScript(), slotWithUse(updater, 'former')],
    [UPDATE_STATE.idle, undefined, 'built-in']
  )
  assert.deepEqual(updater.events, ['console-installed 1.0.0', 'console-confirmed 1.0.0'])
  assert.deepEqual(listFiles(updater.data), ['a', 'state.json'])
  // Also after a restart. Confirming again has no effect.
  const restartedUpdater = startUpdater(updater.data)
  assert.deepEqual(
    [restartedUpdater.servedMark(), slotWithUse(restartedUpdater, 'active'), restartedUpdater.events],
    ['1', 'a', []]
  )
  restartedUpdater.confirm(script('1'))
})

test('the next update uses the other slot, and reverting switches between both', async () => {
  const updater = startUpdater()
  await installUpdate(updater, ONE)
  updater.confirm(script('1'))
  await installUpdate(updater, TWO)
  updater.confirm(script('2'))
  assert.deepEqual(describeSlots(updater.status()), ['built-in 0.9.0 kept', 'a 1.0.0 former', 'b 1.0.1 active'])
  updater.revert()
  assert.deepEqual(
    [updater.servedMark(), updater.stateBits(), updater.trialScript()],
    ['1', UPDATE_STATE.restarting, script('1')]
  )
  assert.equal((await refusal(() => updater.revert())).code, 43)
  updater.confirm(script('1'))
  updater.revert()
  updater.confirm(script('2'))
  assert.deepEqual([updater.servedMark(), slotWithUse(updater, 'former')], ['2', 'a'])
  // A third update replaces the console that is not in use.
  await installUpdate(updater, createTestUpdate('3', { version: '1.0.2' }))
  assert.deepEqual(describeSlots(updater.status()), ['built-in 0.9.0 kept', 'a 1.0.2 trial', 'b 1.0.1 kept'])
})

test('an unconfirmed console is replaced by the previous one after the timeout, with the reason', async () => {
  const updater = startUpdater(undefined, { confirmTimeout: 50 })
  await installUpdate(updater, ONE)
  updater.confirm(script('1'))
  await installUpdate(updater, TWO)
  assert.equal(updater.servedMark(), '2')
  await until(() => updater.servedMark() === '1', 'the previous console is served again')
  const { state, ...status } = updater.status()
  assert.deepEqual(
    [state, slotWithUse(updater, 'active'), slotWithUse(updater, 'former')],
    [UPDATE_STATE.failed, 'a', undefined]
  )
  assert.deepEqual([status['update-fault'], status['online-status']['update-result']], ['unconfirmed', 2])
  assert.equal(updater.events.at(-1), 'console-failed 1.0.1 unconfirmed')
  assert.equal((await refusal(() => updater.confirm(script('2')))).code, 38)
  const restartedUpdater = startUpdater(updater.data)
  assert.deepEqual([restartedUpdater.servedMark(), restartedUpdater.status()['update-fault']], ['1', 'unconfirmed'])
  // It may be installed again, which clears the failure.
  await installUpdate(restartedUpdater, TWO)
  restartedUpdater.confirm(script('2'))
  assert.deepEqual([restartedUpdater.servedMark(), restartedUpdater.stateBits()], ['2', UPDATE_STATE.idle])
})

for (const step of ['received', 'staged', 'adopted', 'switched', 'confirmed', 'reverted'] as const)
  test(`a power cut right after '${step}' leaves a complete console and no other files`, async () => {
    const data = join(folder, `cut-${step}`)
    const before = startUpdater(data)
    await installUpdate(before, ONE)
    before.confirm(script('1'))

    const after = join(folder, `after-${step}`)
    const victim = startUpdater(data, {
      confirmTimeout: step === 'reverted' ? 20 : 60_000,
      // The next start uses the state of the disk at this moment.
      onStep: (name) => {
        if (name === step) cpSync(data, after, { recursive: true })
      }
    })
    await installUpdate(victim, TWO)
    if (step === 'reverted') await until(() => existsSync(after), 'the update was reverted')
    else victim.confirm(script('2'))

    const next = startUpdater(after)
    assert.equal(next.servedMark(), step === 'confirmed' ? '2' : '1')
    assert.equal(next.trialScript(), undefined)
    assert.equal(slotWithUse(next, 'ready'), undefined)
    const fault = { switched: 'interrupted', reverted: 'unconfirmed' }[step as string]
    assert.equal(next.status()['update-fault'], fault)
    const installed = step === 'received' || step === 'staged' ? ['a'] : ['a', 'b']
    assert.deepEqual(listFiles(after), [...installed, 'state.json'])
    await installUpdate(next, TWO)
    next.confirm(script('2'))
    assert.equal(next.servedMark(), '2')
  })

test('a modified slot is not served, and an updated hub serves its built-in console', async () => {
  const updater = startUpdater()
  await installUpdate(updater, ONE)
  updater.confirm(script('1'))
  const page = join(updater.data, 'console/a/www/index.html')
  const original = readFileSync(page)
  writeFileSync(page, 'console 9')
  const restartedUpdater = startUpdater(updater.data)
  assert.deepEqual([restartedUpdater.servedMark(), restartedUpdater.events], ['0', ['console-failed 1.0.0 damaged']])

  const secondUpdater = startUpdater()
  await installUpdate(secondUpdater, ONE)
  secondUpdater.confirm(script('1'))
  const newer = join(folder, 'newer')
  cpSync(dist, newer, { recursive: true })
  writeFileSync(join(newer, 'index.html'), original.toString().replace('console 1', 'console 7'))
  const updated = startUpdater(secondUpdater.data, { dist: newer })
  assert.deepEqual([slotWithUse(updated, 'active'), updated.root()], ['built-in', newer])
  assert.deepEqual(updated.events, ['console-own 0.9.0'])
})

test('a full disk does not prevent going back to the previous console', async () => {
  const updater = startUpdater(undefined, { confirmTimeout: 50 })
  await installUpdate(updater, ONE)
  // Makes the state file unwritable.
  mkdirSync(join(updater.data, 'console/state.json.part'))
  await recordProcessLog(() => until(() => updater.servedMark() === '0', 'the previous console is served again'))
  const next = startUpdater(updater.data)
  assert.deepEqual([next.servedMark(), next.status()['update-fault']], ['0', 'interrupted'])
})

test('the built-in console has its version from version.json, or from the image that contains it', () => {
  const built = join(folder, 'built')
  cpSync(dist, built, { recursive: true })
  const builtInVersion = (root: string) => {
    const [{ version, commit, changed, time } = { version: '' }] = startUpdater(undefined, { dist: root }).status()
      .consoles
    return [version, commit, changed, time]
  }
  assert.deepEqual(builtInVersion(built), ['0.9.0', undefined, undefined, undefined])
  writeFileSync(join(built, 'version.json'), '{"version":"0.9.1","commit":"abc","time":"1970-01-01T00:00:02.000Z"}')
  assert.deepEqual(builtInVersion(built), ['0.9.1', 'abc', undefined, 2000])

  const image = join(folder, 'image')
  cpSync(built, join(image, 'www'), { recursive: true })
  const { size, sha256 } = computeDigest(readFileSync(join(built, 'index.html')))
  const files = [{ path: 'index.html', size, sha256, encodings: {} }]
  writeFileSync(join(image, 'manifest.json'), JSON.stringify({ version: '0.9.2', commit: 'def', changed: true, files }))
  assert.deepEqual(builtInVersion(join(image, 'www')), ['0.9.2', 'def', true, undefined])
  // The manifest of another console is ignored.
  writeFileSync(join(image, 'www/index.html'), 'console 8')
  assert.deepEqual(builtInVersion(join(image, 'www')), ['0.9.1', 'abc', undefined, 2000])
})

test.run()
