// Sentences for the lines of the log.

import { cloudSchemaOf } from '../../contract/cloud/calls.schema.ts'
import { CLOUD_CALLS } from '../../contract/cloud/calls.ts'
import type { Language, Translation } from '../../contract/text/language.ts'
import { ROLLOUT_CAUSES, ROLLOUT_HUB_CAUSES } from '../../contract/text/rollout-labels.ts'
import { findKeysByText, translate } from '../../web-server/language.ts'
import { operationSentence, plainTagText, splitTags } from '../../web-server/log-sentences.ts'

/** Log sentences of an event that has one of several reasons, by event name: the event, then the reason. */
const reasonEvents = (prefix: string, [en, zh]: Translation, reasons: Readonly<Record<string, Translation>>) =>
  Object.fromEntries(
    Object.entries(reasons).map(([reason, [english, chinese]]): [string, Translation] => [
      `${prefix}-${reason}`,
      [`${en}: ${english}`, `${zh}：${chinese}`]
    ])
  )

/** Sentences of events, by their names. The detail follows. */
const EVENTS: Readonly<Record<string, Translation>> = {
  'password-reset': ['Password reset on the machine itself', '已在本机重置密码'],
  'second-factor-reset': ['Second factor switched off on the machine itself', '已在本机停用双重验证'],
  'hub-registered': ['Hub registered', '中控已注册'],
  'hub-wrong-code': ['Hub with a wrong invitation code refused', '邀请码错误，已拒绝中控'],
  'hub-digest': ['Digest of the hub refused: it is not valid', '已拒绝中控的状态摘要：内容无效'],
  'hub-foreign-serial': [
    'Hub refused: another one has registered its serial number',
    '已拒绝中控：其序列号已被另一台中控注册'
  ],
  'hub-updated': ['Hub updated', '中控已更新'],
  ...reasonEvents('hub-update', ['Update of a hub failed', '中控更新失败'], ROLLOUT_HUB_CAUSES),
  'rollout-ended': ['Update of hubs ended', '中控更新已结束'],
  ...reasonEvents('rollout', ['Update of hubs', '中控更新'], ROLLOUT_CAUSES)
}

/** Sentences of calls, by their paths, and of events. */
const SENTENCES: Readonly<Record<string, Translation>> = {
  ...EVENTS,
  ...Object.fromEntries(
    CLOUD_CALLS.flatMap((call) => {
      const operation = cloudSchemaOf(call)?.operation
      return operation ? [[call.path, operation]] : []
    })
  )
}

/** A line as a sentence. A call or event of another version is shown with its name. */
export function lineText(language: Language, event: string, detail: string): string {
  const sentence = SENTENCES[event]
  const { name, tags } = splitTags(detail)
  return operationSentence(language, sentence ? translate(language, sentence) : event, {
    name,
    tags: tags.map((tag) => plainTagText(language, tag))
  })
}

/** The calls and events whose sentences contain a text. */
export const findEvents = (language: Language, text: string): string[] => findKeysByText(language, SENTENCES, text)
