// Sentences for the timeline of a channel.
import type { HealthNumbers, HealthReason } from '../../contract/health.ts'
import type { TimelineEntry, TimelineEvent, TimelineKind } from '../../contract/stream/channel-timeline.ts'
import { PROTOCOL_NAMES } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { causeSentences } from '../../contract/text/health-sentences.ts'
import type { StoredTimelineEntry, TimelineFacts } from '../store/timeline.ts'
import { fieldText } from './fields.ts'
import { healthMessage } from './health.ts'
import { type Language, type Translation, translate } from './language.ts'
import { operationName } from './operations.ts'
import { reasonText } from './reasons.ts'

/** `user`: who did it. `name`: an input or output, in quotation marks. `names`: several. `why`: sentences. */
const SENTENCES: Readonly<Record<TimelineEvent, Translation>> = {
  'on-air': ['On air.', '已播出。'],
  degraded: ['Degraded. {why}', '播出异常。{why}'],
  lost: ['Off air. {why}', '播出中断。{why}'],
  waiting: ['Waiting. {why}', '等待中。{why}'],
  interrupted: ['Off air: starting again.', '播出中断：正在重新启动。'],
  'off-air': ['Off air: stopped.', '已停播。'],
  'input-lost': ['Input {name} failed. {why}', '输入{name}失败。{why}'],
  'input-back': ['Input {name} received again.', '输入{name}已恢复。'],
  'track-lost': ['Input {name}: {reason}.', '输入{name}：{reason}。'],
  'track-found': ['Input {name}: all tracks received again.', '输入{name}：所有轨道已恢复。'],
  'input-changed': ['Codecs or tracks of input {name} changed: {reason}.', '输入{name}的编码或轨道已改变：{reason}。'],
  switched: ['{reason}.', '{reason}。'],
  'output-failed': ['Output {name} failed. {why}', '输出{name}失败。{why}'],
  'output-back': ['Output {name} is back.', '输出{name}已恢复。'],
  deleted: ['Channel deleted by {user}.', '{user}删除了频道。'],
  restored: ['Channel restored from the trash by {user}.', '{user}从回收站恢复了频道。'],
  created: ['Channel added by {user}.', '{user}添加了频道。'],
  edited: ['Settings changed by {user}: {fields}.', '{user}更改了设置：{fields}。'],
  started: ['Started by {user}.', '{user}启动了频道。'],
  stopped: ['Stopped by {user}.', '{user}停止了频道。'],
  'input-set': ['Main input set by {user}: {names}.', '{user}设置了主输入：{names}。'],
  'input-chosen': ['Switched to {names} by {user}.', '{user}切换到：{names}。'],
  automatic: ['Automatic failover resumed by {user}.', '{user}恢复了自动切换。'],
  'outputs-added': ['Outputs added by {user}: {names}.', '{user}添加了输出：{names}。'],
  'outputs-removed': ['Outputs removed by {user}: {names}.', '{user}移除了输出：{names}。'],
  'outputs-enabled': ['Outputs started by {user}: {names}.', '{user}启动了输出：{names}。'],
  'outputs-disabled': ['Outputs stopped by {user}: {names}.', '{user}停止了输出：{names}。'],
  'clients-dropped': ['Clients disconnected by {user}: {names}.', '{user}断开了客户端：{names}。'],
  changed: ['{operation}, by {user}: {names}.', '{user}执行了“{operation}”：{names}。'],
  'schedule-start': ['Started by the schedule.', '已按日程启动。'],
  'schedule-stop': ['Stopped by the schedule.', '已按日程停止。'],
  'schedule-refused': ['Not started by the schedule: license limit reached.', '未能按日程启动：已达到许可证数量上限。'],
  watched: ['Watched by {user} in the console.', '{user}开始在控制台观看。'],
  'player-connected': ['Player connected: {address}.', '播放端已连接：{address}。'],
  'hub-started': ['Hub {version} started.', '中控 {version} 已启动。'],
  'hub-stopped': ['Hub stopped.', '中控已停止。'],
  'not-observed': [
    'Not observed for {lasted}: the hub was not running. Only what the stream engine reported later is known.',
    '中控没有运行，{lasted}内未被监测，仅有流引擎事后上报的情况。'
  ],
  'engine-away': ['Stream engine not responding: not observed from now on.', '流引擎没有响应：从现在起无法监测。'],
  'engine-back': [
    'Stream engine responding again. Not observed for {lasted}.',
    '流引擎已恢复响应，{lasted}内未被监测。'
  ],
  'engine-restarted': [
    'Stream engine restarted: all channels were interrupted. Not observed for {lasted}.',
    '流引擎已重新启动：所有频道曾中断，{lasted}内未被监测。'
  ]
}

