// Ultra Stream and Ultra Encode: device-api 3. `get-status` has all that lists show, in one call.
import { WARNING } from '../../../contract/device.ts'
import type { Adapter } from './adapter.ts'
import { diskWarnings } from './disks.ts'
import {
  address,
  answerCode,
  fields,
  heat,
  measured,
  NAME_MAX,
  number,
  RATE_MAX,
  runningMask,
  text,
  UP_TIME_MAX
} from './fields.ts'
import { inputSignal, NO_SIGNAL } from './signal.ts'

const call = (method: string) => ({ method: 'GET', path: `/usapi?method=${method}` })

const code = (answer: unknown) => answerCode(fields(answer).result)

export const usapi: Adapter = {
  status: call('get-status'),
  code,
  read(answer) {
    if (code(answer) !== 0) return undefined
    const status = fields(answer)
    const system = fields(status.sysstat)
    const input = inputSignal(status['input-signal'])
    return {
      name: text(status['box-name'], NAME_MAX),
      // `cpu` beside it is no share: 1500 in a real answer, so presumably MHz.
      cpu: measured(system['cpu-usage'], 0, 100),
      // Bits: in a real answer `eth-tx` is the sum of the bit rates that the device sends.
      rx: number(system['eth-rx'], 0, RATE_MAX),
      tx: number(system['eth-tx'], 0, RATE_MAX),
      status: {
        'cur-status': runningMask(status['cur-status']),
        eth: address(fields(status.eth).ip),
        wifi: address(fields(status.wifi).ip),
        'up-time': number(system.uptime, 0, UP_TIME_MAX),
        temperature: heat(status['cpu-temperature'], 1000)
      },
      warns:
        (input === NO_SIGNAL ? WARNING.noSignal : 0) |
        diskWarnings(status['disk-info']) |
        // Where a newer version is offered, it has a number.
        (text(fields(status.upgrade).ver, NAME_MAX) ? WARNING.firmwareOld : 0),
      input
    }
  },
  rename: (name) => call(`set-name&name=${encodeURIComponent(name)}`),
  reboot: call('reboot')
}
