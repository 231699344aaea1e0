// Newer devices, and Director: device-api 5.
import { WARNING } from '../../../contract/device/device.ts'
import { doings } from './activity.ts'
import type { Adapter } from './adapter.ts'
import { disksOf, diskWarnings } from './disks.ts'
import { newerMeaning } from './error-codes.ts'
import {
  address,
  answerCode,
  FAN_MAX,
  fields,
  hardwareAddress,
  heat,
  LINK_MAX,
  measured,
  NAME_MAX,
  number,
  RATE_MAX,
  said,
  text,
  UP_TIME_MAX
} from './fields.ts'
import { inputSignal, NO_SIGNAL, ports } from './signal.ts'

const code = (answer: unknown) => answerCode(fields(answer).status)

const post = (path: string, body: object) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body)
})

export const api: Adapter = {
  api: 'api',
  // The fields of 'basic info' are public, its path is not: this one is ours, in the manner of those that are.
  status: { method: 'GET', path: '/api/system/basic-info' },
  code,
  read(answer) {
    if (code(answer) !== 0) return undefined
    const info = fields(answer)
    // Name, up time, CPU and memory are documented. The rest is not, and is read under the Ultra family's names from a device that
    // says it.
    const ethernet = fields(info.eth)
    const input = inputSignal(info['input-signal'])
    const disks = disksOf(info['disk-info'])
    return {
      name: text(info['device-name'], NAME_MAX),
      cpu: measured(info.cpu, 0, 100),
      rx: number(ethernet['eth-rx'], 0, RATE_MAX),
      tx: number(ethernet['eth-tx'], 0, RATE_MAX),
      status: said({
        ...doings(info),
        eth: address(ethernet.ip),
        wifi: address(fields(info.wifi).ip),
        mac: hardwareAddress(ethernet.mac),
        'link-speed': number(ethernet['link-speed'], 0, LINK_MAX),
        // Presumably seconds, as everywhere else.
        'up-time': number(info.uptime, 0, UP_TIME_MAX),
        temperature: heat(info.temperature, 1),
        memory: measured(info.mem, 0, 100),
        'fan-rpm': number(info['fan-rpm'], 0, FAN_MAX),
        inputs: ports({ '': input }),
        disks
      }),
      warns: (input === NO_SIGNAL ? WARNING.noSignal : 0) | diskWarnings(disks),
      input
    }
  },
  rename: (name) => post('/api/system/set-device-name', { name }),
  actions: {
    reboot: post('/api/reboot', {}),
    startRecording: post('/api/record/start-record', {}),
    stopRecording: post('/api/record/stop-record', {}),
    startLive: post('/api/live/start-quick-stream', {}),
    stopLive: post('/api/live/stop-quick-stream', {})
  },
  meaning: newerMeaning
}
