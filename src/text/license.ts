// Sentences about licences.
import { LICENSE_STATE_SENTENCES } from '../../contract/error-sentences.ts'
import { codeText } from './codes.ts'
import { type Translation, t } from './language.ts'

const EXPIRES: Translation = [
  'The license expires in {days} days, on {date}. Please renew it.',
  '许可证将于 {days} 天后（{date}）到期，请续订。'
]

/** The notice of a licence that expires soon. @param days from now, whole @param date as shown */
export function licenseExpiresText(days: number, date: string): string {
  return t(EXPIRES, { days, date })
}

/** What a state of a licence means (`LICENSE_STATE`). An unknown state is worded as a result code. */
export function licenseStateText(state: number): string {
  const [what] = LICENSE_STATE_SENTENCES[state] ?? []
  return what ? t(what) : codeText(state)
}
