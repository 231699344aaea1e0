// Pro Convert encoders and decoders: device-api 4, and USB Fusion, which answers in the same shape (device-api 5).
// `get-summary-info` has all that lists show, in one call.
import { WARNING } from '../../../contract/device.ts'
import type { Adapter } from './adapter.ts'
import {
  address,
  answerCode,
  type Fields,
  fields,
  heat,
  kilobits,
  measured,
  NAME_MAX,
  number,
  text,
  UP_TIME_MAX
} from './fields.ts'
import { format, NO_SIGNAL } from './signal.ts'

const call = (method: string) => ({ method: 'GET', path: `/mwapi?method=${method}` })

const code = (answer: unknown) => answerCode(fields(answer).status)

/** The documented examples have the family's name in `name`, and one page says that this is what it is. It names no device. */
const FAMILY = 'Pro Convert'

/** An encoder has one input, USB Fusion three: the first that has a signal is the one in use. */
const INPUTS = ['input-state', 'input-hdmi-1-state', 'input-hdmi-2-state', 'input-web-camera-state']

/** What it sees, or receives. A decoder that was given no source misses none. */
function inputOf(device: Fields, ndi: Fields): string | undefined {
  const words = INPUTS.map((input) => text(device[input], NAME_MAX)).filter((word) => word !== undefined)
  if (words.length > 0) return words.find((word) => word !== NO_SIGNAL) ?? NO_SIGNAL
  if (!text(ndi.name, NAME_MAX)) return undefined
  if (ndi.connected === false) return NO_SIGNAL
  if (ndi.connected !== true) return undefined
  const interlaced = ndi['video-scan'] === 'interlaced'
  // Written as an encoder of this generation writes it: 1920x1080p60.
  return format(
    { width: ndi['video-width'], height: ndi['video-height'], interlaced, rate: ndi['video-field-rate'] },
    (rate) => String(Number(rate.toFixed(2)))
  )
}

export const mwapi: Adapter = {
  status: call('get-summary-info'),
  code,
  read(answer) {
    if (code(answer) !== 0) return undefined
    const parts = fields(answer)
    const device = fields(parts.device)
    const ethernet = fields(parts.ethernet)
    const name = text(device.name, NAME_MAX)
    const input = inputOf(device, fields(parts.ndi))
    return {
      name: name === FAMILY ? undefined : name,
      cpu: measured(device['cpu-usage'], 0, 100),
      rx: kilobits(ethernet['rx-speed-kbps']),
      tx: kilobits(ethernet['tx-speed-kbps']),
      status: {
        eth: address(ethernet['ip-addr']),
        wifi: address(fields(parts.wifi)['ip-addr']),
        'up-time': number(device['up-time'], 0, UP_TIME_MAX),
        temperature: heat(device['core-temp'], 1)
      },
      warns: (input === NO_SIGNAL ? WARNING.noSignal : 0) | (device['up-to-date'] === false ? WARNING.firmwareOld : 0),
      input
    }
  },
  rename: (name) => call(`set-eth-config&name=${encodeURIComponent(name)}`),
  reboot: call('reboot')
}
