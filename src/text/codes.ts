// Result codes of a hub as sentences. An answer that brings its own `message` needs none of them (`answers.ts`).
import { CHECK_FIRST, CHECK_POWER, RESULT_SENTENCES, type ResultSentence } from '../../contract/sentences.ts'
import { type Translation, t } from './language.ts'

// What the console answers itself where no answer came, outside the wire's range.
/** The hub could not be reached at all. */
export const NO_CONNECTION = -90001
/** The hub did not answer in time. */
export const REQUEST_TIMED_OUT = -90002
/** The hub answered, the device behind it did not. */
export const NO_RESPONSE = -90003

const ALL: readonly ResultSentence[] = [
  ...RESULT_SENTENCES,
  [['No response from the device', '设备无响应'], CHECK_POWER, NO_RESPONSE],
  [
    ['Cannot connect to server', '无法连接到服务器'],
    ['Check your network connection.', '请检查网络连接。'],
    NO_CONNECTION
  ],
  [['Network Error: Please check your network connection', '网络错误：请检查网络连接'], CHECK_FIRST, REQUEST_TIMED_OUT]
]

const UNKNOWN: Translation = ['Operation failed. Error code: {code}', '操作失败，错误码：{code}']

const sentenceOf = (code: number) => ALL.find(([, , ...codes]) => codes.includes(code)) ?? [UNKNOWN]

/** The sentence of a result code of the hub: what happened. With the number for a code nobody knows. */
export function codeText(code: number): string {
  return t(sentenceOf(code)[0], { code })
}

/** What to do next after an answer with this code, where there is something. */
export function nextStep(code: number): string | undefined {
  const [, next] = sentenceOf(code)
  return next && t(next)
}

/** Whether there is a sentence for a code. */
export function isKnownCode(code: number): boolean {
  return sentenceOf(code)[0] !== UNKNOWN
}
