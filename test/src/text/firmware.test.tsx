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
import { FIRMWARE_ERRORS } from '../../../contract/firmware.ts'
import { codeText, isKnownCode } from '../../../src/text/codes.ts'
import { firmwareText } from '../../../src/text/firmware.ts'
import { areSaid } from './both.ts'

const test = suite('firmware errors')

test('every error is said in both languages, with what to do next', () => {
  for (const error of FIRMWARE_ERRORS) {
    areSaid(() => firmwareText(error))
    assert.equal(firmwareText(error).length, 2)
  }
})

test('every code that files, updates and rollouts are answered with is said in both languages', () => {
  const uploads = [FILE_TYPE_ERROR, FORMAT_ERROR, VERIFY_FAILED, TOO_LARGE, NO_SPACE, TOO_MANY, NEED_MORE_DATA]
  const files = [FILE_EXISTS, OBJECT_BUSY, RANGE_ERROR, NOT_EXIST]
  const begins = [DEVICE_TYPE_ERROR, DEVICE_LOST, DEVICE_BUSY, DATA_LOSS, WRONG_STATE, UNSUPPORTED, NOT_PERMITTED]
  const ends = [CONN_RESET, TIMEOUT, INVALID_DATA, UNKNOWN_ERROR, CANCELED]
  for (const code of [...uploads, ...files, ...begins, ...ends]) {
    assert.ok(isKnownCode(code), String(code))
    areSaid(() => [codeText(code)])
  }
})

test('the space that is needed is said', () => {
  assert.equal(firmwareText('space-below-minimum')[0], 'Less than 50 MB of space')
})

test.run()
