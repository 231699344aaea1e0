// States of licences as sentences (contract/license.ts): the same numbers are others than the hub's.
import { LICENSE } from '../../contract/license.ts'
import { codeLines } from './codes.ts'
import { type Language, type Pair, say } from './language.ts'

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

/** What a licence's state means, and what to do next, each for a line of its own; the hub's code where a licence has none of this number. */
export function licenseLines(language: Language, state: number): string[] {
  return STATES[state]?.map((line) => say(language, line)) ?? codeLines(language, state)
}
