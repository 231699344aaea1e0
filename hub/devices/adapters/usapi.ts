// Reads the responses of Ultra Stream and Ultra Encode (docs/wire.md, "Device generations"). `get-status` has all
// values that lists show.
import { codeMeaning } from '../../../contract/device/action-codes.ts'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { readActivities } from './activity.ts'
import type { ResponseReader } from './adapter.ts'
import { diskWarnings, readDisks } from './disks.ts'
import {
  clampedNumber,
  type Fields,
  fields,
  ipAddress,
  LINK_MAX,
  NAME_MAX,
  number,
  omitUndefined,
  portNumber,
  RATE_MAX,
  temperature,
  text,
  UP_TIME_MAX
} from './fields.ts'
import { listPorts, NO_SIGNAL, readEncoder, readInputSignal } from './signal.ts'

/** Memory usage in percent. */
function memoryUsage(system: Fields): number | undefined {
  const total = number(system['mem-total'], 1, 1e12)
  const free = total === undefined ? undefined : number(system['mem-free'], 0, total)
  return total === undefined || free === undefined ? undefined : 100 * (1 - free / total)
}

/** Reads the inputs. An AIO reports its two inputs by name; other models have one input, which is not named here. */
function readInputs(value: unknown) {
  const signal = fields(value)
  const named = listPorts({ HDMI: readInputSignal(signal.hdmi), SDI: readInputSignal(signal.sdi) })
  return named ?? listPorts({ '': readInputSignal(signal) })
}

export const usapi: ResponseReader = {
  // 'Not yet supported'.
  unsupportedCodes: [-11],
  readStatus(response) {
    const status = fields(response)
    const system = fields(status.sysstat)
    const ethernet = fields(status.eth)
    const web = fields(status.web)
    const input = readInputSignal(status['input-signal'])
    const disks = readDisks(status['disk-info'])
    return {
      name: text(status['box-name'], NAME_MAX),
      // Not `cpu`: that is no percentage. Real devices report 1500, presumably MHz.
      cpu: clampedNumber(system['cpu-usage'], 0, 100),
      // The unit is not documented. On real devices `eth-tx` matches the sum of the bit rates that the device sends, so
      // it is bit/s.
      rx: number(system['eth-rx'], 0, RATE_MAX),
      tx: number(system['eth-tx'], 0, RATE_MAX),
      status: omitUndefined({
        ...readActivities(status),
        eth: ipAddress(ethernet.ip),
        wifi: ipAddress(fields(status.wifi).ip),
        mobile: ipAddress(fields(status.mobile).ip),
        softap: ipAddress(fields(status.softap).ip),
        // The address is also reported while nothing is connected.
        rndis: fields(status.rndis)['link-state'] === 0 ? undefined : ipAddress(fields(status.rndis).ip),
        'link-speed': number(ethernet['link-speed'], 0, LINK_MAX),
        'http-port': web['is-http'] === 0 ? undefined : portNumber(web['http-port']),
        'https-port': web['is-https'] === 0 ? undefined : portNumber(web['https-port']),
        'up-time': number(system.uptime, 0, UP_TIME_MAX),
        temperature: temperature(status['cpu-temperature'], 1000),
        memory: memoryUsage(system),
        inputs: readInputs(status['input-signal']),
        encoder: readEncoder(status.codec),
        disks
      }),
      warns:
        (input === NO_SIGNAL ? DEVICE_WARNING_BITS.noSignal : 0) |
        diskWarnings(disks) |
        // The version of a newer firmware, if one is available.
        (text(fields(status.upgrade).ver, NAME_MAX) ? DEVICE_WARNING_BITS.firmwareOld : 0),
      input
    }
  },
  codeMeaning: (action) => codeMeaning('usapi', action)
}
