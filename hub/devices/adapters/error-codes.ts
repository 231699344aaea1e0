// What a device's code means where it was told to record or to stream: the errors of specification 8, which have names and no numbers,
// by the codes whose documented text says the same. A code that is not here has its own sentence.
import {
  DEVICE_BUSY,
  IN_PROGRESS,
  NO_SPACE,
  NOT_EXIST,
  READ_ONLY,
  TOO_MANY,
  WRONG_STATE
} from '../../../contract/codes.ts'
import type { Action, Meaning } from './adapter.ts'

/** Ultra: 'repeated request' and 'running' (device-api 3.5). */
const ULTRA_DONE = [1, 2]
/** Common list: the same operation is pending, or in progress. */
const COMMON_DONE = [1, IN_PROGRESS]

const nothing = (done: readonly number[]): Meaning => ({ done, reasons: {} })

const ULTRA: Readonly<Record<Action, Meaning>> = {
  reboot: nothing(ULTRA_DONE),
  startRecording: {
    done: ULTRA_DONE,
    reasons: {
      ...{ 3: 'slow-writes', [-19]: 'slow-writes', 4: 'storage-full', [-16]: 'storage-full' },
      ...{ [-20]: 'storage-missing', [-35]: 'no-signal' }
    }
  },
  stopRecording: nothing([1]),
  startLive: { done: ULTRA_DONE, reasons: { [-35]: 'no-signal', [-23]: 'codec-error', [-2]: 'locked' } },
  stopLive: nothing([1])
}

const NEWER: Readonly<Record<Action, Meaning>> = {
  reboot: { done: COMMON_DONE, reasons: { [DEVICE_BUSY]: 'rebooting' } },
  startRecording: {
    done: COMMON_DONE,
    reasons: { [NO_SPACE]: 'storage-full', [NOT_EXIST]: 'storage-missing', [READ_ONLY]: 'read-only' }
  },
  stopRecording: nothing(COMMON_DONE),
  startLive: {
    done: COMMON_DONE,
    reasons: { [NOT_EXIST]: 'none-configured', [TOO_MANY]: 'too-many', [DEVICE_BUSY]: 'operation-running' }
  },
  stopLive: { done: COMMON_DONE, reasons: { [WRONG_STATE]: 'none-active', [DEVICE_BUSY]: 'operation-running' } }
}

export const ultraMeaning = (action: Action): Meaning => ULTRA[action]
export const newerMeaning = (action: Action): Meaning => NEWER[action]
/** The Pro Convert devices neither record nor stream: they restart. */
export const convertMeaning = (): Meaning => ({ done: COMMON_DONE, reasons: { [DEVICE_BUSY]: 'rebooting' } })
