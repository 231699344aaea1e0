// What became of a device that was told to do something, in words. It answers in the codes of its generation, which are not the hub's.
import type { Envelope } from '../../contract/call.ts'
import type { ActionError, ActionResult } from '../../contract/device-action.ts'
import { LIVE_ERRORS, type LiveError, QUICK_STREAM_ERRORS, type QuickStreamError } from '../../contract/live.ts'
import type { RecordingError } from '../../contract/recording.ts'
import { answerText, deviceAnswerText } from './answers.ts'
import { type Pair, t } from './language.ts'
import { liveText, quickStreamText } from './live.ts'
import { recordingText } from './recording.ts'
import { ultraAnswerText } from './ultra-codes.ts'

const RESTART: Pair = ['It takes effect when the device restarts.', '设备重启后生效。']

const among = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

/** The sentences of an error of a recording or live stream, each for a line of its own. */
function reasonText(error: ActionError): string[] {
  if (among<LiveError>(LIVE_ERRORS, error)) return liveText(error)
  return among<QuickStreamError>(QUICK_STREAM_ERRORS, error)
    ? quickStreamText(error)
    : recordingText(error as RecordingError)
}

/** What an answer may say of a device beside its code. */
type Told = Envelope & Partial<Pick<ActionResult, 'reason' | 'ext-need-reboot'>>

/** `answerText` for what devices were told to do. */
export function deviceResultText(answer: Told): string[] {
  if (answer.reason) return reasonText(answer.reason)
  const say = answer.api === 'usapi' ? ultraAnswerText : answer.api ? deviceAnswerText : answerText
  return [...say(answer), ...(answer['ext-need-reboot'] ? [t(RESTART)] : [])]
}
