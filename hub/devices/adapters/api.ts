// Reads the responses of Director and newer devices (docs/wire.md, "Device generations").

import { NOT_IMPLEMENTED, UNSUPPORTED } from '../../../contract/codes.ts'
import { codeMeaning } from '../../../contract/device/action-codes.ts'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { readActivities } from './activity.ts'
import type { ResponseReader } from './adapter.ts'
import { diskWarnings, readDisks } from './disks.ts'
import {
  clampedNumber,
  FAN_MAX,
  fields,
  ipAddress,
  LINK_MAX,
  macAddress,
  NAME_MAX,
  number,
  omitUndefined,
  RATE_MAX,
  temperature,
  text,
  UP_TIME_MAX
} from './fields.ts'
import { listPorts, NO_SIGNAL, readInputSignal } from './signal.ts'

export const api: ResponseReader = {
  unsupportedCodes: [NOT_IMPLEMENTED, UNSUPPORTED],
  readStatus(response) {
    const info = fields(response)
    // Name, uptime, CPU and memory are documented. Other values are read if a device sends them under the field names
    // of the Ultra family.
    const ethernet = fields(info.eth)
    const input = readInputSignal(info['input-signal'])
    const disks = readDisks(info['disk-info'])
    return {
      name: text(info['device-name'], NAME_MAX),
      cpu: clampedNumber(info.cpu, 0, 100),
      rx: number(ethernet['eth-rx'], 0, RATE_MAX),
      tx: number(ethernet['eth-tx'], 0, RATE_MAX),
      status: omitUndefined({
        ...readActivities(info),
        eth: ipAddress(ethernet.ip),
        wifi: ipAddress(fields(info.wifi).ip),
        mac: macAddress(ethernet.mac),
        'link-speed': number(ethernet['link-speed'], 0, LINK_MAX),
        // The unit is not documented. All other generations send seconds.
        'up-time': number(info.uptime, 0, UP_TIME_MAX),
        temperature: temperature(info.temperature, 1),
        memory: clampedNumber(info.mem, 0, 100),
        'fan-rpm': number(info['fan-rpm'], 0, FAN_MAX),
        inputs: listPorts({ '': input }),
        disks
      }),
      warns:
        (input === NO_SIGNAL ? DEVICE_WARNING_BITS.noSignal : 0) |
        diskWarnings(disks) |
        // As with the Ultra family: the version of a newer firmware, if one is available.
        (text(fields(info.upgrade).ver, NAME_MAX) ? DEVICE_WARNING_BITS.firmwareOld : 0),
      input
    }
  },
  codeMeaning: (action) => codeMeaning('api', action)
}
