// Sentences of the relay, in the two languages of the sources.
import {
  CLIENT_NOT_EXIST,
  CLIENT_OFFLINE,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  TARGET_TIMEOUT,
  UNSUPPORTED
} from '../../contract/codes.ts'
import { requestLanguage, type Translation, translate } from '../../web-server/language.ts'

/** What a result code of the relay means. */
const RELAY_TEXTS: Readonly<Record<number, Translation>> = {
  [TARGET_TIMEOUT]: ['The hub did not answer in time.', '中控未及时响应。'],
  [CLIENT_NOT_EXIST]: ['There is no such hub, or you may not open it.', '中控不存在，或您无权打开。'],
  [CLIENT_OFFLINE]: ['The hub is not connected to the cloud.', '中控未连接到云。'],
  [NOT_LOGGED_IN]: ['Open the hub from the list of hubs of the cloud.', '请从云的中控列表打开此中控。'],
  [UNSUPPORTED]: [
    'The hub has an older release, which cannot be opened from the cloud: update it first.',
    '中控版本过旧，无法从云打开：请先升级。'
  ],
  [NOT_PERMITTED]: ['This is not possible from the cloud.', '无法从云执行此操作。']
}

const UNKNOWN: Translation = ['The request was refused.', '请求被拒绝。']

/** Title of pages that the cloud shows in place of those of a hub. */
export const HUB_TITLE: Translation = ['Hub {sn}', '中控 {sn}']
export const RETRIES: Translation = ['This page tries again by itself.', '此页面会自动重试。']

/** A result code of the relay as a sentence in the language of the request. */
export const relayText = (headers: { get(name: string): string | null }, code: number): string =>
  translate(requestLanguage(headers), RELAY_TEXTS[code] ?? UNKNOWN)
