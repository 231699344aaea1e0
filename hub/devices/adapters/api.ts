// Newer devices, and Director: device-api 5.
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

const code = (answer: unknown) => answerCode(fields(answer).status)

const post = (path: string, body: object) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body)
})

export const api: Adapter = {
  // The fields of 'basic info' are public, its path is not: this one is ours, in the manner of those that are.
  status: { method: 'GET', path: '/api/system/basic-info' },
  code,
  read(answer) {
    if (code(answer) !== 0) return undefined
    const info = fields(answer)
    // Name, up time and CPU are documented. The rest is not, and is read under the Ultra family's names from a device that says it.
    const ethernet = fields(info.eth)
    const input = inputSignal(info['input-signal'])
    return {
      name: text(info['device-name'], NAME_MAX),
      cpu: measured(info.cpu, 0, 100),
      rx: number(ethernet['eth-rx'], 0, RATE_MAX),
      tx: number(ethernet['eth-tx'], 0, RATE_MAX),
      status: {
        'cur-status': runningMask(info['cur-status']),
        eth: address(ethernet.ip),
        // Presumably seconds, as everywhere else.
        'up-time': number(info.uptime, 0, UP_TIME_MAX),
        temperature: heat(info.temperature, 1)
      },
      warns: (input === NO_SIGNAL ? WARNING.noSignal : 0) | diskWarnings(info['disk-info']),
      input
    }
  },
  rename: (name) => post('/api/system/set-device-name', { name }),
  reboot: post('/api/reboot', {})
}
