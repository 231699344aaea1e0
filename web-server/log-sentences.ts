// Sentences of entries of an operation log: the call, its objects, and the tags at the end of its detail
// (contract/log.ts).
import {
  LOG_CHANGED,
  LOG_EVERYONE,
  LOG_FIELD,
  LOG_INHERITED,
  LOG_MORE,
  LOG_NONE,
  LOG_OFF,
  LOG_ON,
  LOG_UNKNOWN
} from '../contract/log.ts'
import type { Language, Translation } from '../contract/text/language.ts'
import { translate } from './language.ts'

const TEXT = {
  of: ['{0}: {1}', '{0}：{1}'],
  with: ['{0} – {1}', '{0} – {1}'],
  [LOG_ON]: ['on', '开'],
  [LOG_OFF]: ['off', '关'],
  [LOG_NONE]: ['none', '无'],
  [LOG_EVERYONE]: ['everyone', '所有人'],
  [LOG_INHERITED]: ['inherited', '继承'],
  [LOG_UNKNOWN]: ['unknown name', '未知用户名'],
  [LOG_MORE]: ['further attempts within a minute are not logged', '一分钟内的后续尝试未记录']
} as const satisfies Record<string, Translation>

const TAG = new RegExp(
  `(?:^| )(${LOG_FIELD}\\S*|${LOG_CHANGED}\\S*|${LOG_ON}|${LOG_OFF}|${LOG_NONE}|${LOG_EVERYONE}|${LOG_INHERITED}|${LOG_UNKNOWN}|${LOG_MORE})$`
)

/** The objects of a detail, and its tags. */
export function splitTags(detail: string): { name: string; tags: string[] } {
  const tags: string[] = []
  let name = detail
  for (let match = TAG.exec(name); match; match = TAG.exec(name)) {
    tags.unshift(match[1] ?? '')
    name = name.slice(0, match.index)
  }
  return { name, tags }
}

/** The text of a tag without a value. */
export const plainTagText = (language: Language, tag: string): string => translate(language, TEXT[tag as typeof LOG_ON])

/**
 * @param operation sentence of the call
 * @param name objects; empty for none
 * @param tags as texts
 */
export function operationSentence(
  language: Language,
  operation: string,
  { name, tags }: { name: string; tags: readonly string[] }
): string {
  const whole = name ? translate(language, TEXT.of, [operation, name]) : operation
  return tags.reduce((sentence, tag) => translate(language, TEXT.with, [sentence, tag]), whole)
}