/** Sentences of what is back after a known time. */
const BACK: Readonly<Partial<Record<TimelineEvent, Translation>>> = {
  'on-air': ['On air again after {seconds}.', '中断 {seconds}后恢复播出。'],
  degraded: ['On air again after {seconds}, degraded. {why}', '中断 {seconds}后恢复播出，但有异常。{why}'],
  'input-back': ['Input {name} received again after {seconds}.', '输入{name}在 {seconds}后恢复。'],
  'output-back': ['Output {name} is back after {seconds}.', '输出{name}在 {seconds}后恢复。']
}

/** Sentences without what is unknown, or hidden from the caller. */
const SHORT: Readonly<Partial<Record<TimelineEvent, Translation>>> = {
  edited: ['Settings changed by {user}.', '{user}更改了设置。'],
  'input-set': ['Main input changed by {user}.', '{user}更改了主输入。'],
  'input-chosen': ['Input switched by {user}.', '{user}切换了输入。'],
  'outputs-added': ['Outputs added by {user}.', '{user}添加了输出。'],
  'outputs-removed': ['Outputs removed by {user}.', '{user}移除了输出。'],
  'outputs-enabled': ['Outputs started by {user}.', '{user}启动了输出。'],
  'outputs-disabled': ['Outputs stopped by {user}.', '{user}停止了输出。'],
  'clients-dropped': ['Clients disconnected by {user}.', '{user}断开了客户端。'],
  changed: ['{operation}, by {user}.', '{user}执行了“{operation}”。'],
  'track-lost': ['Input {name}: a track is missing.', '输入{name}：有轨道中断。'],
  'input-changed': ['Codecs or tracks of input {name} changed.', '输入{name}的编码或轨道已改变。'],
  switched: ['Input switched.', '输入已切换。'],
  'player-connected': ['Player connected.', '播放端已连接。']
}

/** An entry that counts what is not listed one by one, because there was too much of it. */
const SUMMARIES: Readonly<Record<TimelineKind, Translation>> = {
  state: ['Further changes of the state, not listed one by one.', '更多状态变化，未逐条列出。'],
  input: ['Further events of inputs, not listed one by one.', '更多输入事件，未逐条列出。'],
  output: ['Further events of outputs, not listed one by one.', '更多输出事件，未逐条列出。'],
  change: ['Further changes by {user}, not listed one by one.', '{user}的更多更改，未逐条列出。'],
  viewer: ['Further viewers, not listed one by one.', '更多观看者，未逐条列出。'],
  system: ['Further events of the hub, not listed one by one.', '更多中控事件，未逐条列出。']
}

const SEVERITIES: Readonly<Partial<Record<TimelineEvent, TimelineEntry['severity']>>> = {
  'on-air': 'good',
  degraded: 'warn',
  lost: 'bad',
  interrupted: 'bad',
  'input-lost': 'warn',
  'input-back': 'good',
  'track-lost': 'warn',
  'track-found': 'good',
  'input-changed': 'warn',
  switched: 'warn',
  'output-failed': 'bad',
  'output-back': 'good',
  'schedule-refused': 'bad',
  'not-observed': 'warn',
  'engine-away': 'bad',
  'engine-back': 'warn',
  'engine-restarted': 'bad'
}

const TEXT = {
  quoted: ['“{0}”', '“{0}”'],
  hidden: ['(hidden)', '（已隐藏）'],
  publisher: ['“Publisher”', '“发布者”'],
  token: ['token “{0}” of {1}', '{1} 的令牌“{0}”'],
  someone: ['a user', '某用户'],
  and: ['{0}, {1}', '{0}、{1}'],
  slate: ['slate', '垫片'],
  player: ['{0} ({1})', '{0}（{1}）'],
  d: ['{0} d', '{0} 天'],
  h: ['{0} h', '{0} 小时'],
  min: ['{0} min', '{0} 分'],
  s: ['{0} s', '{0} 秒']
} as const satisfies Record<string, Translation>

const UNITS = [
  [TEXT.d, 86_400],
  [TEXT.h, 3600],
  [TEXT.min, 60],
  [TEXT.s, 1]
] as const

/** A duration with its two largest units. */
function durationText(language: Language, seconds: number): string {
  let left = Math.max(1, Math.round(seconds))
  const first = UNITS.findIndex(([, size]) => left >= size)
  const parts: string[] = []
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(left / size)
    left %= size
    if (count > 0) parts.push(translate(language, unit, [count]))
  }
  return parts.join(' ')
}

