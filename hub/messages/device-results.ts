// What became of a device that was told to do something, in words. It answers in the codes of its generation, which are not the hub's.
import type { ActionError, ActionResult, DeviceApi } from '../../contract/device/action.ts'
import { LIVE_ERRORS, type LiveError, QUICK_STREAM_ERRORS, type QuickStreamError } from '../../contract/device/live.ts'
import type { RecordingError } from '../../contract/device/recording.ts'
import { codeLines } from './codes.ts'
import { type Language, type Pair, say } from './language.ts'
import { liveLines, quickStreamLines } from './live.ts'
import { recordingLines } from './recording.ts'
import { ultraLines } from './ultra-codes.ts'

const RESTART: Pair = ['It takes effect when the device restarts.', '设备重启后生效。']

const among = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

/** The sentences of an error of a recording or live stream, each for a line of its own. */
function reasonLines(language: Language, error: ActionError): string[] {
  if (among<LiveError>(LIVE_ERRORS, error)) return liveLines(language, error)
  return among<QuickStreamError>(QUICK_STREAM_ERRORS, error)
    ? quickStreamLines(language, error)
    : recordingLines(language, error as RecordingError)
}

/** The sentences of a code that a device of a generation answered, each for a line of its own. */
export function deviceCodeLines(language: Language, api: DeviceApi, code: number): string[] {
  return (api === 'usapi' ? ultraLines : codeLines)(language, code)
}

/** The same for a device that was told to do something; none where the code is the hub's own and says it all. */
export function deviceResultLines(language: Language, told: Omit<ActionResult, 'sn'>): string[] {
  const { result, api, reason } = told
  const lines = reason ? reasonLines(language, reason) : api ? deviceCodeLines(language, api, result) : []
  if (!told['ext-need-reboot']) return lines
  return [...(lines.length > 0 ? lines : codeLines(language, result)), say(language, RESTART)]
}
