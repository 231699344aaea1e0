// Result codes as sentences: those of a hub, which the console has too, and those that only devices and licences answer.
import { CHECK, SENTENCES, type Sentence } from '../../contract/sentences.ts'
import { type Language, type Pair, say } from './language.ts'

const NONE = undefined

/** What a console has no sentence for. */
const ALONE: readonly Sentence[] = [
  [['Not enough memory', '内存不足'], NONE, 8, 51, 52, 54],
  [['Read or write error', '读写失败'], NONE, 13],
  [['Read error', '读取失败'], NONE, 14, 33],
  [['The input string is incorrect', '输入的字符串不正确'], CHECK, -28],
  [['Invalid certificate', '证书无效'], NONE, -102],
  [['Invalid private key', '私钥无效'], NONE, -103],
  // Of licences, where the numbers mean nothing else; all of their states are in `license.ts`.
  [['No license', '没有许可证'], NONE, -20],
  [['License subscription is expired, please renew it.', '许可证订阅已过期，请续订。'], NONE, -107],
  [['Certificate error', '证书错误'], NONE, -109],
  [['Certificate disabled', '证书已停用'], NONE, -110],
  [['activated by another user', '已被其他用户激活'], NONE, -111]
]

const ALL = [...SENTENCES, ...ALONE]

const UNKNOWN: Pair = ['Operation failed. Error code: {code}', '操作失败，错误码：{code}']

const sentenceOf = (code: number) => ALL.find(([, , ...codes]) => codes.includes(code)) ?? [UNKNOWN]

/** What happened, by its code; with the number for a code that nobody knows. */
export function codeText(language: Language, code: number): string {
  return say(language, sentenceOf(code)[0], { code })
}

/** The same, and what to do next where there is something, each for a line of its own. */
export function codeLines(language: Language, code: number): string[] {
  const [, next] = sentenceOf(code)
  return [codeText(language, code), ...(next ? [say(language, next)] : [])]
}

/** Whether a code has its sentence in the hub alone, so that an answer must bring it. */
export function isSaidHereAlone(code: number): boolean {
  return ALONE.some(([, , ...codes]) => codes.includes(code))
}

/** Whether there is a sentence for a code. */
export function isKnownCode(code: number): boolean {
  return sentenceOf(code)[0] !== UNKNOWN
}
