// Sentences for the result codes of a hub. A response with its own `message` does not need them
// (`response-message.ts`).
import { CHECK_FIRST, CHECK_POWER, RESULT_SENTENCES, type ResultSentence } from '../../contract/text/sentences.ts'
import { type Translation, t } from './language.ts'

// Results that the console sets itself when there is no response. They are outside the range of the hub's codes.
/** The hub could not be reached. */
export const NO_CONNECTION = -90001
/** The hub did not respond in time. */
export const REQUEST_TIMED_OUT = -90002
/** The hub responded, but the device behind it did not. */
export const NO_RESPONSE = -90003
/** A language pack could not be loaded. */
export const NO_LANGUAGE_PACK = -90004

const ALL: readonly ResultSentence[] = [
  ...RESULT_SENTENCES,
  [['No response from the device', '设备无响应'], CHECK_POWER, NO_RESPONSE],
  [
    ['Cannot connect to server', '无法连接到服务器'],
    ['Check your network connection.', '请检查网络连接。'],
    NO_CONNECTION
  ],
  [
    ['Failed to load the language', '语言加载失败'],
    ['Try again, or reload the page.', '请重试，或重新加载页面。'],
    NO_LANGUAGE_PACK
  ],
  [['Network Error: Please check your network connection', '网络错误：请检查网络连接'], CHECK_FIRST, REQUEST_TIMED_OUT]
]

const UNKNOWN: Translation = ['Operation failed. Error code: {code}', '操作失败，错误码：{code}']

const sentenceOf = (code: number) => ALL.find(([, , ...codes]) => codes.includes(code)) ?? [UNKNOWN]

/** The sentence for a result code of the hub. For an unknown code it contains the number. */
export function codeText(code: number): string {
  return t(sentenceOf(code)[0], { code })
}

/** The sentence with the next step for the user after this result code; undefined if there is none. */
export function nextStep(code: number): string | undefined {
  const [, next] = sentenceOf(code)
  return next && t(next)
}

/** Whether there is a sentence for a result code. */
export function isKnownCode(code: number): boolean {
  return sentenceOf(code)[0] !== UNKNOWN
}
