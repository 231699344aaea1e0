// The sentences of a whole response: what happened, and what to do next.
import type { Envelope, LockoutInfo } from '../../contract/call.ts'
import { REAUTHENTICATION_REQUIRED, SECOND_FACTOR_REQUIRED, SUCCESS } from '../../contract/codes.ts'
import type { ActionError } from '../../contract/device/live.ts'
import { ACTION_ERROR_SENTENCES } from '../../contract/text/error-sentences.ts'
import { EXISTING_SENTENCES } from '../../contract/text/sentences.ts'
import { codeText, nextStep } from './codes.ts'
import { dateTime } from './dates.ts'
import { type Translation, t } from './language.ts'

const TEXT = {
  locked: ['{what}. Too many attempts: try again in {wait} s.', '{what}。尝试次数过多，请在 {wait} 秒后重试。'],
  wrongCode: ['The code is wrong or was used before', '验证码错误或已被使用'],
  by: ['{what}: {name}, {time}', '{what}：{name}，{time}'],
  token: ['Token “{0}” of {1}', '{1} 的令牌“{0}”']
} as const satisfies Record<string, Translation>

/** The user, or the access token of a program and its owner. */
export const callerText = ({ name, token }: { name: string; token?: string | undefined }) =>
  token ? t(TEXT.token, token, name) : name

/**
 * The lines of a response: what happened, who did what that caused it, what to do next. A hub that knows more than the
 * result code sends a message or a named reason; another hub is understood by its result code alone.
 */
export function responseLines({ result, message, by, reason, exists }: Envelope & { reason?: ActionError }): string[] {
  const [what = '', ...next] = message
    ? message.split('\n')
    : (reason && ACTION_ERROR_SENTENCES[reason]?.map((sentence) => t(sentence))) || [
        exists ? t(EXISTING_SENTENCES[exists]) : codeText(result),
        nextStep(result)
      ]
  return [
    what,
    by && t(TEXT.by, { what: by.what ?? by.event, name: callerText(by), time: dateTime(by.time) }),
    ...next
  ].filter((line) => line !== undefined)
}

/** An error at sign-in, with the remaining wait if the account is locked. @param wait seconds */
export function lockedText(what: string, wait: number | undefined): string {
  return wait ? t(TEXT.locked, { what, wait }) : what
}

/** Results that are questions to the user, or cancelled ones, and no errors. */
const QUESTIONS: readonly number[] = [SUCCESS, REAUTHENTICATION_REQUIRED, SECOND_FACTOR_REQUIRED]

/** The error in the response to a password or a code of the second factor; empty if there is none. */
export function credentialsError({ result, field, 'locked-s': wait }: Envelope & LockoutInfo): string {
  if (QUESTIONS.includes(result)) return ''
  return lockedText(field?.endsWith('code') ? t(TEXT.wrongCode) : codeText(result), wait)
}
