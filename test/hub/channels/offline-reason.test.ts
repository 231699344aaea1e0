import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { AUTH_FAILED, CONN_REFUSED, VERIFY_FAILED } from '../../../contract/codes.ts'
import { offlineReason } from '../../../hub/channels/offline-reason.ts'

const test = suite('reasons of offline devices')

/** @param trouble why the hub does not reach its address; undefined for a device with a link */
const reasonWith = (trouble: number | undefined, updating: string[] = []) =>
  offlineReason(
    {
      store: { rollouts: { updatingDevices: () => new Set(updating) } },
      addressedDevices: {
        addressInfo: () =>
          trouble === undefined ? undefined : { address: '192.0.2.9', port: 80, https: true, trouble }
      }
    },
    'A'
  )

test('a refused login and a changed certificate are named', () => {
  assert.deepEqual(
    [undefined, CONN_REFUSED, AUTH_FAILED, VERIFY_FAILED].map((trouble) => reasonWith(trouble)),
    ['device-offline', 'device-offline', 'device-login', 'device-certificate']
  )
})

test('a device whose firmware is being updated is never said to be without power', () => {
  assert.equal(reasonWith(undefined, ['A']), 'device-updating')
  assert.equal(reasonWith(CONN_REFUSED, ['A']), 'device-updating')
  assert.equal(reasonWith(CONN_REFUSED, ['B']), 'device-offline')
})

test.run()
