// Reads the responses of Pro Convert encoders and decoders, and for USB Fusion, which has the same API (docs/wire.md,
// "Device generations"). `get-summary-info` has all values that lists show.

import { NOT_IMPLEMENTED, UNSUPPORTED } from '../../../contract/codes.ts'
import { codeMeaning } from '../../../contract/device/action-codes.ts'
import { DEVICE_WARNING_BITS, type DeviceDisk, type DevicePort } from '../../../contract/device/status.ts'
import { readTally } from './activity.ts'
import type { ResponseReader } from './adapter.ts'
import {
  bitsFromKilobits,
  clampedNumber,
  FAN_MAX,
  type Fields,
  fields,
  ipAddress,
  macAddress,
  NAME_MAX,
  number,
  omitUndefined,
  temperature,
  text,
  UP_TIME_MAX
} from './fields.ts'
import { formatSignal, listPorts, NO_SIGNAL } from './signal.ts'

/**
 * In the documented examples `name` is the name of the product family. That value is not used as the name of a device.
 */
const FAMILY_NAME = 'Pro Convert'

/** Field names of the inputs. An encoder has one input, USB Fusion has three. */
const INPUTS = {
  'input-state': '',
  'input-hdmi-1-state': 'HDMI 1',
  'input-hdmi-2-state': 'HDMI 2',
  'input-web-camera-state': 'USB'
}
const OUTPUTS = { 'output-state': '', 'hdmi-output-state': 'HDMI' }

/** Signals of the ports, by port name. */
function signalsOf(device: Fields, names: Readonly<Record<string, string>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(names).map(([field, name]) => [name, text(device[field], NAME_MAX)]))
}

/** Video format of the NDI stream, as encoders of this generation write it: 1920x1080p60. */
function ndiFormat(ndi: Fields): string | undefined {
  const interlaced = ndi['video-scan'] === 'interlaced'
  return formatSignal(
    { width: ndi['video-width'], height: ndi['video-height'], interlaced, rate: ndi['video-field-rate'] },
    (rate) => String(Number(rate.toFixed(2)))
  )
}

/** Signal that a decoder receives; undefined if no source is selected, because that is not a lost signal. */
function ndiInputSignal(ndi: Fields): string | undefined {
  if (typeof ndi.connected !== 'boolean' || !text(ndi.name, NAME_MAX)) return undefined
  return ndi.connected ? ndiFormat(ndi) : NO_SIGNAL
}

/** Signal that an encoder sends. */
function ndiOutputSignal(ndi: Fields): string | undefined {
  return ndi.enabled === false ? 'disabled' : ndi.enabled === true ? (ndiFormat(ndi) ?? NO_SIGNAL) : undefined
}

/**
 * Name of the NDI source of an encoder as announced on the network, empty while NDI is disabled; undefined for other
 * devices. The vendor does not document whether the field contains the machine, which is the device.
 */
function ndiSourceName(device: Fields, ndi: Fields): string | undefined {
  if (ndi.enabled === false) return ''
  const name = ndi.enabled === true ? text(ndi.name, NAME_MAX) : undefined
  if (name === undefined || /\(.+\)$/.test(name)) return name
  const machine = text(device.name, NAME_MAX)
  return machine === undefined ? name : text(`${machine.toUpperCase()} (${name})`, NAME_MAX)
}

/** Signal of the first input that has one. */
function activeInput(inputs: readonly DevicePort[]): string | undefined {
  return (inputs.find(({ signal }) => signal !== NO_SIGNAL) ?? inputs[0])?.signal
}

/** Link speed in Mbps from the state of the Ethernet port, such as '1000m'. */
function linkSpeed(state: unknown): number | undefined {
  if (state === 'down' || state === 'disconnected') return 0
  const [, digits] = /^(\d{2,6})m$/.exec(typeof state === 'string' ? state : '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** SD card of an encoder or storage of USB Fusion; undefined if there is none. */
function readStorage(device: Fields): DeviceDisk[] | undefined {
  const total = number(device['sd-size'] ?? device['storage-size'], 1, 1e9)
  return total === undefined ? undefined : [{ kind: 'sd', state: 'ok', total }]
}

export const mwapi: ResponseReader = {
  unsupportedCodes: [NOT_IMPLEMENTED, UNSUPPORTED],
  readStatus(response) {
    const summary = fields(response)
    const device = fields(summary.device)
    const ethernet = fields(summary.ethernet)
    const rndis = fields(summary.rndis)
    const ndi = fields(summary.ndi)
    const name = text(device.name, NAME_MAX)
    const inputs = listPorts({ ...signalsOf(device, INPUTS), NDI: ndiInputSignal(ndi) }) ?? []
    const outputs = listPorts({ ...signalsOf(device, OUTPUTS), NDI: ndiOutputSignal(ndi) })
    const input = activeInput(inputs)
    const ndiSource = ndiSourceName(device, ndi)
    return {
      name: name === FAMILY_NAME ? undefined : name,
      cpu: clampedNumber(device['cpu-usage'], 0, 100),
      rx: bitsFromKilobits(ethernet['rx-speed-kbps']),
      tx: bitsFromKilobits(ethernet['tx-speed-kbps']),
      status: omitUndefined({
        eth: ipAddress(ethernet['ip-addr']),
        wifi: ipAddress(fields(summary.wifi)['ip-addr']),
        // The address is also reported while nothing is connected.
        rndis: linkSpeed(rndis.state) === 0 ? undefined : ipAddress(rndis['ip-addr']),
        mac: macAddress(ethernet['mac-addr']),
        'link-speed': linkSpeed(ethernet.state),
        'up-time': number(device['up-time'], 0, UP_TIME_MAX),
        temperature: temperature(device['core-temp'], 1),
        memory: clampedNumber(device['memory-usage'], 0, 100),
        // A device without a fan reports 0.
        'fan-rpm': number(device['fan-rpm'], 1, FAN_MAX),
        ...(inputs.length > 0 && { inputs }),
        outputs,
        disks: readStorage(device),
        tally: readTally(ndi['tally-preview'], ndi['tally-program'])
      }),
      warns:
        (input === NO_SIGNAL ? DEVICE_WARNING_BITS.noSignal : 0) |
        (device['up-to-date'] === false ? DEVICE_WARNING_BITS.firmwareOld : 0),
      input,
      ...(ndiSource !== undefined && { ndiSource })
    }
  },
  codeMeaning: (action) => codeMeaning('mwapi', action)
}