/** What the caller of a request may see of an entry. */
export interface TimelineAccess {
  /** Whether the caller sees all of these devices. */
  seesDevices(serials: readonly string[]): boolean
  /** Whether the caller may know that this user did something. */
  seesUser(name: string): boolean
}

/** Why a channel, an input or an output is in trouble. */
function whyText(
  language: Language,
  event: TimelineEvent,
  { health = {}, reason }: TimelineFacts,
  isHidden: boolean
): string {
  const known = health as HealthNumbers & { reason?: HealthReason }
  const isAboutChannel = event === 'lost' || event === 'degraded' || event === 'waiting'
  if (isHidden && !isAboutChannel) return ''
  // As in the health of a channel with an input that the caller may not see.
  const shown = isHidden && event === 'lost' ? { reason: 'no-input' as const } : known
  const failure = { state: 0, connState: 0, ...(reason && !isHidden && { reason: reason as Reason }) }
  const [message] = healthMessage(language, shown, [{ failure }])?.split('\n') ?? []
  const causes = () => causeSentences(shown).map(([sentence, values]) => translate(language, sentence, values))
  return message ?? causes().join(language === 'zh' ? '' : ' ')
}

/** The user, or the access token of a program and its owner. */
function whoText(language: Language, { user, token }: TimelineFacts, access: TimelineAccess): string {
  if (!user || !access.seesUser(user)) return translate(language, TEXT.someone)
  if (token) return translate(language, TEXT.token, [token, user])
  return language === 'zh' ? ` ${user} ` : user
}

/** The parts of a sentence. @param isHidden whether the entry names a device that the caller may not see */
function valuesOf(
  language: Language,
  { event, time, last, facts }: StoredTimelineEntry,
  access: TimelineAccess,
  isHidden: boolean
): Record<string, string> {
  const { name, reason, fields = [], names = [], call = '', address, protocol, version = '' } = facts
  const unnamed = event.startsWith('output-') ? 'NDI' : undefined
  const quoted = (text: string) => translate(language, TEXT.quoted, [text])
  const protocolName = protocol === undefined ? undefined : PROTOCOL_NAMES[protocol]
  const joined = (texts: readonly string[]) =>
    texts.length > 0 ? texts.reduce((one, other) => translate(language, TEXT.and, [one, other])) : ''
  return {
    user: whoText(language, facts, access),
    name: isHidden
      ? translate(language, TEXT.hidden)
      : (name ?? unnamed)
        ? quoted(name ?? unnamed ?? '')
        : translate(language, TEXT.publisher),
    why: whyText(language, event, facts, isHidden),
    reason: reason && !isHidden ? reasonText(language, reason) : '',
    fields: joined(fields.map((field) => fieldText(language, field))),
    names: isHidden ? '' : joined(names.map((each) => (each === 'slate' ? translate(language, TEXT.slate) : each))),
    operation: operationName(language, call),
    address: address ? (protocolName ? translate(language, TEXT.player, [address, protocolName]) : address) : '',
    version,
    seconds: facts.seconds ? durationText(language, facts.seconds) : '',
    lasted: durationText(language, (last - time) / 1000)
  }
}

/** The sentence of an entry. */
function timelineText(language: Language, entry: StoredTimelineEntry, access: TimelineAccess): string {
  const { event, kind, facts } = entry
  const isHidden = facts.devices !== undefined && !access.seesDevices(facts.devices)
  const values = valuesOf(language, entry, access, isHidden)
  if (facts.isSummary) return translate(language, SUMMARIES[kind], values)
  const full = (facts.seconds && BACK[event]) || SENTENCES[event]
  const isComplete = ['fields', 'names', 'reason', 'address'].every(
    (key) => !full[0].includes(`{${key}}`) || values[key]
  )
  const text = translate(language, isComplete ? full : (SHORT[event] ?? full), values).trim()
  // The sentence is that of the engine's reason, which begins with a small letter.
  return event === 'switched' ? text.charAt(0).toUpperCase() + text.slice(1) : text
}

/** An entry as a caller sees it. */
export function serializeTimelineEntry(
  language: Language,
  entry: StoredTimelineEntry,
  access: TimelineAccess
): TimelineEntry {
  const { id, time, last, count, kind, event, facts } = entry
  return {
    id,
    time: last,
    ...(time !== last && { since: time }),
    ...(count > 1 && { count }),
    kind,
    event,
    severity: SEVERITIES[event] ?? 'info',
    text: timelineText(language, entry, access),
    ...(facts.user !== undefined && access.seesUser(facts.user) && { by: facts.user })
  }
}
