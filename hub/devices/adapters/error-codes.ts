// Meaning of the result codes of actions: maps the documented codes of each generation to the error messages of the console
// (docs/wire.md, "Result codes"). A code without an entry is shown with the message of the code itself.
import {
  DEVICE_BUSY,
  IN_PROGRESS,
  NO_SPACE,
  NOT_EXIST,
  READ_ONLY,
  TOO_MANY,
  WRONG_STATE
} from '../../../contract/codes.ts'
import type { Action, CodeMeaning } from './adapter.ts'

/** Ultra family: 'repeated request' and 'running'. */
const ULTRA_SUCCESS_CODES = [1, 2]
/** Common list: the same operation is pending, or in progress. */
const COMMON_SUCCESS_CODES = [1, IN_PROGRESS]

const withoutReasons = (successCodes: readonly number[]): CodeMeaning => ({ successCodes, reasons: {} })

const ULTRA: Readonly<Record<Action, CodeMeaning>> = {
  reboot: withoutReasons(ULTRA_SUCCESS_CODES),
  startRecording: {
    successCodes: ULTRA_SUCCESS_CODES,
    reasons: {
      3: 'slow-writes',
      [-19]: 'slow-writes',
      4: 'storage-full',
      [-16]: 'storage-full',
      [-20]: 'storage-missing',
      [-35]: 'no-signal'
    }
  },
  stopRecording: withoutReasons([1]),
  startLive: {
    successCodes: ULTRA_SUCCESS_CODES,
    reasons: { [-35]: 'no-signal', [-23]: 'codec-error', [-2]: 'locked' }
  },
  stopLive: withoutReasons([1])
}

const NEWER: Readonly<Record<Action, CodeMeaning>> = {
  reboot: { successCodes: COMMON_SUCCESS_CODES, reasons: { [DEVICE_BUSY]: 'rebooting' } },
  startRecording: {
    successCodes: COMMON_SUCCESS_CODES,
    reasons: { [NO_SPACE]: 'storage-full', [NOT_EXIST]: 'storage-missing', [READ_ONLY]: 'read-only' }
  },
  stopRecording: withoutReasons(COMMON_SUCCESS_CODES),
  startLive: {
    successCodes: COMMON_SUCCESS_CODES,
    reasons: { [NOT_EXIST]: 'none-configured', [TOO_MANY]: 'too-many', [DEVICE_BUSY]: 'operation-running' }
  },
  stopLive: {
    successCodes: COMMON_SUCCESS_CODES,
    reasons: { [WRONG_STATE]: 'none-active', [DEVICE_BUSY]: 'operation-running' }
  }
}

export const usapiCodeMeaning = (action: Action): CodeMeaning => ULTRA[action]
export const apiCodeMeaning = (action: Action): CodeMeaning => NEWER[action]
/** The only action of the Pro Convert devices is to reboot. */
export const mwapiCodeMeaning = (): CodeMeaning => ({
  successCodes: COMMON_SUCCESS_CODES,
  reasons: { [DEVICE_BUSY]: 'rebooting' }
})
