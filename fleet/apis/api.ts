// API of the Director and newer devices (docs/wire.md, "Device generations"). Values whose fields the vendor does not
// document (signal, storage, running state) are part of the basic information, under the field names of the Ultra
// family.
import {
  DEVICE_BUSY,
  DEVICE_TYPE_ERROR,
  FILE_TYPE_ERROR,
  IN_PROGRESS,
  INVALID_ARG,
  NO_SPACE,
  NOT_EXIST,
  SUCCESS,
  UNSUPPORTED,
  VERIFY_FAILED,
  WRITE_FAILED,
  WRONG_STATE
} from '../../contract/codes.ts'
import type { StartResult } from '../machine.ts'
import { isDirector } from '../roster.ts'
import type { UpgradeResult } from '../upgrade.ts'
import { type ApiRequest, type Appliance, createAddresses, formatTime, isDeviceName } from './appliance.ts'
import { diskInfo } from './disk-info.ts'
import { faultCode } from './faults.ts'
import { UPGRADE_RESULT_CODES } from './upgrade-codes.ts'
import { activities, inputSignal, newerFirmware, operationBits, statusBits } from './usapi.ts'

const NAMES: Readonly<Record<number, string>> = {
  [SUCCESS]: 'MW_STATUS_SUCCESS',
  [INVALID_ARG]: 'MW_STATUS_INVALID_ARG',
  [UNSUPPORTED]: 'MW_STATUS_UNSUPPORTED',
  [IN_PROGRESS]: 'MW_STATUS_IN_PROGRESS',
  [DEVICE_BUSY]: 'MW_STATUS_DEVICE_BUSY',
  [NOT_EXIST]: 'MW_STATUS_NOT_EXIST',
  [NO_SPACE]: 'MW_STATUS_NO_SPACE',
  [FILE_TYPE_ERROR]: 'MW_STATUS_FILE_TYPE_ERROR',
  [DEVICE_TYPE_ERROR]: 'MW_STATUS_DEVICE_TYPE_ERROR',
  [VERIFY_FAILED]: 'MW_STATUS_VERIFY_FAILED',
  [WRONG_STATE]: 'MW_STATUS_WRONG_STATE'
}

const statusFields = (status: number) => ({ status, code: NAMES[status] ?? '' })

/** Response of a device that refuses everything. */
export const API_REFUSAL = statusFields(DEVICE_BUSY)

const START_RESULT_CODES: Readonly<Record<StartResult, number>> = {
  started: SUCCESS,
  already: IN_PROGRESS,
  'no-signal': WRONG_STATE,
  'no-space': NO_SPACE,
  unsupported: UNSUPPORTED
}

/** The paths that a fault can make fail. */
const CALLS: Readonly<Record<string, Parameters<typeof faultCode>[2]>> = {
  '/api/system/basic-info': 'status',
  '/api/record/start-record': 'startRecording',
  '/api/live/start-quick-stream': 'startLive',
  '/api/live/stop-quick-stream': 'stopLive',
  '/api/reboot': 'reboot'
}

/** Duration of a restart in seconds, as the device reports it. */
const REBOOT_SECONDS = 5

/** Response to the upload of a firmware file. */
export function apiUploadResponse({ upgrader: { file }, firmware }: Appliance, result: UpgradeResult): object {
  if (result !== 'done' || !file) return statusFields(UPGRADE_RESULT_CODES[result])
  return { ...statusFields(SUCCESS), 'need-clean-data': false, 'up-to-date': file.version === firmware(), ...file }
}

/** Handles one request. */
export function handleApi(appliance: Appliance, { method, path, body }: ApiRequest): object {
  const { machine } = appliance
  const call = CALLS[path]
  const fault = call && faultCode(machine.behaviour, 'api', call)
  if (fault !== undefined) return statusFields(fault)
  switch (`${method} ${path}`) {
    case 'GET /api/system/basic-info':
      return { ...statusFields(SUCCESS), ...basicInfo(appliance) }
    case 'GET /api/system/device-info':
      return { ...statusFields(SUCCESS), ...deviceInfo(appliance) }
    case 'POST /api/system/set-device-name':
      if (!isDeviceName(body.name)) return statusFields(INVALID_ARG)
      appliance.rename(body.name)
      return { ...statusFields(SUCCESS), 'ext-need-reboot': false }
    case 'POST /api/upgrade/update':
      if (body['is-online'] !== false) return statusFields(INVALID_ARG)
      return statusFields(UPGRADE_RESULT_CODES[appliance.upgrader.install()])
    case 'GET /api/upgrade/state':
      return { ...statusFields(SUCCESS), ...upgradeState(appliance) }
    case 'POST /api/reboot':
      return appliance.reboot() ? { ...statusFields(SUCCESS), delay: REBOOT_SECONDS } : statusFields(DEVICE_BUSY)
  }
  if (!isDirector(appliance.entry.model)) return statusFields(NOT_EXIST)
  switch (`${method} ${path}`) {
    case 'POST /api/record/start-record':
      return statusFields(START_RESULT_CODES[machine.startRecording()])
    case 'POST /api/live/start-quick-stream':
      return statusFields(START_RESULT_CODES[machine.startLive()])
    case 'POST /api/record/stop-record':
      machine.stopRecording()
      return statusFields(SUCCESS)
    case 'POST /api/live/stop-quick-stream':
      machine.stopLive()
      return statusFields(SUCCESS)
    default:
      return statusFields(NOT_EXIST)
  }
}

/** The vendor does not document the fields. These are those of `get-update-state` of the Pro Convert devices. */
function upgradeState({ upgrader }: Appliance): object {
  const { step, percent, version } = upgrader.state()
  return { state: step, percent, version, 'error-status': step === 'failed' ? WRITE_FAILED : SUCCESS }
}

function basicInfo({ entry: { sn, model }, machine, name }: Appliance): object {
  const reading = machine.read()
  const { ip, mac } = createAddresses(sn)
  return {
    'device-name': name(),
    'mdns-url': `http://${sn.toLowerCase()}.local`,
    uptime: reading.upTime,
    cpu: reading.cpu,
    mem: reading.memory,
    datetime: formatTime(machine.clock()),
    'auto-reboot': false,
    temperature: reading.temperature,
    'cur-status': statusBits(reading) | operationBits(machine.behaviour),
    eth: { ip, mac, 'link-speed': 1000, 'eth-rx': reading.rx, 'eth-tx': reading.tx },
    wifi: { ip: '' },
    // Recording and live stream, under the field names of the Ultra family.
    ...(isDirector(model) && activities(reading, true)),
    ...newerFirmware(machine.behaviour),
    ...(model.fan && { 'fan-rpm': reading.fan }),
    ...(model.preview && { 'input-signal': inputSignal(reading.signal) }),
    ...(reading.disk && { 'disk-info': diskInfo(machine.behaviour, reading) })
  }
}

function deviceInfo({ entry: { sn, model }, name, firmware }: Appliance): object {
  return {
    'device-name': name(),
    'product-id': model.productId,
    'product-name': model.name,
    'serial-number': sn,
    'hardware-rev': model.hardware,
    'firmware-ver': firmware(),
    'firmware-name': model.name,
    'build-time': '2026-02-11 09:30:00',
    capability: 0
  }
}
