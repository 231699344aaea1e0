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
import type { LimitOwner, ReachedLimit } from './picture-limits.ts'

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

/** Pictures and videos that a node does not relay. */
const LIMIT_TEXTS: Readonly<Record<LimitOwner, Translation>> = {
  user: [
    'You have pictures or videos of hubs open in {max} places. Close one of them.',
    '您已在 {max} 处打开中控的画面或视频，请关闭其中一处。'
  ],
  hub: [
    'Pictures or videos of this hub are open in {max} places. Try again when one of them is closed.',
    '此中控的画面或视频已在 {max} 处打开，请待其中一处关闭后重试。'
  ],
  node: [
    'The cloud relays as many pictures or videos as it may ({max}). Try again later.',
    '云转发的画面或视频已达上限（{max}），请稍后重试。'
  ]
}

/** Title of pages that the cloud shows in place of those of a hub. */
export const HUB_TITLE: Translation = ['Hub {sn}', '中控 {sn}']
export const RETRIES: Translation = ['This page tries again by itself.', '此页面会自动重试。']

/** A result code of the relay as a sentence in the language of the request. */
export const relayText = (headers: { get(name: string): string | null }, code: number): string =>
  translate(requestLanguage(headers), RELAY_TEXTS[code] ?? UNKNOWN)

export const limitText = (headers: { get(name: string): string | null }, { owner, max }: ReachedLimit): string =>
  translate(requestLanguage(headers), LIMIT_TEXTS[owner], { max })
