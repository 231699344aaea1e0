// How a recording or a stream of a device is, in words, beside the codes that every answer of its family has (device-api 3.6).
import type { DeviceActivity, DeviceSession, Standing } from '../../contract/device/device.ts'
import { type Language, type Pair, say } from './language.ts'
import { ultraCodeText } from './ultra-codes.ts'

type Tone = Standing['tone']

const OFF: Pair = ['Off', '未进行']

const STATES: Readonly<Record<number, readonly [tone: Tone, text: Pair]>> = {
  0: ['good', ['On', '进行中']],
  22: ['good', ['Connected', '已连接']],
  23: ['busy', ['Connecting', '正在连接']],
  24: ['busy', ['Waiting', '等待中']],
  25: ['busy', ['Authorizing', '正在认证']],
  27: ['off', ['Idle', '空闲']]
}

/** @param result how it is; undefined where it is off */
function standing(language: Language, result: number | undefined): Standing {
  if (result === undefined) return { tone: 'off', text: say(language, OFF) }
  const [tone, text] = STATES[result] ?? []
  return tone && text ? { tone, text: say(language, text) } : { tone: 'bad', text: ultraCodeText(language, result) }
}

/** Of all recordings, or all streams: what ended well, or has not begun, is no more than off. */
export function activityStanding(language: Language, { on, result = 0 }: DeviceActivity): Standing {
  return standing(language, on ? 0 : STATES[result] ? undefined : result)
}

/** Of one of several. */
export function sessionStanding(language: Language, { use, result = 0 }: DeviceSession): Standing {
  return standing(language, use === false ? undefined : result)
}
