// Why there is no picture of a device at an address.
import { type Language, type Translation, translate } from './language.ts'

const TEXT = {
  /** Its API has no pictures, but a stream. */
  'off-air': ['The device offers no pictures; shown while on air', '设备不提供画面，播出时显示'],
  /** It has neither. */
  unsupported: ['The device offers no pictures', '设备不提供画面'],
  silent: ['No answer to the request for a picture', '请求画面无应答'],
  none: ['The device answers without a picture', '设备的应答中没有画面'],
  outdated: ['The last picture of the device is out of date', '设备的最近画面已过期']
} as const satisfies Record<string, Translation>

export const noPictureText = (language: Language, reason: keyof typeof TEXT): string =>
  translate(language, TEXT[reason])
