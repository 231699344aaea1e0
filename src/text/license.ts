// Sentences for licences.
import { LICENSE_STATE, type LicenseLimits } from '../../contract/license/license.ts'
import { LICENSE_STATE_SENTENCES } from '../../contract/text/error-sentences.ts'
import { codeText } from './codes.ts'
import { type Translation, t } from './language.ts'

const TEXT = {
  expires: [
    'The license expires in {days} days, on {date}. Please renew it.',
    '许可证将于 {days} 天后（{date}）到期，请续订。'
  ],
  expiresAtOnce: ['The license expires on {date}. Please renew it.', '许可证将于 {date} 到期，请续订。'],
  notInForce: ['License not in force: {0}', '许可证未生效：{0}'],
  exceeded: ['{0}: {1}, the license allows {2}', '{0}：{1}，许可证允许 {2}']
} as const satisfies Record<string, Translation>

/** Names of the limits of a licence. */
export const LIMIT_NAMES: Readonly<Record<keyof LicenseLimits, Translation>> = {
  'max-srt-count': ['SRT relay servers', 'SRT 中继服务器'],
  'max-channel-count': ['Channels', '频道'],
  'max-live-count': ['Streaming channels', '运行中的频道'],
  'max-output-count': ['Active outputs', '活动输出'],
  'max-dev-count': ['Registered devices', '已注册设备']
}

/** The notice that a licence expires soon. @param days whole days from now @param date formatted date */
export function licenseExpiresText(days: number, date: string): string {
  return t(days > 1 ? TEXT.expires : TEXT.expiresAtOnce, { days, date })
}

/** The notice that a licence is not in force. @param state `LICENSE_STATE` */
export function licenseFaultText(state: number): string {
  const text = licenseStateText(state)
  return state === LICENSE_STATE.expired ? text : t(TEXT.notInForce, text)
}

/** That a limit is reached or exceeded. */
export function licenseLimitText(name: keyof LicenseLimits, used: number, max: number): string {
  return t(TEXT.exceeded, t(LIMIT_NAMES[name]), used, max)
}

/** The sentence for a licence state (`LICENSE_STATE`). An unknown state is shown like a result code. */
export function licenseStateText(state: number): string {
  const sentence = LICENSE_STATE_SENTENCES[state]
  return sentence ? t(sentence) : codeText(state)
}
