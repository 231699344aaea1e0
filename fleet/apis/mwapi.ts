// API of the Pro Convert encoders and decoders, and of USB Fusion, which has the method in the path (docs/wire.md,
// "Device generations"). Over a device link no login is needed.
import { DEVICE_BUSY, INVALID_ARG, SUCCESS, UNSUPPORTED, WRITE_FAILED } from '../../contract/codes.ts'
import { PRO_CONVERT_DECODER, USB_FUSION } from '../../contract/device/products.ts'
import type { MachineReading, Signal } from '../machine.ts'
import type { UpgradeResult } from '../upgrade.ts'
import { type ApiRequest, type Appliance, createAddresses, isDeviceName } from './appliance.ts'
import { faultCode } from './faults.ts'
import { UPGRADE_RESULT_CODES } from './upgrade-codes.ts'

/** Response of a device that refuses everything. */
export const MWAPI_REFUSAL = { status: DEVICE_BUSY }

/** Network settings that are not simulated. A request with one of them is refused as a whole. */
const NETWORK_FIELDS = ['dhcp', 'addr', 'mask', 'gw-addr', 'dns-addr']

/** Response to the upload of a firmware file. */
export function mwapiUploadResponse({ upgrader: { file } }: Appliance, result: UpgradeResult): object {
  return { status: UPGRADE_RESULT_CODES[result], ...(result === 'done' && file) }
}

/** Handles one request. */
export function handleMwapi(appliance: Appliance, { path, query, body }: ApiRequest): object {
  const method = query.get('method') ?? path.split('/').at(-1)
  const call = method === 'get-summary-info' ? 'status' : method === 'reboot' ? 'reboot' : undefined
  const fault = call && faultCode(appliance.machine.behaviour, 'mwapi', call)
  if (fault !== undefined) return { status: fault }
  switch (method) {
    case 'ping':
      return { status: SUCCESS }
    case 'get-summary-info':
      return { status: SUCCESS, ...summaryInfo(appliance) }
    case 'set-eth-config': {
      const name = query.get('name') ?? body.name
      if (!isDeviceName(name)) return { status: INVALID_ARG }
      if (NETWORK_FIELDS.some((field) => query.has(field) || field in body)) return { status: UNSUPPORTED }
      appliance.rename(name)
      return { status: SUCCESS }
    }
    case 'update':
      if (query.get('mode') !== 'manual') return { status: INVALID_ARG }
      return { status: UPGRADE_RESULT_CODES[appliance.upgrader.install()] }
    case 'get-update-state':
      return { status: SUCCESS, ...updateState(appliance) }
    case 'reboot':
      return { status: appliance.reboot() ? SUCCESS : DEVICE_BUSY }
    default:
      return { status: UNSUPPORTED }
  }
}

function updateState({ upgrader, firmware }: Appliance): object {
  const { step, percent, version } = upgrader.state()
  return {
    state: step,
    'cur-ver': firmware(),
    'update-to-ver': version,
    'step-id': step === 'idle' ? 0 : 1,
    'num-steps': 1,
    'step-name': step === 'updating' ? 'writing' : '',
    'step-percent': percent,
    'error-status': step === 'failed' ? WRITE_FAILED : SUCCESS
  }
}

/** Source of a decoder: the stream ordered by the hub, else its own NDI source. */
const decoderSource = ({ playing, signal }: MachineReading): object =>
  playing === undefined
    ? { name: 'STUDIO (Program)', url: '10.20.0.40:5961', connected: signal !== undefined }
    : { name: 'Headend', url: playing, connected: true }

function formatText(signal: Signal | undefined): string {
  return signal ? `${signal.cx}x${signal.cy}p${signal.rate}` : 'no-signal'
}

function summaryInfo({ entry: { sn, model }, machine, name, firmware }: Appliance): object {
  const reading = machine.read()
  const { signal, disk } = reading
  const { ip, mask, router, mac } = createAddresses(sn)
  const decoder = model.family === PRO_CONVERT_DECODER
  const fusion = model.family === USB_FUSION
  const ndi = {
    'video-width': signal?.cx ?? 0,
    'video-height': signal?.cy ?? 0,
    'video-scan': 'progressive',
    'video-field-rate': signal?.rate ?? 0,
    'audio-num-channels': 2,
    'audio-sample-rate': 48_000,
    'tally-preview': false,
    'tally-program': false,
    'video-drop-frames': 0
  }
  return {
    device: {
      name: name(),
      model: model.name,
      'serial-no': sn,
      'hw-revision': model.hardware,
      'fw-version': firmware(),
      'up-to-date': machine.behaviour !== 'old-firmware',
      ...(!decoder && !fusion && { 'input-state': formatText(signal), 'ptz-proto': 'none', 'ptz-state': 'idle' }),
      ...(decoder && { 'output-state': signal ? 'active' : 'unconnected' }),
      ...(fusion && { 'input-hdmi-1-state': formatText(signal), 'input-hdmi-2-state': 'no-signal' }),
      ...(fusion && {
        'input-web-camera-state': 'no-signal',
        'hdmi-output-mode': 0,
        'hdmi-output-state': 'unconnected'
      }),
      'cpu-usage': reading.cpu,
      'memory-usage': reading.memory,
      'core-temp': reading.temperature,
      'board-id': '0',
      'up-time': reading.upTime,
      ...(disk && { [fusion ? 'storage-size' : 'sd-size']: disk.total, 'storage-free': disk.total - disk.used }),
      ...(model.fan && { 'fan-rpm': reading.fan })
    },
    ethernet: {
      state: '1000m',
      'mac-addr': mac,
      'ip-addr': ip,
      'ip-mask': mask,
      'gw-addr': router,
      'dns-addr': router,
      'tx-speed-kbps': Math.round(reading.tx / 1000),
      'rx-speed-kbps': Math.round(reading.rx / 1000)
    },
    rndis: { state: 'disconnected', 'ip-addr': '192.168.66.1', 'tx-speed-kbps': 0, 'rx-speed-kbps': 0 },
    ...(fusion
      ? { out: {} }
      : {
          ndi: decoder
            ? { ...decoderSource(reading), ...ndi }
            : { name: name(), enabled: true, 'num-clients': signal ? 1 : 0, ...ndi }
        })
  }
}
