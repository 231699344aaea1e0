// Meaning of the result codes of actions: maps the documented codes of each generation to the error messages of the
// console (docs/wire.md, "Device generations"). A code without an entry is shown with the message of the code
// itself. The console uses it for the responses of devices that a hub passes on unchanged.
import {
  BUFFER_FULL,
  CONN_RESET,
  DEVICE_BUSY,
  DEVICE_LOST,
  FORMAT_ERROR,
  IN_PROGRESS,
  INVALID_ARG,
  NDI_SOURCE_OFFLINE,
  NO_MEMORY,
  NO_RESPONSE,
  NO_SPACE,
  NOT_EXIST,
  NOT_PERMITTED,
  READ_ONLY,
  TOO_MANY,
  UNSUPPORTED,
  WRONG_STATE
} from '../codes.ts'
import type { DeviceApi } from './action.ts'
import type { ActionError } from './live.ts'

/** An action without parameters. */
export type Action = 'reboot' | 'startRecording' | 'stopRecording' | 'startLive' | 'stopLive'

/** Meaning of the result codes of an action. */
export interface CodeMeaning {
  /** Codes for a device that already is in the requested state. They count as success. */
  successCodes: readonly number[]
  /** Codes for which the console has an error message. */
  reasons: Readonly<Record<number, ActionError>>
}

/** Ultra family: 'repeated request' and 'running'. */
const ULTRA_SUCCESS_CODES = [1, 2]
/** Common list: the same operation is pending, or in progress. */
const COMMON_SUCCESS_CODES = [1, IN_PROGRESS]

const withoutReasons = (successCodes: readonly number[]): CodeMeaning => ({ successCodes, reasons: {} })

const ULTRA: Readonly<Record<Action, CodeMeaning>> = {
  reboot: { successCodes: ULTRA_SUCCESS_CODES, reasons: { [-9]: 'operation-running' } },
  startRecording: {
    successCodes: ULTRA_SUCCESS_CODES,
    reasons: {
      3: 'slow-writes',
      [-19]: 'slow-writes',
      4: 'storage-full',
      [-16]: 'storage-full',
      // 'Disk off': the drive was removed.
      15: 'usb-lost',
      [-6]: 'storage-missing',
      [-14]: 'storage-missing',
      [-20]: 'storage-missing',
      [-9]: 'operation-running',
      [-26]: 'read-only',
      [-35]: 'no-signal'
    }
  },
  stopRecording: withoutReasons([1]),
  startLive: {
    successCodes: ULTRA_SUCCESS_CODES,
    reasons: {
      [-2]: 'locked',
      [-6]: 'network-down',
      [-9]: 'operation-running',
      [-10]: 'bad-settings',
      [-21]: 'network-down',
      [-23]: 'codec-error',
      [-35]: 'no-signal',
      // Limits of the sub stream, of deinterlacing, and of the frame rate above 2048x1080.
      [-47]: 'bad-settings',
      [-48]: 'bad-settings',
      [-52]: 'bad-settings',
      [-55]: 'bad-settings',
      [-56]: 'bad-settings'
    }
  },
  stopLive: withoutReasons([1])
}

const NEWER: Readonly<Record<Action, CodeMeaning>> = {
  reboot: { successCodes: COMMON_SUCCESS_CODES, reasons: { [DEVICE_BUSY]: 'rebooting' } },
  startRecording: {
    successCodes: COMMON_SUCCESS_CODES,
    reasons: {
      [NO_MEMORY]: 'system-busy',
      // A Director can record, so what it does not support is the source: its NDI recordings take NDI HX only.
      [UNSUPPORTED]: 'full-ndi-unsupported',
      [DEVICE_BUSY]: 'operation-running',
      [DEVICE_LOST]: 'usb-lost',
      [NOT_EXIST]: 'storage-missing',
      [TOO_MANY]: 'ndi-limit',
      [READ_ONLY]: 'read-only',
      [NO_SPACE]: 'storage-full',
      [BUFFER_FULL]: 'slow-writes',
      [NDI_SOURCE_OFFLINE]: 'ndi-no-signal'
    }
  },
  stopRecording: withoutReasons(COMMON_SUCCESS_CODES),
  startLive: {
    successCodes: COMMON_SUCCESS_CODES,
    reasons: {
      [INVALID_ARG]: 'bad-settings',
      [DEVICE_BUSY]: 'operation-running',
      [NOT_EXIST]: 'none-configured',
      [TOO_MANY]: 'too-many',
      [FORMAT_ERROR]: 'codec-error',
      [NOT_PERMITTED]: 'locked',
      [CONN_RESET]: 'network-down',
      [NO_RESPONSE]: 'network-down'
    }
  },
  stopLive: {
    successCodes: COMMON_SUCCESS_CODES,
    reasons: { [WRONG_STATE]: 'none-active', [DEVICE_BUSY]: 'operation-running' }
  }
}

/** The only action of the Pro Convert devices is to reboot. */
const PRO_CONVERT: CodeMeaning = {
  successCodes: COMMON_SUCCESS_CODES,
  reasons: { [DEVICE_BUSY]: 'rebooting' }
}

/** The meaning of the result codes of an action of a generation. */
export function codeMeaning(api: DeviceApi, action: Action): CodeMeaning {
  if (api === 'mwapi') return PRO_CONVERT
  return (api === 'usapi' ? ULTRA : NEWER)[action]
}

/**
 * The error of a recording or live stream that has ended, or does not run properly. Its `result` in a status is a code
 * of the Ultra family, whichever generation reports it.
 */
export function activityError(kind: 'rec' | 'live', result: number | undefined): ActionError | undefined {
  return result === undefined ? undefined : ULTRA[kind === 'rec' ? 'startRecording' : 'startLive'].reasons[result]
}
