// Whole answers of the hub in words: what happened, with the numbers and names that the answer has, and what to do next.
import type { AnsweredNoun, Envelope } from '../../contract/call.ts'
import { codeText, NO_RESPONSE, nextStep, REQUEST_TIMED_OUT } from './codes.ts'
import { dateTime } from './dates.ts'
import { type Pair, t } from './language.ts'
import { operationText } from './operations.ts'

const EXISTS: Readonly<Record<AnsweredNoun, Pair>> = {
  user: ['User already exists', '用户已存在'],
  group: ['Group already exists', '用户组已存在'],
  server: ['The server already exists', '服务器已存在']
}

const AT_MOST: Readonly<Record<AnsweredNoun, Pair>> = {
  user: ['max users {max}', '最多 {max} 个用户'],
  group: ['max groups {max}', '最多 {max} 个用户组'],
  server: ['{max} servers at most', '最多 {max} 个服务器']
}

const TEXT = {
  port: ['Port {port} occupied', '端口 {port} 被占用'],
  locked: ['{what}. Too many attempts: try again in {wait} s.', '{what}。尝试次数过多，请在 {wait} 秒后重试。'],
  by: ['{what}: {name}, {time}', '{what}：{name}，{time}']
} as const satisfies Record<string, Pair>

/** What happened, with the numbers and names that the answer has of it: the first sentence of an answer. */
export function whatHappened({ result, port, exists }: Envelope): string {
  if (port) return t(TEXT.port, { port })
  return exists ? t(EXISTS[exists]) : codeText(result)
}

/** The sentences of an answer, each for a line of its own: what happened, then what else is known of it and what to do next. */
export function answerText(answer: Envelope): string[] {
  const { result, max = 0, of, by } = answer
  return [
    whatHappened(answer),
    of && t(AT_MOST[of], { max }),
    // What was done, by whom and when.
    by && t(TEXT.by, { what: operationText(by.event, ''), name: by.name, time: dateTime(by.time) }),
    nextStep(result)
  ].filter((line) => line !== undefined)
}

/** What went wrong with a password, and how long one has to wait. @param wait seconds, where the hub tells to */
export function lockedText(what: string, wait: number | undefined): string {
  return wait ? t(TEXT.locked, { what, wait }) : what
}

/** `answerText` for a relayed call: when time ran out it was the device's, since the hub itself would have answered. */
export function deviceAnswerText(answer: Envelope): string[] {
  return answerText(answer.result === REQUEST_TIMED_OUT ? { result: NO_RESPONSE } : answer)
}
