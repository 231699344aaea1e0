// What the hub warns of itself (bits of `status-code`, contract/system.ts).
import { STATUS } from '../../contract/system.ts'
import { type Pair, t } from './language.ts'

const WARNINGS: readonly (readonly [bit: number, text: Pair])[] = [
  [STATUS.srtFailed, ['The SRT service failed to start.', 'SRT 服务启动失败。']],
  [STATUS.lowMemory, ['Memory is too low to work properly.', '内存过低，无法正常工作。']]
]

/** The warnings in a `status-code`. */
export function hubWarnings(statusCode: number): string[] {
  return WARNINGS.filter(([bit]) => statusCode & bit).map(([, text]) => t(text))
}
