// Sentences for result codes, in the language of a request.
import { RESULT_SENTENCES } from '../../contract/text/sentences.ts'
import { type Language, type Translation, translate } from './language.ts'

const UNKNOWN: Translation = ['Operation failed. Error code: {code}', '操作失败，错误码：{code}']

const sentenceOf = (code: number) => RESULT_SENTENCES.find(([, , ...codes]) => codes.includes(code)) ?? [UNKNOWN]

/** The problem, by result code. The sentence for an unknown code includes its number. */
export function codeText(language: Language, code: number): string {
  return translate(language, sentenceOf(code)[0], { code })
}

/** Lines for a result code: the problem, then the next steps if there are any. */
export function codeLines(language: Language, code: number): string[] {
  const [, next] = sentenceOf(code)
  return [codeText(language, code), ...(next ? [translate(language, next)] : [])]
}

/** Whether there is a sentence for a code. */
export function isKnownCode(code: number): boolean {
  return sentenceOf(code)[0] !== UNKNOWN
}
