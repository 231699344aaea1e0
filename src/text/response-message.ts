// Whole answers of the hub in words: what happened, and what to do next.
import type { Envelope } from '../../contract/call.ts'
import { codeText, nextStep } from './codes.ts'
import { dateTime } from './dates.ts'
import { type Pair, t } from './language.ts'

const TEXT = {
  locked: ['{what}. Too many attempts: try again in {wait} s.', '{what}。尝试次数过多，请在 {wait} 秒后重试。'],
  by: ['{what}: {name}, {time}', '{what}：{name}，{time}']
} as const satisfies Record<string, Pair>

/** The sentences of an answer, each for a line of its own: what happened, then what else is known of it and what to do next. */
export function answerText({ result, message, by }: Envelope): string[] {
  // The hub says it where it knows more than the result.
  const [what = '', ...next] = message ? message.split('\n') : [codeText(result), nextStep(result)]
  return [
    what,
    // What was done, by whom and when.
    by && t(TEXT.by, { what: by.what ?? by.event, name: by.name, time: dateTime(by.time) }),
    ...next
  ].filter((line) => line !== undefined)
}

/** What went wrong with a password, and how long one has to wait. @param wait seconds, where the hub tells to */
export function lockedText(what: string, wait: number | undefined): string {
  return wait ? t(TEXT.locked, { what, wait }) : what
}
