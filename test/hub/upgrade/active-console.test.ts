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
import { until } from '../../kit/until.ts'

const test = suite('active console')
test.after.each(closeUpdaters)
test.after(removeFolder)

test('a pack is uploaded, installed, served at once, and stays after its confirmation', async () => {
  const one = startUpdater()
  assert.deepEqual(
    [one.servedMark(), one.stateBits(), slotWithUse(one, 'active')],
    ['0', UPDATE_STATE.idle, 'built-in']
  )
  const uploaded = await one.uploadBytes(ONE)
  assert.deepEqual(
    [uploaded.version, uploaded.commit, uploaded.development, uploaded.size, uploaded.older],
    ['1.0.0', '1'.repeat(40), true, ONE.length, undefined]
  )
  const { slot, use, ...ready } = one.status().consoles[0] as StoredConsole
  assert.deepEqual([one.servedMark(), slot, use, ready], ['0', 'uploaded', 'ready', uploaded])
  one.install(uploaded.id, false)
  assert.deepEqual([one.servedMark(), one.stateBits()], ['1', UPDATE_STATE.restarting])
  assert.deepEqual(describeSlots(one.status()), ['built-in 0.9.0 kept', 'a 1.0.0 trial'])
  const { left: seconds = 0 } = one.status().consoles[1] ?? {}
  assert.ok(seconds > 80 && seconds <= 90)
  assert.equal(one.trialScript(), script('1'))
  assert.equal((await refusal(() => one.confirm(script('0')))).code, 38)
  one.confirm(script('1'))
  assert.deepEqual(
    [one.stateBits(), one.trialScript(), slotWithUse(one, 'former')],
    [UPDATE_STATE.idle, undefined, 'built-in']
  )
  assert.deepEqual(one.events, ['console-installed 1.0.0', 'console-confirmed 1.0.0'])
  assert.deepEqual(listFiles(one.data), ['a', 'state.json'])
  // Also after a restart. Confirming again has no effect.
  const again = startUpdater(one.data)
  assert.deepEqual([again.servedMark(), slotWithUse(again, 'active'), again.events], ['1', 'a', []])
  again.confirm(script('1'))
})

test('the next update uses the other slot, and reverting switches between both', async () => {
  const one = startUpdater()
  await installUpdate(one, ONE)
  one.confirm(script('1'))
  await installUpdate(one, TWO)
  one.confirm(script('2'))
  assert.deepEqual(describeSlots(one.status()), ['built-in 0.9.0 kept', 'a 1.0.0 former', 'b 1.0.1 active'])
  one.revert()
  assert.deepEqual([one.servedMark(), one.stateBits(), one.trialScript()], ['1', UPDATE_STATE.restarting, script('1')])
  assert.equal((await refusal(() => one.revert())).code, 43)
  one.confirm(script('1'))
  one.revert()
  one.confirm(script('2'))
  assert.deepEqual([one.servedMark(), slotWithUse(one, 'former')], ['2', 'a'])
  // A third update replaces the console that is not in use.
  await installUpdate(one, createTestUpdate('3', { version: '1.0.2' }))
  assert.deepEqual(describeSlots(one.status()), ['built-in 0.9.0 kept', 'a 1.0.2 trial', 'b 1.0.1 kept'])
})

test('an unconfirmed console is replaced by the previous one after the timeout, with the reason', async () => {
  const one = startUpdater(undefined, { confirmTimeout: 50 })
  await installUpdate(one, ONE)
  one.confirm(script('1'))
  await installUpdate(one, TWO)
  assert.equal(one.servedMark(), '2')
  await until(() => one.servedMark() === '1', 'the previous console is served again')
  const { state, ...status } = one.status()
  assert.deepEqual(
    [state, slotWithUse(one, 'active'), slotWithUse(one, 'former')],
    [UPDATE_STATE.failed, 'a', undefined]
  )
  assert.deepEqual([status['update-fault'], status['online-status']['update-result']], ['unconfirmed', 2])
  assert.equal(one.events.at(-1), 'console-failed 1.0.1 unconfirmed')
  assert.equal((await refusal(() => one.confirm(script('2')))).code, 38)
  const again = startUpdater(one.data)
  assert.deepEqual([again.servedMark(), again.status()['update-fault']], ['1', 'unconfirmed'])
  // It may be installed again, which clears the failure.
  await installUpdate(again, TWO)
  again.confirm(script('2'))
  assert.deepEqual([again.servedMark(), again.stateBits()], ['2', UPDATE_STATE.idle])
})

for (const at of ['received', 'staged', 'adopted', 'switched', 'confirmed', 'reverted'] as const)
  test(`a power cut right after '${at}' leaves a complete console, and nothing else`, async () => {
    const data = join(folder, `cut-${at}`)
    const before = startUpdater(data)
    await installUpdate(before, ONE)
    before.confirm(script('1'))

    const after = join(folder, `after-${at}`)
    const victim = startUpdater(data, {
      confirmTimeout: at === 'reverted' ? 20 : 60_000,
      // The next start uses the state of the disk at this moment.
      onStep: (name) => {
        if (name === at) cpSync(data, after, { recursive: true })
      }
    })
    await installUpdate(victim, TWO)
    if (at === 'reverted') await until(() => existsSync(after), 'the update was reverted')
    else victim.confirm(script('2'))

    const next = startUpdater(after)
    assert.equal(next.servedMark(), at === 'confirmed' ? '2' : '1')
    assert.equal(next.trialScript(), undefined)
    assert.equal(slotWithUse(next, 'ready'), undefined)
    const fault = { switched: 'interrupted', reverted: 'unconfirmed' }[at as string]
    assert.equal(next.status()['update-fault'], fault)
    const installed = at === 'received' || at === 'staged' ? ['a'] : ['a', 'b']
    assert.deepEqual(listFiles(after), [...installed, 'state.json'])
    await installUpdate(next, TWO)
    next.confirm(script('2'))
    assert.equal(next.servedMark(), '2')
  })

test('a modified slot is not served, and an updated hub serves its built-in console', async () => {
  const one = startUpdater()
  await installUpdate(one, ONE)
  one.confirm(script('1'))
  const page = join(one.data, 'console/a/www/index.html')
  const original = readFileSync(page)
  writeFileSync(page, 'console 9')
  const wary = startUpdater(one.data)
  assert.deepEqual([wary.servedMark(), wary.events], ['0', ['console-failed 1.0.0 damaged']])

  const two = startUpdater()
  await installUpdate(two, ONE)
  two.confirm(script('1'))
  const newer = join(folder, 'newer')
  cpSync(dist, newer, { recursive: true })
  writeFileSync(join(newer, 'index.html'), original.toString().replace('console 1', 'console 7'))
  const updated = startUpdater(two.data, { dist: newer })
  assert.deepEqual([slotWithUse(updated, 'active'), updated.root()], ['built-in', newer])
  assert.deepEqual(updated.events, ['console-own 0.9.0'])
})

test('a full disk does not prevent going back to the previous console', async () => {
  const one = startUpdater(undefined, { confirmTimeout: 50 })
  await installUpdate(one, ONE)
  // Makes the state file unwritable.
  mkdirSync(join(one.data, 'console/state.json.part'))
  const { error } = console
  console.error = () => {}
  try {
    await until(() => one.servedMark() === '0', 'the previous console is served again')
  } finally {
    console.error = error
  }
  const next = startUpdater(one.data)
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
