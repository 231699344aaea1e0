// Pro Convert encoders and decoders: device-api 4, and USB Fusion, which answers in the same shape (device-api 5).
// `get-summary-info` has all that lists show, in one call.
import { type DeviceDisk, type DevicePort, WARNING } from '../../../contract/device/device.ts'
import { tally } from './activity.ts'
import type { Adapter } from './adapter.ts'
import { convertMeaning } from './error-codes.ts'
import {
  address,
  answerCode,
  FAN_MAX,
  type Fields,
  fields,
  hardwareAddress,
  heat,
  kilobits,
  measured,
  NAME_MAX,
  number,
  said,
  text,
  UP_TIME_MAX
} from './fields.ts'
import { format, NO_SIGNAL, ports } from './signal.ts'

const call = (method: string) => ({ method: 'GET', path: `/mwapi?method=${method}` })

const code = (answer: unknown) => answerCode(fields(answer).status)

/** The documented examples have the family's name in `name`, and one page says that this is what it is. It names no device. */
const FAMILY = 'Pro Convert'

/** An encoder has one input, USB Fusion three: the first that has a signal is the one in use. */
const INPUTS = {
  'input-state': '',
  'input-hdmi-1-state': 'HDMI 1',
  'input-hdmi-2-state': 'HDMI 2',
  'input-web-camera-state': 'USB'
}
const OUTPUTS = { 'output-state': '', 'hdmi-output-state': 'HDMI' }

/** The words that a device has for its ports, under the names of the ports. */
function wordsOf(device: Fields, names: Readonly<Record<string, string>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(names).map(([field, name]) => [name, text(device[field], NAME_MAX)]))
}

/** The picture that it sends or receives, written as an encoder of this generation writes it: 1920x1080p60. */
function pictureOf(ndi: Fields): string | undefined {
  const interlaced = ndi['video-scan'] === 'interlaced'
  return format(
    { width: ndi['video-width'], height: ndi['video-height'], interlaced, rate: ndi['video-field-rate'] },
    (rate) => String(Number(rate.toFixed(2)))
  )
}

/** What a decoder receives. One that was given no source misses none. */
function receivedOf(ndi: Fields): string | undefined {
  if (typeof ndi.connected !== 'boolean' || !text(ndi.name, NAME_MAX)) return undefined
  return ndi.connected ? pictureOf(ndi) : NO_SIGNAL
}

/** What an encoder sends: nothing while it is switched off. */
function sentOf(ndi: Fields): string | undefined {
  return ndi.enabled === false ? 'disabled' : ndi.enabled === true ? (pictureOf(ndi) ?? NO_SIGNAL) : undefined
}

/** Of all inputs the one that has a signal. */
function inputOf(inputs: readonly DevicePort[]): string | undefined {
  return (inputs.find(({ signal }) => signal !== NO_SIGNAL) ?? inputs[0])?.signal
}

/** Mbps by the word of the Ethernet port (device-api 4.2). */
function speedOf(state: unknown): number | undefined {
  if (state === 'down' || state === 'disconnected') return 0
  const [, digits] = /^(\d{2,6})m$/.exec(typeof state === 'string' ? state : '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The card of an encoder or the storage of USB Fusion, in MB; undefined where there is none. */
function storageOf(device: Fields): DeviceDisk[] | undefined {
  const total = number(device['sd-size'] ?? device['storage-size'], 1, 1e9)
  return total === undefined ? undefined : [{ kind: 'sd', state: 'ok', total }]
}

export const mwapi: Adapter = {
  api: 'mwapi',
  status: call('get-summary-info'),
  code,
  read(answer) {
    if (code(answer) !== 0) return undefined
    const parts = fields(answer)
    const device = fields(parts.device)
    const ethernet = fields(parts.ethernet)
    const rndis = fields(parts.rndis)
    const ndi = fields(parts.ndi)
    const name = text(device.name, NAME_MAX)
    const inputs = ports({ ...wordsOf(device, INPUTS), NDI: receivedOf(ndi) }) ?? []
    const outputs = ports({ ...wordsOf(device, OUTPUTS), NDI: sentOf(ndi) })
    const input = inputOf(inputs)
    return {
      name: name === FAMILY ? undefined : name,
      cpu: measured(device['cpu-usage'], 0, 100),
      rx: kilobits(ethernet['rx-speed-kbps']),
      tx: kilobits(ethernet['tx-speed-kbps']),
      status: said({
        eth: address(ethernet['ip-addr']),
        wifi: address(fields(parts.wifi)['ip-addr']),
        // It has its address whether anybody is at the other end or not.
        rndis: speedOf(rndis.state) === 0 ? undefined : address(rndis['ip-addr']),
        mac: hardwareAddress(ethernet['mac-addr']),
        'link-speed': speedOf(ethernet.state),
        'up-time': number(device['up-time'], 0, UP_TIME_MAX),
        temperature: heat(device['core-temp'], 1),
        memory: measured(device['memory-usage'], 0, 100),
        // A device without a fan says 0.
        'fan-rpm': number(device['fan-rpm'], 1, FAN_MAX),
        ...(inputs.length > 0 && { inputs }),
        outputs,
        disks: storageOf(device),
        tally: tally(ndi['tally-preview'], ndi['tally-program'])
      }),
      warns: (input === NO_SIGNAL ? WARNING.noSignal : 0) | (device['up-to-date'] === false ? WARNING.firmwareOld : 0),
      input
    }
  },
  rename: (name) => call(`set-eth-config&name=${encodeURIComponent(name)}`),
  actions: {
    reboot: call('reboot'),
    startRecording: undefined,
    stopRecording: undefined,
    startLive: undefined,
    stopLive: undefined
  },
  meaning: convertMeaning
}
