// The API of the Director and the newer devices: device-api.md section 5, with the calls the specification names. What the documents
// leave open (signal, storage, running state) stands in the basic information under the names the Ultra family has for it.
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
import type { Reading, StartResult } from '../machine.ts'
import { isDirector } from '../roster.ts'
import type { UpgradeResult } from '../upgrade.ts'
import { type Appliance, type Asked, addressesOf, isDeviceName, timeText } from './appliance.ts'
import { UPGRADED } from './upgraded.ts'
import { disk, inputSignal, outcome, running } from './usapi.ts'

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

const coded = (status: number) => ({ status, code: NAMES[status] ?? '' })

/** The answer of a device that refuses everything. */
export const NEWER_REFUSAL = coded(DEVICE_BUSY)

const STARTED: Readonly<Record<StartResult, number>> = {
  started: SUCCESS,
  already: IN_PROGRESS,
  'no-signal': WRONG_STATE,
  'no-space': NO_SPACE,
  unsupported: UNSUPPORTED
}

/** Seconds that the device says a restart takes. */
const REBOOT_SECONDS = 5

/** The answer to the upload of a firmware file. */
export function newerUploaded({ upgrader: { file }, firmware }: Appliance, result: UpgradeResult): object {
  if (result !== 'done' || !file) return coded(UPGRADED[result])
  return { ...coded(SUCCESS), 'need-clean-data': false, 'up-to-date': file.version === firmware(), ...file }
}

/** Answers one call. */
export function newer(appliance: Appliance, { method, path, body }: Asked): object {
  const { machine } = appliance
  switch (`${method} ${path}`) {
    case 'GET /api/system/basic-info':
      return { ...coded(SUCCESS), ...basic(appliance) }
    case 'GET /api/system/device-info':
      return { ...coded(SUCCESS), ...device(appliance) }
    case 'POST /api/system/set-device-name':
      if (!isDeviceName(body.name)) return coded(INVALID_ARG)
      appliance.rename(body.name)
      return { ...coded(SUCCESS), 'ext-need-reboot': false }
    case 'POST /api/upgrade/update':
      if (body['is-online'] !== false) return coded(INVALID_ARG)
      return coded(UPGRADED[appliance.upgrader.install()])
    case 'GET /api/upgrade/state':
      return { ...coded(SUCCESS), ...upgradeState(appliance) }
    case 'POST /api/reboot':
      return appliance.reboot() ? { ...coded(SUCCESS), delay: REBOOT_SECONDS } : coded(DEVICE_BUSY)
  }
  if (!isDirector(appliance.entry.model)) return coded(NOT_EXIST)
  switch (`${method} ${path}`) {
    case 'POST /api/record/start-record':
      return coded(STARTED[machine.startRecording()])
    case 'POST /api/live/start-quick-stream':
      return coded(STARTED[machine.startLive()])
    case 'POST /api/record/stop-record':
      machine.stopRecording()
      return coded(SUCCESS)
    case 'POST /api/live/stop-quick-stream':
      machine.stopLive()
      return coded(SUCCESS)
    default:
      return coded(NOT_EXIST)
  }
}

/** The path is ours, the fields are those of `get-update-state` (device-api 4.1). */
function upgradeState({ upgrader }: Appliance): object {
  const { step, percent, version } = upgrader.state()
  return { state: step, percent, version, 'error-status': step === 'failed' ? WRITE_FAILED : SUCCESS }
}

function basic({ entry: { sn, model }, machine, name }: Appliance): object {
  const reading = machine.read()
  const { ip, mac } = addressesOf(sn)
  return {
    'device-name': name(),
    'mdns-url': `http://${sn.toLowerCase()}.local`,
    uptime: reading.upTime,
    cpu: reading.cpu,
    mem: reading.memory,
    datetime: timeText(machine.clock()),
    'auto-reboot': false,
    temperature: reading.temperature,
    'cur-status': running(reading),
    eth: { ip, mac, 'link-speed': 1000, 'eth-rx': reading.rx, 'eth-tx': reading.tx },
    ...{ wifi: { ip: '' }, ...(isDirector(model) && activities(reading)) },
    ...(model.fan && { 'fan-rpm': reading.fan }),
    ...(model.preview && { 'input-signal': inputSignal(reading.signal) }),
    ...(reading.disk && { 'disk-info': [disk(reading.disk)] })
  }
}

/** Recording and live stream, under the Ultra family's names. */
function activities({ recording, live }: Reading): object {
  return { 'rec-status': outcome(recording, 'rec', true), 'live-status': outcome(live, 'live', true) }
}

function device({ entry: { sn, model }, name, firmware }: Appliance): object {
  return {
    ...{ 'device-name': name(), 'product-id': model.productId, 'product-name': model.name, 'serial-number': sn },
    ...{ 'hardware-rev': model.hardware, 'firmware-ver': firmware(), 'firmware-name': model.name },
    ...{ 'build-time': '2026-02-11 09:30:00', capability: 0 }
  }
}
