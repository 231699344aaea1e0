// Firmware update of each device generation: upload path, start, progress, reboot. Result codes of the Ultra family are
// translated into those of the hub.
import {
  DEVICE_BUSY,
  DEVICE_TYPE_ERROR,
  FILE_TYPE_ERROR,
  INVALID_ARG,
  NO_SPACE,
  NOT_EXIST,
  NOT_PERMITTED,
  SUCCESS,
  TIMEOUT,
  UNKNOWN_ERROR,
  VERIFY_FAILED
} from '../../../contract/codes.ts'
import type { DeviceApi } from '../../../contract/device/action.ts'
import { apiDefinition } from '../../../contract/device/api-definitions.ts'
import { DEVICE_STATUS_BITS } from '../../../contract/device/status.ts'
import type { DeviceRequest } from '../../../device-link/request.ts'
import { buildRequest, requestPath } from './api-request.ts'
import { clampedNumber, fields, integer, resultCode } from './fields.ts'

/**
 * Progress of an update. `restart`: the installation is complete, and the device restarts by itself or waits for a
 * reboot request.
 */
export interface UpgradeProgress {
  step: 'idle' | 'installing' | 'restart' | 'failed'
  /** Progress of the installation in percent. */
  percent: number
  /** Result code if `step` is `failed`; otherwise 0. */
  code: number
}

export interface UpgradeAdapter {
  /** Path to which the file is posted, as part `file` of a form. */
  readonly uploadPath: string
  /** Installs the file that was uploaded last. */
  readonly startRequest: DeviceRequest
  readonly progressRequest: DeviceRequest
  readonly rebootRequest: DeviceRequest
  /** Result code of an upload or a start; undefined if the response is invalid. */
  resultCode(response: unknown): number | undefined
  /** @returns undefined if the response is invalid */
  readProgress(response: unknown): UpgradeProgress | undefined
}

/** Codes of the Ultra family, translated. 1 (the same request is in progress) counts as success. */
const ULTRA_CODES: Readonly<Record<number, number>> = {
  0: SUCCESS,
  1: SUCCESS,
  [-8]: VERIFY_FAILED,
  [-9]: DEVICE_BUSY,
  [-2]: DEVICE_BUSY,
  [-10]: INVALID_ARG,
  [-12]: TIMEOUT,
  [-14]: NOT_EXIST,
  [-15]: FILE_TYPE_ERROR,
  [-16]: NO_SPACE,
  [-26]: NOT_PERMITTED,
  [-34]: DEVICE_TYPE_ERROR
}
const ULTRA_RUNNING = 2
const ULTRA_IDLE = 27

function ultraResult(code: number | undefined): number | undefined {
  return code === undefined ? undefined : (ULTRA_CODES[code] ?? UNKNOWN_ERROR)
}

/** Meaning of the responses of a generation. Both functions get the device's own result code. */
interface UpgradeReader {
  translateCode(code: number | undefined): number | undefined
  /** @returns undefined if the response is invalid */
  readProgress(response: unknown): UpgradeProgress | undefined
}

const usapi: UpgradeReader = {
  translateCode: ultraResult,
  readProgress(response) {
    const status = fields(response)
    const upgrade = fields(status['upgrade-status'])
    const running = integer(status['cur-status'], 0, 0xffff_ffff) ?? 0
    const result = resultCode(upgrade.result)
    if (result === undefined) return undefined
    const percent = clampedNumber(upgrade.percent, 0, 100) ?? 0
    if ((running & DEVICE_STATUS_BITS.rebooting) !== 0) return { step: 'restart', percent: 100, code: SUCCESS }
    if (result < 0) return { step: 'failed', percent, code: ULTRA_CODES[result] ?? UNKNOWN_ERROR }
    if (result === ULTRA_RUNNING || (running & DEVICE_STATUS_BITS.updating) !== 0)
      return { step: 'installing', percent, code: SUCCESS }
    // The mode is 'none' when idle. With any other mode, a success code means that the installation is complete.
    const isComplete = result !== ULTRA_IDLE && typeof upgrade.mode === 'string' && upgrade.mode !== 'none'
    return { step: isComplete ? 'restart' : 'idle', percent, code: SUCCESS }
  }
}

/** Steps by the `state` of a device. */
const STEPS = new Map<unknown, UpgradeProgress['step']>([
  ['idle', 'idle'],
  ['updating', 'installing'],
  ['completed', 'restart'],
  ['failed', 'failed']
])

/** Reads the progress from a state in `STEPS`. */
function readState(response: unknown, percent: unknown): UpgradeProgress | undefined {
  const { state, 'error-status': error } = fields(response)
  const step = STEPS.get(state)
  if (!step) return undefined
  const code = step === 'failed' ? resultCode(error) || UNKNOWN_ERROR : SUCCESS
  return { step, percent: clampedNumber(percent, 0, 100) ?? 0, code }
}

/** The other generations have the codes of the common list. */
const translateCommonCode = (code: number | undefined) => code

const READERS: Readonly<Record<DeviceApi, UpgradeReader>> = {
  usapi,
  mwapi: {
    translateCode: translateCommonCode,
    readProgress: (response) => readState(response, fields(response)['step-percent'])
  },
  api: {
    translateCode: translateCommonCode,
    readProgress: (response) => readState(response, fields(response).percent)
  }
}

/**
 * @param name API in the hello of a device. @returns undefined for a device without an API: it cannot be updated
 * through the hub
 */
export function upgradeAdapterOf(name: string): UpgradeAdapter | undefined {
  const definition = apiDefinition(name)
  if (!definition) return undefined
  const { generation, codeField, requests } = definition
  const reader = READERS[generation]
  const code = (response: unknown) => resultCode(fields(response)[codeField])
  return {
    uploadPath: requestPath(definition, requests.uploadFirmware),
    startRequest: buildRequest(definition, requests.installFirmware),
    progressRequest: buildRequest(definition, requests.installationState),
    rebootRequest: buildRequest(definition, requests.reboot),
    resultCode: (response) => reader.translateCode(code(response)),
    readProgress: (response) => (code(response) === SUCCESS ? reader.readProgress(response) : undefined)
  }
}
