// API of Ultra Stream and Ultra Encode (docs/wire.md, "Device generations"). Over a device link no login is needed.

import { ULTRA_STREAM } from '../../contract/device/products.ts'
import { DEVICE_STATUS_BITS } from '../../contract/device/status.ts'
import type { Behaviour } from '../behaviour.ts'
import type { MachineReading, Signal, StartResult } from '../machine.ts'
import type { UpgradeResult, UpgradeState } from '../upgrade.ts'
import { type ApiRequest, type Appliance, createAddresses, formatTime, isDeviceName } from './appliance.ts'
import { diskInfo } from './disk-info.ts'
import { faultCode } from './faults.ts'

/** Result codes of the Ultra family. */
const CODE = {
  success: 0,
  repeated: 1,
  running: 2,
  diskOff: 15,
  idle: 27,
  deviceError: -4,
  busy: -9,
  parameters: -10,
  notFound: -14,
  badFile: -15,
  noSpace: -16,
  wrongModel: -34,
  noSignal: -35
} as const
/** Response of a device that refuses everything. */
export const USAPI_REFUSAL = { result: CODE.busy }

const START_RESULT_CODES: Readonly<Record<StartResult, number>> = {
  started: CODE.success,
  already: CODE.repeated,
  'no-signal': CODE.noSignal,
  'no-space': CODE.noSpace,
  // There is no code for a missing function: the method is unknown.
  unsupported: CODE.parameters
}

const UPGRADE_RESULT_CODES: Readonly<Record<UpgradeResult, number>> = {
  done: CODE.success,
  already: CODE.repeated,
  busy: CODE.busy,
  'bad-file': CODE.badFile,
  damaged: CODE.badFile,
  'wrong-model': CODE.wrongModel,
  'no-space': CODE.noSpace,
  'no-file': CODE.notFound
}

/** The methods that a fault can make fail. */
const CALLS: Readonly<Record<string, Parameters<typeof faultCode>[2]>> = {
  'get-status': 'status',
  'start-rec': 'startRecording',
  'start-live': 'startLive',
  'stop-live': 'stopLive',
  reboot: 'reboot'
}

/** KB. */
const MEMORY_SIZE = 1_022_004
const SOURCES = [
  { name: 'HDMI', value: 0 },
  { name: 'SDI', value: 1 }
]

/** Response to the upload of a firmware file. */
export function usapiUploadResponse({ upgrader: { file } }: Appliance, result: UpgradeResult): object {
  return { result: UPGRADE_RESULT_CODES[result], ...(result === 'done' && file) }
}

/** Handles one request. */
export function handleUsapi(appliance: Appliance, { query }: ApiRequest): object {
  const { machine } = appliance
  const method = query.get('method')
  const call = CALLS[method ?? '']
  const fault = call && faultCode(machine.behaviour, 'usapi', call)
  if (fault !== undefined) return { result: fault }
  switch (method) {
    case 'ping':
      return { result: CODE.success }
    case 'get-info':
      return { result: CODE.success, ...info(appliance) }
    case 'get-status':
      return { result: CODE.success, ...status(appliance) }
    case 'set-name': {
      const name = query.get('name')
      if (!isDeviceName(name)) return { result: CODE.parameters }
      appliance.rename(name)
      return { result: CODE.success }
    }
    case 'reboot':
      return { result: appliance.reboot() ? CODE.success : CODE.repeated }
    case 'update':
      // Only the last upload can be installed.
      if (query.get('mode') !== 'upload') return { result: CODE.parameters }
      return { result: UPGRADE_RESULT_CODES[appliance.upgrader.install()] }
    case 'start-live':
      return { result: START_RESULT_CODES[machine.startLive()] }
    case 'start-rec':
      return { result: START_RESULT_CODES[machine.startRecording()] }
    case 'stop-live':
      machine.stopLive()
      return { result: CODE.success }
    case 'stop-rec':
      machine.stopRecording()
      return { result: CODE.success }
    default:
      return { result: CODE.parameters }
  }
}

function info({ entry: { sn, model }, firmware }: Appliance): object {
  return {
    product: {
      sn,
      'product-id': model.productId,
      'hardware-ver': model.hardware,
      'firmware-id': 0,
      'firmware-ver-s': firmware(),
      'factory-firmware-ver-s': model.firmware,
      'manu-name': 'Magewell',
      features: 0,
      'product-name': model.family === ULTRA_STREAM ? 'Ultra Stream' : 'Ultra Encode',
      'module-name': model.name,
      'max-lock-count': 2
    },
    'mac-addr': createAddresses(sn).mac,
    'input-source': { sources: SOURCES },
    'codec-cap': 0,
    rec: model.liveAndRecord ? 1 : 0
  }
}

