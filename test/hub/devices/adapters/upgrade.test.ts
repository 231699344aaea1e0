import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_STATUS_BITS } from '../../../../contract/device/status.ts'
import { upgradeAdapterOf } from '../../../../hub/devices/adapters/upgrade.ts'

const test = suite('upgrade adapters')
const [usapi, mwapi, api] = ['usapi', 'mwapi', 'api'].map(upgradeAdapterOf)

const status = (more: object, running = 0) => ({
  result: 0,
  'cur-status': running,
  'upgrade-status': { step: 0, percent: 0, result: 27, mode: 'none', ...more }
})

test('the step of an Ultra device is read from its status, with the code of a failure', () => {
  const step = (more: object, running?: number) => usapi?.readProgress(status(more, running))?.step
  assert.equal(step({}), 'idle')
  assert.equal(step({ result: 2, mode: 'upload' }), 'installing')
  assert.equal(step({}, DEVICE_STATUS_BITS.updating), 'installing')
  assert.equal(step({}, DEVICE_STATUS_BITS.rebooting), 'restart')
  assert.equal(step({ result: 0, mode: 'upload' }), 'restart')
  assert.equal(step({ result: 0 }), 'idle')
  assert.deepEqual(usapi?.readProgress(status({ result: -34, percent: 12 })), { step: 'failed', percent: 12, code: 24 })
  assert.equal(usapi?.readProgress(status({ result: -99 }))?.code, 6)
})

test('the step of other devices is read from the state', () => {
  for (const [word, step] of [
    ['idle', 'idle'],
    ['updating', 'installing'],
    ['completed', 'restart'],
    ['failed', 'failed']
  ] as const) {
    assert.equal(mwapi?.readProgress({ status: 0, state: word, 'step-percent': 40 })?.step, step)
    assert.equal(api?.readProgress({ status: 0, state: word, percent: 40 })?.percent, 40)
  }
  assert.equal(mwapi?.readProgress({ status: 0, state: 'failed', 'error-status': 15 })?.code, 15)
  assert.equal(api?.readProgress({ status: 0, state: 'failed' })?.code, 6)
})

test('result codes of all generations are translated into those of the hub', () => {
  for (const [theirs, ours] of [
    [0, 0],
    [1, 0],
    [-9, 11],
    [-15, 23],
    [-16, 29],
    [-34, 24],
    [-77, 6]
  ])
    assert.equal(usapi?.resultCode({ result: theirs }), ours, `${theirs}`)
  assert.equal(mwapi?.resultCode({ status: 29 }), 29)
  assert.equal(api?.resultCode({ status: 11 }), 11)
})

test('an invalid response is not read', () => {
  for (const response of [
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
      assert.equal(upgrade?.readProgress(response), undefined, JSON.stringify(response))
      if (!(response as { result?: number })?.result && (response as { result?: number })?.result !== 0)
        assert.equal(upgrade?.resultCode(response), undefined)
    }
  assert.equal(mwapi?.readProgress({ status: 0, state: 'constructor' }), undefined)
  assert.equal(usapi?.readProgress(status({ result: 2, percent: 1e9 }))?.percent, 100)
})

test('there is no upgrade adapter for devices without an API', () => assert.equal(upgradeAdapterOf('none'), undefined))

test.run()
