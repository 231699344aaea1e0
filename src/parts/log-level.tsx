// The level of a log line, as a word with a shape.
import { LOG_ERROR, LOG_INFO, LOG_WARNING } from '../../contract/log.ts'
import { type Pair, t } from '../text/language.ts'
import type { Tone } from '../text/states.ts'
import { State } from '../ui/state.tsx'

const INFO: readonly [Tone, Pair] = ['off', ['Info', '信息']]

const LEVELS: Readonly<Record<number, readonly [Tone, Pair]>> = {
  [LOG_INFO]: INFO,
  [LOG_WARNING]: ['warn', ['Warning', '警告']],
  [LOG_ERROR]: ['bad', ['Error', '错误']]
}

export const LEVEL_NUMBERS = [LOG_INFO, LOG_WARNING, LOG_ERROR]

/** The word of a level; that of information for one that nobody knows. */
export function levelText(level: number): string {
  return t((LEVELS[level] ?? INFO)[1])
}

export function Level({ level }: { level: number }) {
  return <State tone={(LEVELS[level] ?? INFO)[0]} text={levelText(level)} />
}
