// Status of the recordings and live streams of a device. Their `result` is a state below, or an error code of the Ultra
// family.
import type { ActionError } from '../../contract/device/live.ts'
import type { DeviceActivity, DeviceSession, StatusInfo } from '../../contract/device/status.ts'
import { actionErrorLines } from './action-errors.ts'
import { type Language, type Translation, translate } from './language.ts'
import { ultraCodeText } from './ultra-codes.ts'

type Tone = StatusInfo['tone']

/** What a device does: record, or stream live. */
export type ActivityKind = 'recording' | 'live'

const OFF: Readonly<Record<ActivityKind, Translation>> = {
  recording: ['Not recording', '未录制'],
  live: ['Not streaming', '未推流']
}

const ON: Readonly<Record<ActivityKind, Translation>> = {
  recording: ['Recording', '录制中'],
  live: ['Streaming', '推流中']
}

const STATES: Readonly<Record<number, readonly [tone: Tone, text: Translation]>> = {
  22: ['good', ['Connected', '已连接']],
  23: ['busy', ['Connecting', '正在连接']],
  24: ['busy', ['Waiting', '等待中']],
  25: ['busy', ['Authorizing', '正在认证']],
  27: ['off', ['Idle', '空闲']]
}

/** @param result undefined = off @param reason the error that the result stands for, if there is one */
function statusOf(
  language: Language,
  kind: ActivityKind,
  result: number | undefined,
  reason?: ActionError
): StatusInfo {
  if (result === undefined) return { tone: 'off', text: translate(language, OFF[kind]) }
  if (result === 0) return { tone: 'good', text: translate(language, ON[kind]) }
  if (reason) return { tone: 'bad', text: actionErrorLines(language, reason)[0] ?? '' }
  const [tone, text] = STATES[result] ?? []
  return tone && text
    ? { tone, text: translate(language, text) }
    : { tone: 'bad', text: ultraCodeText(language, result) }
}

/**
 * Status of all recordings, or of all streams. An activity that has not started, or has ended without an error, is off.
 */
export function activityStatus(language: Language, kind: ActivityKind, activity: DeviceActivity): StatusInfo {
  const { on, result = 0, reason } = activity
  const hasFailed = result !== 0 && !STATES[result]
  return statusOf(language, kind, on ? 0 : hasFailed ? result : undefined, reason)
}

/** Status of one recording or stream. */
export function sessionStatus(language: Language, kind: ActivityKind, session: DeviceSession): StatusInfo {
  const { use, result = 0, reason } = session
  return statusOf(language, kind, use === false ? undefined : result, reason)
}
