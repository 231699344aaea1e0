import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { AUTH_FAILED, CLIENT_NOT_EXIST, CONN_REFUSED, NO_RESPONSE, VERIFY_FAILED } from '../../../../contract/codes.ts'
import { retryDelay } from '../../../../hub/devices/address/reachability.ts'

const test = suite('reachability of devices at addresses')

const MINUTE = 60_000
/** Of the product. */
const RETRY = [2500, 15_000] as const
const delayAfter = (away: number, trouble: number | undefined = NO_RESPONSE, devices = 500) =>
  retryDelay({ trouble, away, devices }, RETRY, MINUTE)

test('a device that was away for minutes is looked for every 2.5 s, and after half an hour every 15 s', () => {
  assert.deepEqual(
    [0, MINUTE, 5 * MINUTE].map((away) => delayAfter(away)),
    [2500, 2500, 2500]
  )
  assert.deepEqual(
    [10 * MINUTE, 30 * MINUTE, 24 * 60 * MINUTE].map((away) => delayAfter(away)),
    [5000, 15_000, 15_000]
  )
  assert.equal(delayAfter(MINUTE, CONN_REFUSED), 2500)
})

test('1000 devices that are away get 200 connections a second', () => {
  assert.equal(delayAfter(0, NO_RESPONSE, 1000), 5000)
})

test('after another certificate or another device at the address a minute passes, and a refused login is never repeated', () => {
  assert.deepEqual(
    [VERIFY_FAILED, CLIENT_NOT_EXIST, AUTH_FAILED].map((trouble) => delayAfter(0, trouble)),
    [MINUTE, MINUTE, undefined]
  )
})

test.run()
