// Sentences for entries of the operation log: the call and its objects. The outcome is the separate result code of the
// entry.
import type { CallSchema } from '../../contract/call.schema.ts'
import { CALL_SCHEMAS } from '../../contract/calls.schema.ts'
import { HUB_SETTINGS, type HubSetting } from '../../contract/hub-settings.schema.ts'
import { LOG_CHANGED, LOG_FIELD, LOG_OFF, LOG_ON } from '../../contract/log.ts'
import { operationSentence, plainTagText, splitTags } from '../../web-server/log-sentences.ts'
import { codeText } from './codes.ts'
import { fieldText } from './fields.ts'
import { findKeysByText, type Language, type Translation, translate } from './language.ts'
import { ultraCodeText } from './ultra-codes.ts'

/** Sentences of entries of the log that are no declared calls. */
const OTHER_OPERATIONS: Readonly<Record<string, Translation>> = {
  '/usr/rules/set': ['Set password rules', '设置密码规则'],
  '/socket': ['Control device', '控制设备'],
  '/socket/sc-remote': ['Open device page', '打开设备页面']
}

/** Sentences by path of the call. */
const OPERATIONS: Readonly<Record<string, Translation>> = {
  ...Object.fromEntries(
    Object.entries<CallSchema>(CALL_SCHEMAS).flatMap(([key, { operation }]) =>
      operation ? [[key.slice(key.indexOf('/')), operation]] : []
    )
  ),
  ...OTHER_OPERATIONS
}

/** Sentences of calls that switch something on or off, by the tag of the entry. */
const SWITCHES: Readonly<Record<string, Readonly<Record<string, Translation>>>> = {
  '/channel/enable': { [LOG_ON]: ['Start channel', '启动频道'], [LOG_OFF]: ['Stop channel', '停止频道'] },
  '/channel/output/enable': {
    [LOG_ON]: ['Start outputs of channel', '启动频道输出'],
    [LOG_OFF]: ['Stop outputs of channel', '停止频道输出']
  },
  '/ndi/router/lock': { [LOG_ON]: ['Lock destination', '锁定目标'], [LOG_OFF]: ['Unlock destination', '解锁目标'] }
}

function settingLabels(): Record<string, Translation> {
  const rows: [string, HubSetting][] = Object.entries(HUB_SETTINGS)
  return Object.fromEntries(rows.flatMap(([part, { label }]) => (label ? [[part, label]] : [])))
}

/** Translations of the first word of a detail, by path of the call. */
const FIRST_WORDS: Readonly<Record<string, Readonly<Record<string, Translation>>>> = {
  '/settings/set': { ...settingLabels(), web: ['HTTPS and ports', 'HTTPS 与端口'] },
  '/device/global/set': { config: ['connection settings', '连接设置'] },
  '/log/clear': {
    operation: ['Operations', '操作'],
    system: ['System', '系统'],
    device: ['Devices', '设备']
  }
}

const TEXT = {
  of: ['{0}: {1}', '{0}：{1}'],
  partly: ['Partly done: {0} failed', '部分完成：{0} 台失败'],
  field: ['field “{0}”', '字段“{0}”'],
  and: ['{0}, {1}', '{0}、{1}']
} as const satisfies Record<string, Translation>

/** A result code in a list of devices such as 'B1: 16, B2, B3: usapi -35'. */
const RESULT = /: (usapi )?(-?\d+)(?=, |$)/g

/** Serial numbers in a list of devices. */
const SERIAL = /(?<=^|, |: )[^\s,:#]+/g

/** Whether the details of a call list devices with the results of those that failed. */
const listsDevices = (event: string) => event.startsWith('/device/') || event.startsWith('/rollout/')

/** Replaces the serial numbers in the detail of an operation on devices by the names of the devices. */
export function nameDevices(event: string, detail: string, nameOf: (sn: string) => string | undefined): string {
  return listsDevices(event) || event.startsWith('/socket') ? detail.replace(SERIAL, (sn) => nameOf(sn) ?? sn) : detail
}

function translateDetail(language: Language, event: string, name: string): string {
  const [first = ''] = name.split(/[ ,]/)
  const word = FIRST_WORDS[event]?.[first]
  if (word) return translate(language, word) + name.slice(first.length)
  if (!listsDevices(event)) return name
  return name.replace(RESULT, (_, ultra, code) =>
    translate(language, TEXT.of, ['', (ultra ? ultraCodeText : codeText)(language, Number(code))])
  )
}

/** The outcome of a successful call for several devices that failed for some; undefined if it failed for none. */
export function partialOutcome(language: Language, event: string, detail: string): string | undefined {
  const count = listsDevices(event) ? (detail.match(RESULT)?.length ?? 0) : 0
  return count > 0 ? translate(language, TEXT.partly, [count]) : undefined
}

/** Translates a tag at the end of a detail (contract/log.ts). */
function tagText(language: Language, tag: string): string {
  if (tag.startsWith(LOG_CHANGED)) {
    const fields = tag.slice(LOG_CHANGED.length).split(',')
    return fields.map((field) => fieldText(language, field)).reduce((a, b) => translate(language, TEXT.and, [a, b]))
  }
  return tag.startsWith(LOG_FIELD)
    ? translate(language, TEXT.field, [fieldText(language, tag.slice(LOG_FIELD.length))])
    : plainTagText(language, tag)
}

/** The sentence of a call; its path if the call is unknown. */
export function operationName(language: Language, event: string): string {
  return Object.hasOwn(OPERATIONS, event) ? translate(language, OPERATIONS[event] as Translation) : event
}

/**
 * The sentence of an entry: the call, its objects and tags. An unknown call, for example of an older hub, is shown with
 * its path.
 */
export function operationText(language: Language, event: string, detail: string): string {
  const { name, tags } = splitTags(detail)
  const onOff = tags.find((tag) => SWITCHES[event]?.[tag])
  const operation = onOff
    ? translate(language, SWITCHES[event]?.[onOff] as Translation)
    : operationName(language, event)
  return operationSentence(language, operation, {
    name: name && translateDetail(language, event, name),
    tags: tags.filter((tag) => tag !== onOff).map((tag) => tagText(language, tag))
  })
}

/** Whether there is a sentence for a call. */
export function isKnownOperation(path: string): boolean {
  return Object.hasOwn(OPERATIONS, path)
}

/** Paths of the calls whose sentence contains a text. */
export function findOperationsByText(language: Language, text: string): string[] {
  const switches = Object.entries(SWITCHES).filter(([, pairs]) => findKeysByText(language, pairs, text).length > 0)
  return [...new Set([...findKeysByText(language, OPERATIONS, text), ...switches.map(([path]) => path)])]
}
