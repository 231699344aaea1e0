import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CLIENT_OFFLINE, TARGET_TIMEOUT, UNSUPPORTED } from '../../../contract/codes.ts'
import type { DeviceHello } from '../../../contract/device/link.ts'
import { noResponseError, offlineError } from '../../../device-link/link-error.ts'
import type { DeviceRequest } from '../../../device-link/request.ts'
import { createDeviceActions } from '../../../hub/devices/actions.ts'

const test = suite('device actions')

/** Actions on a device that responds to every request with `response`. */
function createActions(api: DeviceHello['api'] | undefined, response: unknown, warns = 0) {
  const requests: DeviceRequest[] = []
  const polled: string[] = []
  const actions = createDeviceActions({
    apiOf: () => api,
    observationOf: () => ({ warns, status: {} }),
    async pollNow(sn) {
      polled.push(sn)
    },
    links: {
      async request(_sn, call) {
        requests.push(call)
        if (response instanceof Error) throw response
        const body = Buffer.from(typeof response === 'string' ? response : JSON.stringify(response))
        return { status: 200, headers: {}, body }
      }
    }
  })
  return { ...actions, requests, polled }
}

test('renames and actions are sent in the requests of each generation', async () => {
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
    const { rename, performAction, requests, polled } = createActions(api, answer)
    const results = [await rename('a', 'Hall 2')]
    for (const action of ['reboot', 'startRecording', 'stopRecording', 'startLive', 'stopLive'] as const)
      results.push(await performAction('a', action))
    assert.deepEqual(
      requests.map(({ path }) => path),
      paths
    )
    const succeeded = { result: 0 }
    const unsupported = { result: UNSUPPORTED }
    assert.deepEqual(results, [succeeded, succeeded, ...Array(4).fill(api === 'mwapi' ? unsupported : succeeded)])
    assert.equal(polled.length, paths.length, 'the status is polled after each action')
  }
})

test('the device’s own code is returned with its API, and with a reason if there is one for the code', async () => {
  assert.deepEqual(await createActions('usapi', { result: -9 }).rename('a', 'x'), { result: -9, api: 'usapi' })
  assert.deepEqual(await createActions('mwapi', { status: 31 }).performAction('a', 'reboot'), {
    result: 31,
    api: 'mwapi'
  })
  assert.deepEqual(await createActions('usapi', { result: -16 }).performAction('a', 'startRecording'), {
    result: -16,
    api: 'usapi',
    reason: 'storage-full'
  })
  assert.deepEqual(await createActions('api', { status: 16 }).performAction('a', 'startLive'), {
    result: 16,
    api: 'api',
    reason: 'none-configured'
  })
})

test('a code for an action that is already in progress is a success', async () => {
  assert.deepEqual(await createActions('usapi', { result: 1 }).performAction('a', 'reboot'), { result: 0 })
  assert.deepEqual(await createActions('usapi', { result: 2 }).performAction('a', 'startLive'), { result: 0 })
  assert.deepEqual(await createActions('usapi', { result: 1 }).rename('a', 'x'), { result: 1, api: 'usapi' })
})

test('code 38 (wrong state) of a newer device has the reason no-signal only if its status has that warning', async () => {
  const wrong = { result: 38, api: 'api' }
  assert.deepEqual(await createActions('api', { status: 38 }, 1).performAction('a', 'startLive'), {
    ...wrong,
    reason: 'no-signal'
  })
  assert.deepEqual(await createActions('api', { status: 38 }, 2).performAction('a', 'startLive'), wrong)
  assert.deepEqual(await createActions('api', { status: 38 }, 1).performAction('a', 'stopRecording'), wrong)
})

test('the result of a rename shows whether a reboot is needed', async () => {
  const response = { status: 0, 'ext-need-reboot': true }
  assert.deepEqual(await createActions('api', response).rename('a', 'x'), { result: 0, 'ext-need-reboot': true })
})

test('a rename of a device without an API, or of an unknown device, is not supported', async () => {
  for (const api of ['none', undefined] as const) {
    const { rename, requests } = createActions(api, {})
    assert.deepEqual(await rename('a', 'x'), { result: UNSUPPORTED })
    assert.equal(requests.length, 0)
  }
})

test('a response without a code counts as a timeout, as no response does', async () => {
  for (const response of [
    'garbage',
    {},
    { result: '0' },
    { status: 0 },
    null,
    noResponseError('no response within 5 s')
  ])
    assert.deepEqual(
      await createActions('usapi', response).performAction('a', 'reboot'),
      { result: TARGET_TIMEOUT },
      String(response)
    )
  assert.deepEqual(await createActions('usapi', offlineError('a')).performAction('a', 'reboot'), {
    result: CLIENT_OFFLINE
  })
})

test('an action does not wait for a poll that takes too long', async () => {
  const actions = createDeviceActions({
    apiOf: () => 'usapi',
    observationOf: () => undefined,
    pollNow: () => new Promise(() => {}),
    links: { request: async () => ({ status: 200, headers: {}, body: Buffer.from('{"result":0}') }) },
    timing: { response: 50, poll: 20 }
  })
  assert.deepEqual(await actions.performAction('a', 'reboot'), { result: 0 })
})

test.run()
