import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CANCELED,
  CONN_RESET,
  DATA_LOSS,
  DEVICE_BUSY,
  DEVICE_LOST,
  DEVICE_TYPE_ERROR,
  FILE_EXISTS,
  FILE_TYPE_ERROR,
  FORMAT_ERROR,
  INVALID_DATA,
  NEED_MORE_DATA,
  NO_SPACE,
  NOT_EXIST,
  NOT_PERMITTED,
  OBJECT_BUSY,
  RANGE_ERROR,
  TIMEOUT,
  TOO_LARGE,
  TOO_MANY,
  UNKNOWN_ERROR,
  UNSUPPORTED,
  VERIFY_FAILED,
  WRONG_STATE
} from '../../../contract/codes.ts'
import { FIRMWARE_ERRORS, UPDATE } from '../../../contract/firmware.ts'
import { isKnownCode } from '../../../hub/messages/codes.ts'
import { firmwareText, rolloutStanding, updateStanding, updateText } from '../../../hub/messages/firmware.ts'
import { areSaid } from '../../kit/both.ts'

const test = suite('firmware errors')

test('every error is said in both languages, with what to do next', () => {
  for (const error of FIRMWARE_ERRORS) {
    areSaid((language) => firmwareText(language, error))
    assert.equal(firmwareText('en', error).length, 2)
  }
})

test('every code that files, updates and rollouts are answered with is said in both languages', () => {
  const uploads = [FILE_TYPE_ERROR, FORMAT_ERROR, VERIFY_FAILED, TOO_LARGE, NO_SPACE, TOO_MANY, NEED_MORE_DATA]
  const files = [FILE_EXISTS, OBJECT_BUSY, RANGE_ERROR, NOT_EXIST]
  const begins = [DEVICE_TYPE_ERROR, DEVICE_LOST, DEVICE_BUSY, DATA_LOSS, WRONG_STATE, UNSUPPORTED, NOT_PERMITTED]
  const ends = [CONN_RESET, TIMEOUT, INVALID_DATA, UNKNOWN_ERROR, CANCELED]
  for (const code of [...uploads, ...files, ...begins, ...ends]) {
    assert.ok(isKnownCode(code), String(code))
    areSaid((language) => [updateText(language, code)])
  }
})

test('the space that is needed is said', () => {
  assert.equal(firmwareText('en', 'space-below-minimum')[0], 'Less than 50 MB of space')
})

test('a reason says what it means for the update, and what to do', () => {
  const kept = 'The firmware could not be installed. The device keeps the one it has. Try again.'
  assert.equal(updateText('en', VERIFY_FAILED), kept)
  assert.equal(updateText('zh', VERIFY_FAILED), '固件安装失败。设备保留原有固件，请重试。')
  assert.equal(updateText('en', DEVICE_LOST), 'The device is offline')
})

test('how an update stands is said with its percent, or with why it failed', () => {
  const said = (state: number, reason?: number) => updateStanding('en', { state, progress: 45, reason })
  assert.deepEqual(said(UPDATE.idle), { tone: 'good', text: 'Updated' })
  assert.deepEqual(said(UPDATE.updating), { tone: 'busy', text: 'Updating: 45 %' })
  assert.deepEqual(said(UPDATE.failed, DEVICE_LOST), { tone: 'bad', text: 'Failed: The device is offline' })
  // That was somebody's wish.
  assert.deepEqual(said(UPDATE.failed, CANCELED), { tone: 'off', text: 'Cancelled' })
  for (const state of Object.values(UPDATE))
    areSaid((language) => [updateStanding(language, { state, progress: 0, reason: TIMEOUT }).text])
})

test('a rollout that is over is good only where nothing failed', () => {
  assert.deepEqual(rolloutStanding('en', 'done', 0), { tone: 'good', text: 'Done' })
  assert.deepEqual(rolloutStanding('en', 'done', 1), { tone: 'bad', text: 'Ended with failures' })
  for (const state of ['running', 'paused', 'stopped', 'done', 'cancelled'] as const)
    areSaid((language) => [rolloutStanding(language, state, 0).text])
})

test.run()
