import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CANCELED,
  CLIENT_NOT_EXIST,
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
import { FIRMWARE_ERRORS } from '../../../contract/firmware.ts'
import { DEVICE_UPDATE_STATE } from '../../../contract/rollout.ts'
import { isKnownCode } from '../../../hub/messages/codes.ts'
import {
  deviceUpdateStatus,
  firmwareErrorLines,
  rolloutStatus,
  updateFailureText
} from '../../../hub/messages/firmware.ts'
import { assertTranslated } from '../../kit/both-languages.ts'

const test = suite('firmware messages')

test('every error has a sentence and a next step in both languages', () => {
  for (const error of FIRMWARE_ERRORS) {
    assertTranslated((language) => firmwareErrorLines(language, error))
    assert.equal(firmwareErrorLines('en', error).length, 2)
  }
})

test('every code of firmware files, updates and rollouts has a sentence in both languages', () => {
  const uploads = [FILE_TYPE_ERROR, FORMAT_ERROR, VERIFY_FAILED, TOO_LARGE, NO_SPACE, TOO_MANY, NEED_MORE_DATA]
  const files = [FILE_EXISTS, OBJECT_BUSY, RANGE_ERROR, NOT_EXIST]
  const starts = [DEVICE_TYPE_ERROR, DEVICE_LOST, DEVICE_BUSY, DATA_LOSS, WRONG_STATE, UNSUPPORTED, NOT_PERMITTED]
  const failures = [CONN_RESET, TIMEOUT, INVALID_DATA, UNKNOWN_ERROR, CANCELED]
  for (const code of [...uploads, ...files, ...starts, ...failures]) {
    assert.ok(isKnownCode(code), String(code))
    assertTranslated((language) => [updateFailureText(language, code)])
  }
})

test('the required space is shown', () => {
  assert.equal(firmwareErrorLines('en', 'space-below-minimum')[0], 'Less than 50 MB free')
})

test('the reason of a failed update is shown with the next step', () => {
  const notInstalled = 'Firmware installation failed. The device keeps its current firmware. Try again.'
  assert.equal(updateFailureText('en', VERIFY_FAILED), notInstalled)
  assert.equal(updateFailureText('zh', VERIFY_FAILED), '固件安装失败。设备保留原有固件，请重试。')
  assert.equal(updateFailureText('en', DEVICE_LOST), 'The device is offline')
  assert.equal(updateFailureText('en', CLIENT_NOT_EXIST), 'The device does not exist')
})

test('every error of firmware but the missing space on the hub is the reason of some failed update', () => {
  const codes = [CONN_RESET, VERIFY_FAILED, DEVICE_BUSY, NOT_EXIST, DEVICE_TYPE_ERROR, NO_SPACE]
  const reasons = codes.map((code) => updateFailureText('en', code))
  for (const error of FIRMWARE_ERRORS)
    if (error !== 'space-below-minimum') assert.ok(reasons.includes(firmwareErrorLines('en', error).join('. ')), error)
})

test('the status of an update includes its progress, or the reason for its failure', () => {
  const statusOf = (state: number, reason?: number) => deviceUpdateStatus('en', { state, progress: 45, reason })
  assert.deepEqual(statusOf(DEVICE_UPDATE_STATE.idle), { tone: 'good', text: 'Updated' })
  assert.deepEqual(statusOf(DEVICE_UPDATE_STATE.updating), { tone: 'busy', text: 'Updating: 45 %' })
  assert.deepEqual(statusOf(DEVICE_UPDATE_STATE.failed, DEVICE_LOST), {
    tone: 'bad',
    text: 'Failed: The device is offline'
  })
  // Cancelled by a user: not an error.
  assert.deepEqual(statusOf(DEVICE_UPDATE_STATE.failed, CANCELED), { tone: 'off', text: 'Cancelled' })
  for (const state of Object.values(DEVICE_UPDATE_STATE))
    assertTranslated((language) => [deviceUpdateStatus(language, { state, progress: 0, reason: TIMEOUT }).text])
})

test('a finished rollout is good only without failures', () => {
  assert.deepEqual(rolloutStatus('en', 'done', 0), { tone: 'good', text: 'Done' })
  assert.deepEqual(rolloutStatus('en', 'done', 1), { tone: 'bad', text: 'Completed with failures' })
  for (const state of ['running', 'paused', 'stopped', 'done', 'cancelled'] as const)
    assertTranslated((language) => [rolloutStatus(language, state, 0).text])
})

test.run()
