// How each generation of devices is updated: where the file goes, what starts the installation, what tells how far it is. Results are
// the hub's own codes, whatever the generation calls them.
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
import { RUNNING } from '../../../contract/device/device.ts'
import type { DeviceHello } from '../../../contract/device/link.ts'
import type { DeviceRequest } from '../link/request.ts'
import { answerCode, fields, integer, measured } from './fields.ts'

/** What a device says of its update. `restart`: all is written, and it restarts by itself or waits to be told. */
export interface UpgradeReading {
  step: 'idle' | 'installing' | 'restart' | 'failed'
  /** Percent of the installation. */
  percent: number
  /** With `failed`: why. */
  code: number
}

export interface Upgrade {
  /** Where the file is posted, as part `file` of a form. */
  readonly path: string
  /** Installs the file that was posted last. */
  readonly start: DeviceRequest
  readonly progress: DeviceRequest
  readonly reboot: DeviceRequest
  /** The result of an upload or a start; undefined for what is no answer. */
  result(answer: unknown): number | undefined
  /** @returns undefined for what is no answer */
  read(answer: unknown): UpgradeReading | undefined
}

/** Codes of device-api 3.5 in the hub's words. That the same is under way already is what was asked for. */
const ULTRA: Readonly<Record<number, number>> = {
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
  return code === undefined ? undefined : (ULTRA[code] ?? UNKNOWN_ERROR)
}

const usapi: Upgrade = {
  path: '/usapi?method=upload-update-file',
  start: { method: 'GET', path: '/usapi?method=update&mode=upload' },
  progress: { method: 'GET', path: '/usapi?method=get-status' },
  reboot: { method: 'GET', path: '/usapi?method=reboot' },
  result: (answer) => ultraResult(answerCode(fields(answer).result)),
  read(answer) {
    const status = fields(answer)
    if (answerCode(status.result) !== SUCCESS) return undefined
    const upgrade = fields(status['upgrade-status'])
    const running = integer(status['cur-status'], 0, 0xffff_ffff) ?? 0
    const result = answerCode(upgrade.result)
    if (result === undefined) return undefined
    const percent = measured(upgrade.percent, 0, 100) ?? 0
    if ((running & RUNNING.rebooting) !== 0) return { step: 'restart', percent: 100, code: SUCCESS }
    if (result < 0) return { step: 'failed', percent, code: ULTRA[result] ?? UNKNOWN_ERROR }
    if (result === ULTRA_RUNNING || (running & RUNNING.updating) !== 0)
      return { step: 'installing', percent, code: SUCCESS }
    // 'None' when idle (device-api 3.3): anything else with a good result has come to its end.
    const over = result !== ULTRA_IDLE && typeof upgrade.mode === 'string' && upgrade.mode !== 'none'
    return { step: over ? 'restart' : 'idle', percent, code: SUCCESS }
  }
}

/** The other generations answer with codes of the common list, in `status`. */
const commonResult = (answer: unknown) => answerCode(fields(answer).status)

/** As they call them (device-api 4.1). */
const STEPS = new Map<unknown, UpgradeReading['step']>([
  ['idle', 'idle'],
  ['updating', 'installing'],
  ['completed', 'restart'],
  ['failed', 'failed']
])

/** Reads a state in one of those words. */
function readState(answer: unknown, percent: unknown): UpgradeReading | undefined {
  const { state, 'error-status': error } = fields(answer)
  if (commonResult(answer) !== SUCCESS) return undefined
  const step = STEPS.get(state)
  if (!step) return undefined
  const code = step === 'failed' ? answerCode(error) || UNKNOWN_ERROR : SUCCESS
  return { step, percent: measured(percent, 0, 100) ?? 0, code }
}

const mwapi: Upgrade = {
  path: '/mwapi?method=upload-update-file',
  // Of the modes only this one is public.
  start: { method: 'GET', path: '/mwapi?method=update&mode=manual' },
  progress: { method: 'GET', path: '/mwapi?method=get-update-state' },
  reboot: { method: 'GET', path: '/mwapi?method=reboot' },
  result: commonResult,
  read: (answer) => readState(answer, fields(answer)['step-percent'])
}

const post = (path: string, body: object): DeviceRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body)
})

const api: Upgrade = {
  path: '/api/system/upload-fw',
  start: post('/api/upgrade/update', { 'is-online': false, mode: 0, timeout: 600 }),
  // 'Upgrade state get' is public, its path and its fields are not: these are ours, as `get-update-state` has them.
  progress: { method: 'GET', path: '/api/upgrade/state' },
  reboot: post('/api/reboot', {}),
  result: commonResult,
  read: (answer) => readState(answer, fields(answer).percent)
}

/** By the API that a device answers. Third-party devices answer none, and are not updated through the hub. */
export const UPGRADES: Readonly<Record<DeviceHello['api'], Upgrade | undefined>> = {
  usapi,
  mwapi,
  api,
  none: undefined
}
