// States of licences as sentences (contract/license.ts): the same numbers are others than the hub's.
import type { Envelope } from '../../contract/call.ts'
import { LICENSE } from '../../contract/license.ts'
import { answerText } from './answers.ts'
import { codeText } from './codes.ts'
import { type Pair, t } from './language.ts'

// What is the matter, and the next step.
const STATES: Readonly<Record<number, readonly Pair[]>> = {
  [LICENSE.valid]: [['The license is valid', '许可证有效']],
  [LICENSE.invalid]: [
    ['Invalid certificate', '证书无效'],
    ['Upload the file again, or ask for a new one.', '请重新上传文件，或申请新的文件。']
  ],
  [LICENSE.notExist]: [
    ['The license does not exist', '许可证不存在'],
    ['Check its serial number.', '请检查序列号。']
  ],
  [LICENSE.none]: [
    ['No license', '没有许可证'],
    ['The built-in license applies until one is added.', '添加许可证之前使用内置许可证。']
  ],
  [LICENSE.caLicenseError]: [
    ['The certificate of the license is not trusted', '许可证的证书不受信任'],
    ['Upload the file again, or ask for a new one.', '请重新上传文件，或申请新的文件。']
  ],
  [LICENSE.caKeyError]: [
    ['The key of the license does not fit its certificate', '许可证的密钥与证书不匹配'],
    ['Upload the file again, or ask for a new one.', '请重新上传文件，或申请新的文件。']
  ],
  [LICENSE.expired]: [['License subscription is expired, please renew it.', '许可证订阅已过期，请续订。']],
  [LICENSE.error]: [
    ['Certificate error', '证书错误'],
    ['Upload the file again, or ask for a new one.', '请重新上传文件，或申请新的文件。']
  ],
  [LICENSE.disabled]: [
    ['Certificate disabled', '证书已停用'],
    ['Ask whoever issued it.', '请联系颁发方。']
  ],
  [LICENSE.occupied]: [
    ['activated by another user', '已被其他用户激活'],
    ['Deactivate it there, or use another license.', '请先在该处停用，或使用其他许可证。']
  ]
}

const EXPIRES: Pair = [
  'The license expires in {days} days, on {date}. Please renew it.',
  '许可证将于 {days} 天后（{date}）到期，请续订。'
]

/** The sentence of a licence's state; that of the hub's code where a licence has none of this number. */
export function licenseText(state: number): string {
  const [said] = STATES[state] ?? []
  return said ? t(said) : codeText(state)
}

/** `answerText` for a call about a licence. Its success is that of the call. */
export function licenseAnswerText(answer: Envelope): string[] {
  const lines = answer.result === LICENSE.valid ? undefined : STATES[answer.result]
  return lines?.map((line) => t(line)) ?? answerText(answer)
}

/** The notice of a licence that expires soon. @param days from now, whole @param date in words */
export function licenseExpiresText(days: number, date: string): string {
  return t(EXPIRES, { days, date })
}