function status({ entry, machine, name, upgrader, restarting }: Appliance): object {
  const { sn, model } = entry
  const reading = machine.read()
  const { mac: _, ...address } = createAddresses(sn)
  return {
    'cur-status':
      statusBits(reading) |
      operationBits(machine.behaviour) |
      maintenance(upgrader.state().step === 'updating', restarting),
    'cur-time': formatTime(machine.clock()),
    'box-name': name(),
    'input-source': 0,
    // Thousandths of a degree.
    'cpu-temperature': Math.round(reading.temperature * 1000),
    codec: codec(reading),
    sysstat: {
      uptime: reading.upTime,
      cpu: 4,
      'cpu-usage': reading.cpu,
      'mem-total': MEMORY_SIZE,
      'mem-free': Math.round((MEMORY_SIZE * (100 - reading.memory)) / 100),
      'eth-rx': reading.rx,
      'eth-tx': reading.tx
    },
    ...activities(reading, model.family === ULTRA_STREAM),
    'upgrade-status': upgradeStatus(upgrader.state()),
    'input-signal': inputSignal(reading.signal),
    'disk-info': diskInfo(machine.behaviour, reading),
    ...newerFirmware(machine.behaviour),
    eth: { 'link-speed': 1000, 'is-dhcp': 1, ...address, dns: address.router },
    wifi: { name: '', level: 0, ip: '', mask: '', router: '', dns: '' },
    softap: { name: '', level: 0, ip: '', mask: '', router: '', dns: '' },
    mobile: { ip: '', mask: '', router: '', dns: '' },
    rndis: { 'link-state': 0, 'link-speed': 0, ip: '192.168.66.1', mask: '255.255.255.0' },
    web: {
      'is-http': 1,
      'http-port': 80,
      'is-https': 0,
      'https-port': 443,
      'is-cert-valid': 0,
      'is-cert-key-valid': 0
    },
    'ndi-tally': { id: 0, 'on-preview': 0, 'on-program': 0 },
    'message-infos': [],
    'message-warns': [],
    'message-errors': []
  }
}

/** `upgrade-status`. The vendor does not document the values of `step`: here 1 = installing, 2 = about to restart. */
function upgradeStatus({ step, percent }: UpgradeState): object {
  if (step === 'idle') return { step: 0, percent: 0, result: CODE.idle, mode: 'none' }
  if (step === 'failed') return { step: 1, percent, result: CODE.deviceError, mode: 'upload' }
  const updating = step === 'updating'
  return { step: updating ? 1 : 2, percent, result: updating ? CODE.running : CODE.success, mode: 'upload' }
}

/** Bits of `cur-status` for updates and restarts. */
function maintenance(updating: boolean, rebooting: boolean): number {
  return (updating ? DEVICE_STATUS_BITS.updating : 0) | (rebooting ? DEVICE_STATUS_BITS.rebooting : 0)
}

/** Bits of `cur-status` for recordings and streams. */
export function statusBits({ recording, live, pushing }: MachineReading): number {
  return (
    (recording === undefined ? 0 : DEVICE_STATUS_BITS.recording) |
    (live !== undefined || pushing ? DEVICE_STATUS_BITS.streaming : 0)
  )
}

/** Bits of `cur-status` for an operation that a fault keeps running. */
export function operationBits(behaviour: Behaviour): number {
  if (behaviour === 'test-running') return DEVICE_STATUS_BITS.streamTest
  return behaviour === 'rebooting' ? DEVICE_STATUS_BITS.rebooting : 0
}

/** `upgrade`: the newer firmware that a device has found, if it has found one. */
export function newerFirmware(behaviour: Behaviour): object {
  return behaviour === 'old-firmware'
    ? { upgrade: { ver: '9.9.999', date: '2026-02-11', 'size-byte': 0, info: [] } }
    : {}
}

/** `input-signal`. */
export function inputSignal(signal: Signal | undefined): object {
  return {
    status: signal ? 1 : 0,
    cx: signal?.cx ?? 0,
    cy: signal?.cy ?? 0,
    interlaced: 0,
    'interlaced-scale': 0,
    'frame-rate': signal?.rate ?? 0,
    'channel-valid': signal ? 3 : 0,
    'is-lpcm': 1,
    'bits-per-sample': 16,
    'sample-rate': signal ? 48_000 : 0
  }
}

function codec({ signal, pushing, live }: MachineReading): object {
  const streaming = pushing || live !== undefined
  // Frame duration in units of 100 ns: that of the clips, which have 25 frames per second.
  const duration = 400_000
  const main = { result: signal ? CODE.success : CODE.idle, cx: 1280, cy: 720, duration, kbps: 2000 }
  return {
    'main-stream': { ...main, 'cur-bps': signal && streaming ? 2_000_000 : 0 },
    audio: { channels: 2, kbps: 128, 'cur-bps': signal && streaming ? 128_000 : 0 }
  }
}

/**
 * `live-status` and `rec-status`. @param isSingle Ultra Stream has a single session, Ultra Encode a list of sessions
 */
export function activities({ live, recording, lostDrive }: MachineReading, isSingle: boolean): object {
  return {
    'live-status': activityStatus(live, CODE.idle, 'live', isSingle),
    'rec-status': activityStatus(recording, lostDrive ? CODE.diskOff : CODE.idle, 'rec', isSingle)
  }
}

/**
 * `live-status` or `rec-status`.
 * @param duration milliseconds since the start; undefined: not running
 * @param ended the result while it is not running
 */
function activityStatus(duration: number | undefined, ended: number, list: 'live' | 'rec', isSingle: boolean): object {
  const session = { result: duration === undefined ? ended : CODE.success, 'run-ms': duration ?? 0 }
  if (isSingle) return session
  return { ...session, [list]: [{ id: 1, type: 0, 'is-use': 1, ...session }] }
}
