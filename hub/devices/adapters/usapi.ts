// Ultra Stream and Ultra Encode: device-api 3. `get-status` has all that lists show, in one call.
import { WARNING } from '../../../contract/device/device.ts'
import { doings } from './activity.ts'
import type { Adapter } from './adapter.ts'
import { disksOf, diskWarnings } from './disks.ts'
import { ultraMeaning } from './error-codes.ts'
import {
  address,
  answerCode,
  type Fields,
  fields,
  heat,
  LINK_MAX,
  measured,
  NAME_MAX,
  number,
  portNumber,
  RATE_MAX,
  said,
  text,
  UP_TIME_MAX
} from './fields.ts'
import { inputSignal, NO_SIGNAL, ports } from './signal.ts'

const call = (method: string) => ({ method: 'GET', path: `/usapi?method=${method}` })

const code = (answer: unknown) => answerCode(fields(answer).result)

/** Percent of the memory that is in use. */
function memoryOf(system: Fields): number | undefined {
  const total = number(system['mem-total'], 1, 1e12)
  const free = total === undefined ? undefined : number(system['mem-free'], 0, total)
  return total === undefined || free === undefined ? undefined : 100 * (1 - free / total)
}

/** An AIO has two inputs and tells of each; the others have one, and do not say here which it is. */
function inputsOf(value: unknown) {
  const signal = fields(value)
  const each = ports({ HDMI: inputSignal(signal.hdmi), SDI: inputSignal(signal.sdi) })
  return each ?? ports({ '': inputSignal(signal) })
}

export const usapi: Adapter = {
  api: 'usapi',
  status: call('get-status'),
  code,
  read(answer) {
    if (code(answer) !== 0) return undefined
    const status = fields(answer)
    const system = fields(status.sysstat)
    const ethernet = fields(status.eth)
    const web = fields(status.web)
    const input = inputSignal(status['input-signal'])
    const disks = disksOf(status['disk-info'])
    return {
      name: text(status['box-name'], NAME_MAX),
      // `cpu` beside it is no share: 1500 in a real answer, so presumably MHz.
      cpu: measured(system['cpu-usage'], 0, 100),
      // Bits: in a real answer `eth-tx` is the sum of the bit rates that the device sends.
      rx: number(system['eth-rx'], 0, RATE_MAX),
      tx: number(system['eth-tx'], 0, RATE_MAX),
      status: said({
        ...doings(status),
        eth: address(ethernet.ip),
        wifi: address(fields(status.wifi).ip),
        mobile: address(fields(status.mobile).ip),
        softap: address(fields(status.softap).ip),
        // It has its address whether anybody is at the other end or not.
        rndis: fields(status.rndis)['link-state'] === 0 ? undefined : address(fields(status.rndis).ip),
        'link-speed': number(ethernet['link-speed'], 0, LINK_MAX),
        'http-port': web['is-http'] === 0 ? undefined : portNumber(web['http-port']),
        'https-port': web['is-https'] === 0 ? undefined : portNumber(web['https-port']),
        'up-time': number(system.uptime, 0, UP_TIME_MAX),
        temperature: heat(status['cpu-temperature'], 1000),
        memory: memoryOf(system),
        inputs: inputsOf(status['input-signal']),
        disks
      }),
      warns:
        (input === NO_SIGNAL ? WARNING.noSignal : 0) |
        diskWarnings(disks) |
        // Where a newer version is offered, it has a number.
        (text(fields(status.upgrade).ver, NAME_MAX) ? WARNING.firmwareOld : 0),
      input
    }
  },
  rename: (name) => call(`set-name&name=${encodeURIComponent(name)}`),
  actions: {
    reboot: call('reboot'),
    startRecording: call('start-rec'),
    stopRecording: call('stop-rec'),
    startLive: call('start-live'),
    stopLive: call('stop-live')
  },
  meaning: ultraMeaning
}
