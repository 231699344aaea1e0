// Sentences for the states of licences (contract/license/license.ts), whose numbers differ in meaning from the hub's result codes.
import { LICENSE_STATE } from '../../contract/license/license.ts'
import { LICENSE_STATE_SENTENCES } from '../../contract/text/error-sentences.ts'
import { codeLines } from './codes.ts'
import { type Language, type Translation, translate } from './language.ts'

const UPLOAD_AGAIN: Translation = ['Upload the file again, or request a new one.', '请重新上传文件，或申请新的文件。']

const NEXT_STEPS: Readonly<Record<number, Translation>> = {
  [LICENSE_STATE.invalid]: UPLOAD_AGAIN,
  [LICENSE_STATE.notExist]: ['Check its serial number.', '请检查序列号。'],
  [LICENSE_STATE.none]: ['The built-in license applies until one is added.', '添加许可证之前使用内置许可证。'],
  [LICENSE_STATE.caLicenseError]: UPLOAD_AGAIN,
  [LICENSE_STATE.caKeyError]: UPLOAD_AGAIN,
  [LICENSE_STATE.error]: UPLOAD_AGAIN,
  [LICENSE_STATE.disabled]: ['Contact the issuer.', '请联系颁发方。'],
  [LICENSE_STATE.occupied]: ['Deactivate it there, or use another license.', '请先在该处停用，或使用其他许可证。']
}

/** Lines for a state: its meaning, then the next step for the user. An unknown state is treated as a result code of the hub. */
export function licenseLines(language: Language, state: number): string[] {
  const sentence = LICENSE_STATE_SENTENCES[state]
  if (!sentence) return codeLines(language, state)
  const step = NEXT_STEPS[state]
  return [sentence, ...(step ? [step] : [])].map((line) => translate(language, line))
}
