// Status of the recordings and live streams of a device. Their `result` is a state below, or an error code of the Ultra family.
import type { DeviceActivity, DeviceSession, StatusInfo } from '../../contract/device/status.ts'
import { type Language, type Translation, translate } from './language.ts'
import { ultraCodeText } from './ultra-codes.ts'

type Tone = StatusInfo['tone']

const OFF: Translation = ['Off', '未进行']

const STATES: Readonly<Record<number, readonly [tone: Tone, text: Translation]>> = {
  0: ['good', ['On', '进行中']],
  22: ['good', ['Connected', '已连接']],
  23: ['busy', ['Connecting', '正在连接']],
  24: ['busy', ['Waiting', '等待中']],
  25: ['busy', ['Authorizing', '正在认证']],
  27: ['off', ['Idle', '空闲']]
}

/** @param result undefined = off */
function statusOf(language: Language, result: number | undefined): StatusInfo {
  if (result === undefined) return { tone: 'off', text: translate(language, OFF) }
  const [tone, text] = STATES[result] ?? []
  return tone && text
    ? { tone, text: translate(language, text) }
    : { tone: 'bad', text: ultraCodeText(language, result) }
}

/** Status of all recordings, or of all streams. An activity that has not started, or has ended without an error, is off. */
export function activityStatus(language: Language, { on, result = 0 }: DeviceActivity): StatusInfo {
  return statusOf(language, on ? 0 : STATES[result] ? undefined : result)
}

/** Status of one recording or stream. */
export function sessionStatus(language: Language, { use, result = 0 }: DeviceSession): StatusInfo {
  return statusOf(language, use === false ? undefined : result)
}
