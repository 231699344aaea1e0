// Sentences for licences.
import { LICENSE_STATE_SENTENCES } from '../../contract/text/error-sentences.ts'
import { codeText } from './codes.ts'
import { type Translation, t } from './language.ts'

const EXPIRES: Translation = [
  'The license expires in {days} days, on {date}. Please renew it.',
  '许可证将于 {days} 天后（{date}）到期，请续订。'
]

/** The notice that a licence expires soon. @param days whole days from now @param date formatted date */
export function licenseExpiresText(days: number, date: string): string {
  return t(EXPIRES, { days, date })
}

/** The sentence for a licence state (`LICENSE_STATE`). An unknown state is shown like a result code. */
export function licenseStateText(state: number): string {
  const sentence = LICENSE_STATE_SENTENCES[state]
  return sentence ? t(sentence) : codeText(state)
}
