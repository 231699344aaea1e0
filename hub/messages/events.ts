// Lines of the system log and the device log as sentences. What a line's detail holds is said where the hub notes it.

import { REFUSAL } from '../../contract/device/link.ts'
import type { LogEvent } from '../../contract/events.ts'
import { WARNING_WORDS } from '../../contract/sentences.ts'
import { codeText } from './codes.ts'
import { keysSaying, type Language, type Pair, say } from './language.ts'
import { reasonSaid } from './reasons.ts'
import { updateFaultWord } from './updates.ts'

const EVENTS: Readonly<Record<LogEvent, Pair>> = {
  'hub-started': ['Hub {0} started', '中心 {0} 已启动'],
  'hub-stopped': ['Hub stopped', '中心已停止'],
  'engine-missing': ['Something is missing: {0}', '缺少组件：{0}'],
  'port-failed': ['A shared port cannot be opened: {0}', '共享端口无法打开：{0}'],
  'port-opened': ['A shared port is open again: {0}', '共享端口已重新打开：{0}'],
  'login-locked': ['Sign-in locked after repeated failures: {0}', '多次登录失败，已锁定：{0}'],
  'keys-guessed': [
    'Too many wrong stream keys from {0}, which has to wait now',
    '{0} 多次使用错误的流密钥，已被暂时限制'
  ],
  'caller-refused': ['Turned away at a shared port: {0}', '共享端口已拒绝接入：{0}'],
  'low-memory': ['Memory is low', '内存不足'],
  'channel-started': ['Channel {0} started', '频道 {0} 已启动'],
  'channel-stopped': ['Channel {0} stopped', '频道 {0} 已停止'],
  'channel-switched': ['On air changed: {0}', '播出内容已切换：{0}'],
  'schedule-start': ['The schedule starts channel {0}', '按计划启动频道 {0}'],
  'schedule-stop': ['The schedule stops channel {0}', '按计划停止频道 {0}'],
  'schedule-refused': [
    'The schedule could not start channel {0}: the license allows no more',
    '无法按计划启动频道 {0}：许可证数量已用完'
  ],
  'input-up': ['Input carries media: {0}', '输入已有媒体流：{0}'],
  'input-down': ['Input lost: {0}', '输入已中断：{0}'],
  'output-up': ['Output connected: {0}', '输出已连接：{0}'],
  'output-down': ['Output lost: {0}', '输出已中断：{0}'],
  'device-registered': ['{0} asks for approval', '{0} 申请接入'],
  'device-accepted': ['{0} accepted', '{0} 已被接受'],
  'device-rejected': ['{0} rejected', '{0} 已被拒绝'],
  'device-deleted': ['{0} deleted', '{0} 已被删除'],
  'device-online': ['Online: {0}', '已上线：{0}'],
  'device-offline': ['Offline: {0}', '已离线：{0}'],
  'device-refused': ['{0} refused: {1}', '{0} 被拒绝接入：{1}'],
  'signal-lost': ['{0}: signal lost', '{0}：信号丢失'],
  'signal-found': ['{0}: signal found', '{0}：信号恢复'],
  'warning-raised': ['{0}: {1}', '{0}：{1}'],
  'warning-cleared': ['{0}: no longer “{1}”', '{0}：“{1}”已消除'],
  'firmware-updated': ['{0} has firmware {1} now', '{0} 已更新至固件 {1}'],
  'firmware-failed': ['{0}: firmware update failed: {1}', '{0}：固件更新失败：{1}'],
  'rollout-stopped': ['Rollout stopped after failures: {0}', '批量更新因失败而停止：{0}'],
  'console-installed': ['Console {0} installed, on trial', '控制台 {0} 已安装，正在试运行'],
  'console-confirmed': ['Console {0} works and stays', '控制台 {0} 运行正常，已确认'],
  'console-failed': ['Console {0} did not stay: {1}', '控制台 {0} 已被回退：{1}'],
  'console-own': ['The hub was updated: its own console {0} is in use', '中心已更新：现使用其自带的控制台 {0}']
}

const REFUSALS: Readonly<Record<number, Pair>> = {
  [REFUSAL.exists]: ['another device has its serial number', '序列号已被其他设备使用'],
  [REFUSAL.wrongCode]: ['wrong invitation code', '邀请码错误'],
  [REFUSAL.illegalDevice]: ['not a valid device', '非法设备']
}

/** The word for a warning by its name in `WARNING`; the name itself for an unknown one. */
function warningWord(language: Language, name: string): string {
  return Object.hasOwn(WARNING_WORDS, name) ? say(language, WARNING_WORDS[name as keyof typeof WARNING_WORDS]) : name
}

/** Events whose detail may end with a reason. */
const REASONED: ReadonlySet<LogEvent> = new Set([
  'port-failed',
  'caller-refused',
  'input-down',
  'output-down',
  'channel-switched'
])

/** Events whose detail ends with a word of its own: a warning's name, a refusal's number, a version, a code. */
const LAST_WORD: Readonly<Partial<Record<LogEvent, (language: Language, word: string) => string>>> = {
  'device-refused': (language, word) => {
    const pair = REFUSALS[Number(word)]
    return pair ? say(language, pair) : word
  },
  'firmware-updated': (_, version) => version,
  'firmware-failed': (language, code) => codeText(language, Number(code)),
  'warning-raised': warningWord,
  'warning-cleared': warningWord,
  'console-failed': updateFaultWord
}

/** The events whose sentence holds a text. */
export function eventsSaying(language: Language, text: string): string[] {
  return keysSaying(language, EVENTS, text)
}

/** The sentence of a log line. An event that nobody knows, as of an older hub, is shown as it came. */
export function eventText(language: Language, event: string, detail: string): string {
  if (!Object.hasOwn(EVENTS, event)) return `${event} ${detail}`.trim()
  const known = event as LogEvent
  const lastWord = LAST_WORD[known]
  if (!lastWord) return say(language, EVENTS[known], [REASONED.has(known) ? reasonSaid(language, detail) : detail])
  const [, rest = detail, last = ''] = /^(.*) (\S+)$/s.exec(detail) ?? []
  return say(language, EVENTS[known], [rest, lastWord(language, last)])
}
