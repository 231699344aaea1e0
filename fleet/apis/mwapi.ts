// The API of the Pro Convert encoders and decoders, and of USB Fusion, which names the method in the path: device-api.md
// sections 4 and 5. The link stands for a login.
import { DEVICE_BUSY, INVALID_ARG, SUCCESS, UNSUPPORTED, WRITE_FAILED } from '../../contract/codes.ts'
import { PRO_CONVERT_DECODER, USB_FUSION } from '../../contract/device/products.ts'
import type { Reading, Signal } from '../machine.ts'
import type { UpgradeResult } from '../upgrade.ts'
import { type Appliance, type Asked, addressesOf, isDeviceName } from './appliance.ts'
import { UPGRADED } from './upgraded.ts'

/** The answer of a device that refuses everything. */
export const MWAPI_REFUSAL = { status: DEVICE_BUSY }

/** Settings of the network that exist but are not simulated: a call with one of them is refused rather than half obeyed. */
const NETWORK = ['dhcp', 'addr', 'mask', 'gw-addr', 'dns-addr']

/** The answer to the upload of a firmware file. */
export function mwapiUploaded({ upgrader: { file } }: Appliance, result: UpgradeResult): object {
  return { status: UPGRADED[result], ...(result === 'done' && file) }
}

/** Answers one call. */
export function mwapi(appliance: Appliance, { path, query, body }: Asked): object {
  const method = query.get('method') ?? path.split('/').at(-1)
  switch (method) {
    case 'ping':
      return { status: SUCCESS }
    case 'get-summary-info':
      return { status: SUCCESS, ...summary(appliance) }
    case 'set-eth-config': {
      const name = query.get('name') ?? body.name
      if (!isDeviceName(name)) return { status: INVALID_ARG }
      if (NETWORK.some((field) => query.has(field) || field in body)) return { status: UNSUPPORTED }
      appliance.rename(name)
      return { status: SUCCESS }
    }
    case 'update':
      if (query.get('mode') !== 'manual') return { status: INVALID_ARG }
      return { status: UPGRADED[appliance.upgrader.install()] }
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
    ...{
      state: step,
      'cur-ver': firmware(),
      'update-to-ver': version,
      'step-id': step === 'idle' ? 0 : 1,
      'num-steps': 1
    },
    ...{ 'step-name': step === 'updating' ? 'writing' : '', 'step-percent': percent },
    'error-status': step === 'failed' ? WRITE_FAILED : SUCCESS
  }
}

/** What a decoder shows: what the hub ordered, else what it fetches by itself. */
const shown = ({ playing, signal }: Reading): object =>
  playing === undefined
    ? { name: 'STUDIO (Program)', url: '10.20.0.40:5961', connected: signal !== undefined }
    : { name: 'Headend', url: playing, connected: true }

function formatText(signal: Signal | undefined): string {
  return signal ? `${signal.cx}x${signal.cy}p${signal.rate}` : 'no-signal'
}

function summary({ entry: { sn, model }, machine, name, firmware }: Appliance): object {
  const reading = machine.read()
  const { signal, disk } = reading
  const { ip, mask, router, mac } = addressesOf(sn)
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
      ...{ name: name(), model: model.name, 'serial-no': sn, 'hw-revision': model.hardware },
      ...{ 'fw-version': firmware(), 'up-to-date': true },
      ...(!decoder && !fusion && { 'input-state': formatText(signal), 'ptz-proto': 'none', 'ptz-state': 'idle' }),
      ...(decoder && { 'output-state': signal ? 'active' : 'unconnected' }),
      ...(fusion && { 'input-hdmi-1-state': formatText(signal), 'input-hdmi-2-state': 'no-signal' }),
      ...(fusion && {
        'input-web-camera-state': 'no-signal',
        'hdmi-output-mode': 0,
        'hdmi-output-state': 'unconnected'
      }),
      ...{ 'cpu-usage': reading.cpu, 'memory-usage': reading.memory, 'core-temp': reading.temperature },
      ...{ 'board-id': '0', 'up-time': reading.upTime },
      ...(disk && { [fusion ? 'storage-size' : 'sd-size']: disk.total, 'storage-free': disk.total - disk.used }),
      ...(model.fan && { 'fan-rpm': reading.fan })
    },
    ethernet: {
      ...{ state: '1000m', 'mac-addr': mac, 'ip-addr': ip, 'ip-mask': mask, 'gw-addr': router, 'dns-addr': router },
      ...{ 'tx-speed-kbps': Math.round(reading.tx / 1000), 'rx-speed-kbps': Math.round(reading.rx / 1000) }
    },
    rndis: { state: 'disconnected', 'ip-addr': '192.168.66.1', 'tx-speed-kbps': 0, 'rx-speed-kbps': 0 },
    ...(fusion
      ? { out: {} }
      : {
          ndi: decoder
            ? { ...shown(reading), ...ndi }
            : { name: name(), enabled: true, 'num-clients': signal ? 1 : 0, ...ndi }
        })
  }
}
