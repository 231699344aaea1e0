import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CLIENT_OFFLINE, TARGET_TIMEOUT, UNSUPPORTED } from '../../../contract/codes.ts'
import type { DeviceHello } from '../../../contract/device/link.ts'
import { createDeviceActions } from '../../../hub/devices/actions.ts'
import { noAnswer, offline } from '../../../hub/devices/link/link-error.ts'
import type { DeviceRequest } from '../../../hub/devices/link/request.ts'

const test = suite('actions')

function device(api: DeviceHello['api'] | undefined, answer: unknown, warns = 0) {
  const asked: DeviceRequest[] = []
  const looked: string[] = []
  const actions = createDeviceActions({
    apiOf: () => api,
    observed: () => ({ warns, status: {} }),
    async look(sn) {
      looked.push(sn)
    },
    links: {
      async request(_sn, call) {
        asked.push(call)
        if (answer instanceof Error) throw answer
        const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer))
        return { status: 200, headers: {}, body }
      }
    }
  })
  return { ...actions, asked, looked }
}

test('each generation is renamed and told in its own words', async () => {
  for (const [api, answer, paths] of [
    [
      'usapi',
      { result: 0 },
      ['set-name&name=Hall%202', 'reboot', 'start-rec', 'stop-rec', 'start-live', 'stop-live'].map(
        (method) => `/usapi?method=${method}`
      )
    ],
    ['mwapi', { status: 0 }, ['/mwapi?method=set-eth-config&name=Hall%202', '/mwapi?method=reboot']],
    [
      'api',
      { status: 0 },
      ['system/set-device-name', 'reboot', 'record/start-record', 'record/stop-record']
        .concat('live/start-quick-stream', 'live/stop-quick-stream')
        .map((path) => `/api/${path}`)
    ]
  ] as const) {
    const { rename, act, asked, looked } = device(api, answer)
    const results = [await rename('a', 'Hall 2')]
    for (const action of ['reboot', 'startRecording', 'stopRecording', 'startLive', 'stopLive'] as const)
      results.push(await act('a', action))
    assert.deepEqual(
      asked.map(({ path }) => path),
      paths
    )
    const done = { result: 0 }
    const cannot = { result: UNSUPPORTED }
    assert.deepEqual(results, [done, done, ...Array(4).fill(api === 'mwapi' ? cannot : done)])
    assert.equal(looked.length, paths.length, 'after each it is asked how it is')
  }
})

test('the device’s own code is passed on as its own, with the specification’s reason where there is one', async () => {
  assert.deepEqual(await device('usapi', { result: -9 }).rename('a', 'x'), { result: -9, api: 'usapi' })
  assert.deepEqual(await device('mwapi', { status: 31 }).act('a', 'reboot'), { result: 31, api: 'mwapi' })
  assert.deepEqual(await device('usapi', { result: -16 }).act('a', 'startRecording'), {
    result: -16,
    api: 'usapi',
    reason: 'storage-full'
  })
  assert.deepEqual(await device('api', { status: 16 }).act('a', 'startLive'), {
    result: 16,
    api: 'api',
    reason: 'none-configured'
  })
})

test('what is under way already is what was asked for', async () => {
  assert.deepEqual(await device('usapi', { result: 1 }).act('a', 'reboot'), { result: 0 })
  assert.deepEqual(await device('usapi', { result: 2 }).act('a', 'startLive'), { result: 0 })
  assert.deepEqual(await device('usapi', { result: 1 }).rename('a', 'x'), { result: 1, api: 'usapi' })
})

test('a newer device in the wrong state has no signal where it says so, and else says no more', async () => {
  const wrong = { result: 38, api: 'api' }
  assert.deepEqual(await device('api', { status: 38 }, 1).act('a', 'startLive'), { ...wrong, reason: 'no-signal' })
  assert.deepEqual(await device('api', { status: 38 }, 2).act('a', 'startLive'), wrong)
  assert.deepEqual(await device('api', { status: 38 }, 1).act('a', 'stopRecording'), wrong)
})

test('that a name takes effect with the next start is told', async () => {
  const answer = { status: 0, 'ext-need-reboot': true }
  assert.deepEqual(await device('api', answer).rename('a', 'x'), { result: 0, 'ext-need-reboot': true })
})

test('a device without an API, and one nobody knows, cannot be asked', async () => {
  for (const api of ['none', undefined] as const) {
    const { rename, asked } = device(api, {})
    assert.deepEqual(await rename('a', 'x'), { result: UNSUPPORTED })
    assert.equal(asked.length, 0)
  }
})

test('an answer without a code is no answer, and neither is silence', async () => {
  for (const answer of ['garbage', {}, { result: '0' }, { status: 0 }, null, noAnswer('no answer within 5 s')])
    assert.deepEqual(await device('usapi', answer).act('a', 'reboot'), { result: TARGET_TIMEOUT }, String(answer))
  assert.deepEqual(await device('usapi', offline('a')).act('a', 'reboot'), { result: CLIENT_OFFLINE })
})

test('a look that takes too long is not waited for', async () => {
  const actions = createDeviceActions({
    ...{ apiOf: () => 'usapi' as const, observed: () => undefined, look: () => new Promise(() => {}) },
    links: { request: async () => ({ status: 200, headers: {}, body: Buffer.from('{"result":0}') }) },
    timing: { answer: 50, look: 20 }
  })
  assert.deepEqual(await actions.act('a', 'reboot'), { result: 0 })
})

test.run()
