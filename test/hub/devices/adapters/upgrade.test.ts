import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { RUNNING } from '../../../../contract/device/device.ts'
import { UPGRADES } from '../../../../hub/devices/adapters/upgrade.ts'

const test = suite('upgrade')
const { usapi, mwapi, api } = UPGRADES

const status = (more: object, running = 0) => ({
  result: 0,
  'cur-status': running,
  'upgrade-status': { step: 0, percent: 0, result: 27, mode: 'none', ...more }
})

test('an Ultra device is idle, installs, is about to restart, or failed and why', () => {
  const step = (more: object, running?: number) => usapi?.read(status(more, running))?.step
  assert.equal(step({}), 'idle')
  assert.equal(step({ result: 2, mode: 'upload' }), 'installing')
  assert.equal(step({}, RUNNING.updating), 'installing')
  assert.equal(step({}, RUNNING.rebooting), 'restart')
  assert.equal(step({ result: 0, mode: 'upload' }), 'restart')
  assert.equal(step({ result: 0 }), 'idle')
  assert.deepEqual(usapi?.read(status({ result: -34, percent: 12 })), { step: 'failed', percent: 12, code: 24 })
  assert.equal(usapi?.read(status({ result: -99 }))?.code, 6)
})

test('the others say it in a word', () => {
  for (const [word, step] of [
    ['idle', 'idle'],
    ['updating', 'installing'],
    ['completed', 'restart'],
    ['failed', 'failed']
  ] as const) {
    assert.equal(mwapi?.read({ status: 0, state: word, 'step-percent': 40 })?.step, step)
    assert.equal(api?.read({ status: 0, state: word, percent: 40 })?.percent, 40)
  }
  assert.equal(mwapi?.read({ status: 0, state: 'failed', 'error-status': 15 })?.code, 15)
  assert.equal(api?.read({ status: 0, state: 'failed' })?.code, 6)
})

test('results come in the hub’s codes, whatever the generation calls them', () => {
  for (const [theirs, ours] of [
    [0, 0],
    [1, 0],
    [-9, 11],
    [-15, 23],
    [-16, 29],
    [-34, 24],
    [-77, 6]
  ])
    assert.equal(usapi?.result({ result: theirs }), ours, `${theirs}`)
  assert.equal(mwapi?.result({ status: 29 }), 29)
  assert.equal(api?.result({ status: 11 }), 11)
})

test('garbage is no answer', () => {
  for (const answer of [
    undefined,
    null,
    7,
    'ok',
    [],
    {},
    { result: '0' },
    { status: {} },
    { result: 0, 'upgrade-status': 1 }
  ])
    for (const upgrade of [usapi, mwapi, api]) {
      assert.equal(upgrade?.read(answer), undefined, JSON.stringify(answer))
      if (!(answer as { result?: number })?.result && (answer as { result?: number })?.result !== 0)
        assert.equal(upgrade?.result(answer), undefined)
    }
  assert.equal(mwapi?.read({ status: 0, state: 'constructor' }), undefined)
  assert.equal(usapi?.read(status({ result: 2, percent: 1e9 }))?.percent, 100)
})

test('third-party devices are not updated', () => assert.equal(UPGRADES.none, undefined))

test.run()
