// The notice of a licence that expires. What else is to be said of licences the hub says (`hub/messages/license.ts`).
import { type Pair, t } from './language.ts'

const EXPIRES: Pair = [
  'The license expires in {days} days, on {date}. Please renew it.',
  '许可证将于 {days} 天后（{date}）到期，请续订。'
]

/** The notice of a licence that expires soon. @param days from now, whole @param date in words */
export function licenseExpiresText(days: number, date: string): string {
  return t(EXPIRES, { days, date })
}
