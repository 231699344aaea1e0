import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { TARGET_TIMEOUT, UNSUPPORTED } from '../../../contract/codes.ts'
import type { DeviceHello } from '../../../contract/link.ts'
import { createDeviceActions } from '../../../hub/devices/actions.ts'
import type { DeviceRequest } from '../../../hub/devices/request.ts'

const test = suite('actions')

function device(api: DeviceHello['api'] | undefined, answer: unknown) {
  const asked: DeviceRequest[] = []
  const actions = createDeviceActions({
    apiOf: () => api,
    links: {
      async request(_sn, call) {
        asked.push(call)
        const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer))
        return { status: 200, headers: {}, body }
      }
    }
  })
  return { ...actions, asked }
}

test('each generation is renamed and rebooted in its own words', async () => {
  for (const [api, answer, paths] of [
    ['usapi', { result: 0 }, ['/usapi?method=set-name&name=Hall%202', '/usapi?method=reboot']],
    ['mwapi', { status: 0 }, ['/mwapi?method=set-eth-config&name=Hall%202', '/mwapi?method=reboot']],
    ['api', { status: 0 }, ['/api/system/set-device-name', '/api/reboot']]
  ] as const) {
    const { rename, reboot, asked } = device(api, answer)
    assert.deepEqual([await rename('a', 'Hall 2'), await reboot('a')], [0, 0])
    assert.deepEqual(
      asked.map(({ path }) => path),
      paths
    )
  }
})

test('the device’s own code is passed on; a reboot that is under way already is what was asked for', async () => {
  assert.equal(await device('usapi', { result: -9 }).rename('a', 'x'), -9)
  assert.equal(await device('mwapi', { status: 31 }).reboot('a'), 31)
  assert.equal(await device('usapi', { result: 1 }).reboot('a'), 0)
  assert.equal(await device('usapi', { result: 1 }).rename('a', 'x'), 1)
})

test('a device without an API, and one nobody knows, cannot be asked', async () => {
  for (const api of ['none', undefined] as const) {
    const { rename, asked } = device(api, {})
    assert.equal(await rename('a', 'x'), UNSUPPORTED)
    assert.equal(asked.length, 0)
  }
})

test('an answer without a code is no answer', async () => {
  for (const answer of ['garbage', {}, { result: '0' }, { status: 0 }, null])
    await assert.rejects(device('usapi', answer).reboot('a'), { code: TARGET_TIMEOUT }, JSON.stringify(answer))
})

test.run()
