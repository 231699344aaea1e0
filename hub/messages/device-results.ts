// Sentences for results of device actions. Each API generation has its own result codes, which differ from the hub's.
import type { ActionResult, DeviceApi } from '../../contract/device/action.ts'
import { actionErrorLines } from './action-errors.ts'
import { codeLines } from './codes.ts'
import { type Language, type Translation, translate } from './language.ts'
import { ultraLines } from './ultra-codes.ts'

const RESTART_NEEDED: Translation = ['It takes effect when the device restarts.', '设备重启后生效。']

/** Lines for a result code of a device. */
export function deviceCodeLines(language: Language, api: DeviceApi, code: number): string[] {
  return (api === 'usapi' ? ultraLines : codeLines)(language, code)
}

/** Lines for the result of a device action; empty for a result code of the hub without further details. */
export function deviceResultLines(language: Language, action: Omit<ActionResult, 'sn'>): string[] {
  const { result, api, reason } = action
  const lines = reason ? actionErrorLines(language, reason) : api ? deviceCodeLines(language, api, result) : []
  if (!action['ext-need-reboot']) return lines
  return [...(lines.length > 0 ? lines : codeLines(language, result)), translate(language, RESTART_NEEDED)]
}
