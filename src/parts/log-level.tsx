// Severity level of a log line.
import { LOG_ERROR, LOG_INFO, LOG_WARNING } from '../../contract/log.ts'
import { type Translation, t } from '../text/language.ts'
import type { Tone } from '../text/states.ts'
import { StatusLabel } from '../ui/status-label.tsx'

const INFO: readonly [Tone, Translation] = ['off', ['Info', '信息']]

const LEVELS: Readonly<Record<number, readonly [Tone, Translation]>> = {
  [LOG_INFO]: INFO,
  [LOG_WARNING]: ['warn', ['Warning', '告警']],
  [LOG_ERROR]: ['bad', ['Error', '错误']]
}

export const LOG_LEVELS = [LOG_INFO, LOG_WARNING, LOG_ERROR]

/** Name of a level. An unknown level is shown as Info. */
export function logLevelText(level: number): string {
  return t((LEVELS[level] ?? INFO)[1])
}

export function LogLevel({ level }: { level: number }) {
  return <StatusLabel tone={(LEVELS[level] ?? INFO)[0]} text={logLevelText(level)} />
}
