// Sentences for entries of the system log and the device log. The code that logs an event documents its `detail`.

import { REFUSAL_STATE } from '../../contract/device/link.ts'
import type { LogEvent } from '../../contract/events.ts'
import { WARNING_LABELS } from '../../contract/text/sentences.ts'
import { backupFaultText } from './backup.ts'
import { cloudFaultText, cloudStateText } from './cloud.ts'
import { codeText } from './codes.ts'
import { firewallUndoText } from './firewall.ts'
import { hardwareFaultText } from './hardware-update.ts'
import { findKeysByText, type Language, type Translation, translate } from './language.ts'
import { undoReasonText } from './machine.ts'
import { missingPartText } from './missing-parts.ts'
import { translateReasonInDetail } from './reasons.ts'
import { updateFaultText } from './updates.ts'

const EVENT_SENTENCES: Readonly<Record<LogEvent, Translation>> = {
  'hub-started': ['Hub {0} started', '中控 {0} 已启动'],
  'hub-stopped': ['Hub stopped', '中控已停止'],
  'backup-made': ['Backup made: {0}', '已创建备份：{0}'],
  'backup-failed': ['Backup failed: {0} ({1})', '备份失败：{0}（{1}）'],
  // Host of the cloud; registration state or `CloudFault`.
  'cloud-state': ['Registration with the cloud {0}: {1}', '在云端 {0} 的注册：{1}'],
  'cloud-unreachable': ['Cloud not reached: {0} ({1})', '无法连接云端：{0}（{1}）'],
  'cloud-reached': ['Cloud reached: {0}', '已连接云端：{0}'],
  // Name and address of the administrator.
  'settings-reset': ['All settings reset: {0}', '所有设置已重置：{0}'],
  'power-failed': ['The machine was not restarted or shut down: {0}', '机器未能重启或关机：{0}'],
  'engine-missing': ['Component missing: {0}', '缺少组件：{0}'],
  'engine-away': ['Stream engine not responding: the state of channels is unknown', '流引擎没有响应：频道状态未知'],
  'engine-back': ['Stream engine responding again after {0} s', '流引擎在 {0} 秒后恢复响应'],
  'engine-restarted': [
    'Stream engine restarted after {0} s: all channels were interrupted',
    '流引擎在 {0} 秒后重新启动：所有频道曾中断'
  ],
  'engine-outdated': ['Stream engine of a different version ({0}): restarting', '流引擎版本不同（{0}），正在重新启动'],
  'switch-over-failed': [
    'Switch-over of the streams not completed: check the channels, and start it again',
    '流切换未完成，请检查频道并重新切换'
  ],
  'port-failed': ['Shared port cannot be opened: {0}', '共享端口无法打开：{0}'],
  'port-opened': ['Shared port reopened: {0}', '共享端口已重新打开：{0}'],
  'panel-port-failed': ['Panel port cannot be opened: {0}', '面板端口无法打开：{0}'],
  'panel-port-opened': ['Panel port reopened: {0}', '面板端口已重新打开：{0}'],
  'port-confirmed': ['Port changed and confirmed: {0}', '端口已更改并确认：{0}'],
  'port-not-confirmed': [
    'Change of a port undone, not confirmed within 60 s: {0}',
    '端口更改在 60 秒内未确认，已撤销：{0}'
  ],
  'certificate-created': ['Self-signed certificate created: {0}', '已生成自签名证书：{0}'],
  'certificate-damaged': ['Certificate unusable, another one is in use: {0}', '证书无法使用，已改用其他证书：{0}'],
  'certificate-missing': ['No certificate for HTTPS: {0}', '没有可用的 HTTPS 证书：{0}'],
  'login-locked': ['Sign-in locked after repeated failures: {0}', '多次登录失败，已锁定：{0}'],
  'recovery-code-used': ['Sign-in with a recovery code: {0}', '已使用恢复码登录：{0}'],
  'second-factor-reset': ['Second factor reset on the hub machine: {0}', '已在中控主机上重置双重验证：{0}'],
  'password-reset': ['Password reset on the hub machine: {0}', '已在中控主机上重置密码：{0}'],
  'keys-guessed': [
    'Too many wrong stream keys from {0}, temporarily blocked',
    '{0} 多次使用错误的流密钥，已被暂时限制'
  ],
  'caller-refused': ['Connection rejected: {0}', '连接被拒绝：{0}'],
  // The interface; and the reason of `NetworkOutcome`.
  'network-changed': ['Network change kept: {0}', '网络更改已保留：{0}'],
  'network-undone': ['Network change undone: {0} ({1})', '网络更改已撤销：{0}（{1}）'],
  'network-unverified': [
    'Network change not kept: {0} ({1}). It is not known whether the previous settings are in effect.',
    '网络更改未保留：{0}（{1}），无法确定之前的设置是否已恢复生效'
  ],
  // The user; and the reason of `FirewallOutcome`.
  'firewall-changed': ['Firewall change by {0} kept', '{0} 的防火墙更改已保留'],
  'firewall-undone': ['Firewall change by {0} undone ({1})', '{0} 的防火墙更改已撤销（{1}）'],
  // Seconds with their sign.
  'clock-set': ['Clock changed by {0} s', '时钟已调整 {0} 秒'],
  'low-memory': ['Memory is low', '内存不足'],
  'storage-full': ['Disk full: changes are not saved', '磁盘已满：更改无法保存'],
  'storage-read-only': ['Disk read-only: changes are not saved', '磁盘为只读：更改无法保存'],
  'storage-failed': ['Disk error: changes are not saved', '磁盘故障：更改无法保存'],
  'storage-recovered': ['Changes are saved again', '更改已恢复保存'],
  'syslog-failed': ['Syslog server unreachable: {0}', '无法连接 syslog 服务器：{0}'],
  'syslog-reached': ['Syslog server reachable again: {0}', 'syslog 服务器已恢复连接：{0}'],
  // The destination, and why.
  'alert-failed': ['Notification not delivered: {0}', '通知未送达：{0}'],
  'alert-delivered': ['Notifications delivered again: {0}', '通知已恢复送达：{0}'],
  // The rule, and why.
  'alert-action-failed': ['Action of a notification rule failed: {0}', '通知规则的操作失败：{0}'],
  'channel-started': ['Channel {0} started', '频道 {0} 已启动'],
  'channel-stopped': ['Channel {0} stopped', '频道 {0} 已停止'],
  'channel-switched': ['Input switched: {0}', '输入已切换：{0}'],
  'recording-started': ['Recording of channel {0} started', '频道 {0} 开始录制'],
  'recording-stopped': ['Recording of channel {0} stopped', '频道 {0} 停止录制'],
  'recording-failed': ['Recording interrupted: {0}', '录制中断：{0}'],
  'schedule-start': ['Scheduled start: channel {0}', '定时启动频道 {0}'],
  'schedule-stop': ['Scheduled stop: channel {0}', '定时停止频道 {0}'],
  'schedule-refused': [
    'Scheduled start of channel {0} failed: license limit reached',
    '频道 {0} 定时启动失败：许可证数量已用完'
  ],
  'scheduled-take-missed': [
    'Scheduled take missed, because the hub was not running: {0}',
    '定时切换已错过（中控当时未运行）：{0}'
  ],
  'scheduled-take-refused': [
    'Scheduled take not made, because its user may not route any more: {0}',
    '定时切换未执行（该用户已无路由权限）：{0}'
  ],
  'scheduled-take-failed': ['Scheduled take failed: {0}', '定时切换失败：{0}'],
  'input-up': ['Input connected: {0}', '输入已连接：{0}'],
  'input-down': ['Input lost: {0}', '输入已中断：{0}'],
  'track-lost': ['Input degraded: {0}', '输入异常：{0}'],
  'track-found': ['All tracks of the input received again: {0}', '输入的所有轨道已恢复：{0}'],
  'input-changed': ['Input changed: {0}', '输入已改变：{0}'],
  'output-up': ['Output connected: {0}', '输出已连接：{0}'],
  'output-down': ['Output lost: {0}', '输出已中断：{0}'],
  'device-registered': ['{0} requests approval', '{0} 申请接入'],
  'device-accepted': ['{0} accepted', '{0} 已被接受'],
  'device-rejected': ['{0} rejected', '{0} 已被拒绝'],
  'device-deleted': ['{0} deleted', '{0} 已被删除'],
  'device-swapped': ['{0} has another place now', '{0} 已换到另一位置'],
  'device-online': ['Online: {0}', '已上线：{0}'],
  // The name of the device, and why its connection ended.
  'device-offline': ['Offline: {0} ({1})', '已离线：{0}（{1}）'],
  'device-refused': ['{0} refused: {1}', '{0} 被拒绝接入：{1}'],
  'signal-lost': ['{0}: signal lost', '{0}：信号丢失'],
  'signal-found': ['{0}: signal restored', '{0}：信号恢复'],
  'warning-raised': ['{0}: {1}', '{0}：{1}'],
  'warning-cleared': ['{0}: “{1}” cleared', '{0}：“{1}”已消除'],
  'firmware-updated': ['{0} updated to firmware {1}', '{0} 已更新至固件 {1}'],
  'firmware-failed': ['{0}: firmware update failed: {1}', '{0}：固件更新失败：{1}'],
  'rollout-stopped': ['Rollout stopped after failures: {0}', '批量更新因失败而停止：{0}'],
  'console-installed': ['Console {0} installed, on trial', '控制台 {0} 已安装，正在试运行'],
  'console-confirmed': ['Console {0} confirmed', '控制台 {0} 运行正常，已确认'],
  'console-failed': ['Console {0} rolled back: {1}', '控制台 {0} 已被回退：{1}'],
  'console-own': ['Hub updated: built-in console {0} in use', '中控已更新：正在使用内置控制台 {0}'],
  'hardware-updated': ['Hardware updated: {0}', '硬件已更新：{0}'],
  'hardware-failed': ['Hardware update failed: {0} ({1})', '硬件更新失败：{0}（{1}）'],
  'development-mode': ['Development mode: the public key {0} is trusted', '开发模式：信任公开密钥 {0}'],
  'code-guessing': [
    'Too many wrong invitation codes: new devices from {0} are refused for up to an hour',
    '邀请码错误次数过多：一小时内拒绝 {0} 的新设备'
  ],
  'code-guessing-everywhere': [
    'Too many wrong invitation codes, the last from {0}: new devices from unknown networks are refused for up to an hour',
    '邀请码错误次数过多（最近来自 {0}）：一小时内拒绝未知网络的新设备'
  ],
  'registrations-limited': ['Too many new devices from {0}: registration delayed', '{0} 的新设备过多：已推迟注册'],
  'pending-displaced': [
    'Too many devices pending approval: the oldest from {0} were removed',
    '待审批设备过多：已移除来自 {0} 的最早设备'
  ]
}

const OFFLINE: Translation = ['Offline: {0}', '已离线：{0}']

const REFUSAL_SENTENCES: Readonly<Record<number, Translation>> = {
  [REFUSAL_STATE.exists]: ['another device has its serial number', '序列号已被其他设备使用'],
  [REFUSAL_STATE.wrongCode]: ['wrong invitation code', '邀请码错误'],
  [REFUSAL_STATE.illegalDevice]: ['not a valid device', '非法设备']
}

/** The label of a warning by its name in `DEVICE_WARNING_BITS`; the name itself if it is unknown. */
function warningLabel(language: Language, name: string): string {
  return Object.hasOwn(WARNING_LABELS, name)
    ? translate(language, WARNING_LABELS[name as keyof typeof WARNING_LABELS])
    : name
}

/** Why the connection of a device ended. Other reasons, such as those of the system, are in English only. */
const OFFLINE_REASONS: readonly (readonly [reason: RegExp, text: Translation])[] = [
  [
    /^the (device left|device closed the connection|connection was closed)$/,
    ['connection closed by the device', '设备已关闭连接']
  ],
  [/^no response for ([\d.]+) s$/, ['no response for {0} s', '{0} 秒没有响应']],
  [/^its address was changed$/, ['its address was changed', '地址已更改']],
  [/^replaced by a newer link$/, ['replaced by a newer connection', '已被新连接取代']],
  [/^refused by the hub$/, ['refused by the hub', '已被中控拒绝']],
  [/^too many devices are pending$/, ['too many devices are pending', '待审批设备过多']]
]

/** The events of which the detail ends with the caller. */
const EVENTS_BY_CALLER: ReadonlySet<LogEvent> = new Set([
  'device-accepted',
  'device-rejected',
  'device-deleted',
  'device-swapped'
])

const TOKEN: Translation = ['token “{0}” of {1}', '{1} 的令牌“{0}”']

/** Replaces the tag of an access token by its name and owner. */
function nameToken(language: Language, detail: string): string {
  const [, name, user = '', token] = /^(.*: )(.*) #token=(\S+)$/s.exec(detail) ?? []
  if (name === undefined || token === undefined) return detail
  return name + translate(language, TOKEN, [token.replace(/%../g, decodeURIComponent), user])
}

function offlineText(language: Language, detail: string): string {
  const [, name, reason] = /^(.*): (.*)$/s.exec(detail) ?? []
  // Entries of a hub that stores no reason.
  if (name === undefined || reason === undefined) return translate(language, OFFLINE, [detail])
  const [pattern, text] = OFFLINE_REASONS.find(([known]) => known.test(reason)) ?? []
  const why = pattern && text ? translate(language, text, pattern.exec(reason)?.slice(1)) : reason
  return translate(language, EVENT_SENTENCES['device-offline'], [name, why])
}

/** Events whose detail can end with a reason code. */
const EVENTS_WITH_REASON: ReadonlySet<LogEvent> = new Set([
  'port-failed',
  'panel-port-failed',
  'caller-refused',
  'recording-failed',
  'input-down',
  'track-lost',
  'input-changed',
  'output-down',
  'channel-switched'
])

/** Translations of the last word of a detail: name of a warning, number of a refusal, version, result code. */
const LAST_WORD_TEXT: Readonly<Partial<Record<LogEvent, (language: Language, word: string) => string>>> = {
  'device-refused': (language, word) => {
    const pair = REFUSAL_SENTENCES[Number(word)]
    return pair ? translate(language, pair) : word
  },
  'firmware-updated': (_, version) => version,
  'firmware-failed': (language, code) => codeText(language, Number(code)),
  'warning-raised': warningLabel,
  'warning-cleared': warningLabel,
  'console-failed': updateFaultText,
  'hardware-failed': hardwareFaultText,
  'backup-failed': backupFaultText,
  'cloud-state': cloudStateText,
  'cloud-unreachable': cloudFaultText,
  'network-undone': undoReasonText,
  'network-unverified': undoReasonText,
  'firewall-undone': firewallUndoText
}

/** Events whose sentence contains a text. */
export function findEventsByText(language: Language, text: string): string[] {
  return findKeysByText(language, EVENT_SENTENCES, text)
}

/** The sentence of an entry. An unknown event, for example of an older hub, is shown with its name. */
export function eventText(language: Language, event: string, detail: string): string {
  if (!Object.hasOwn(EVENT_SENTENCES, event)) return `${event} ${detail}`.trim()
  const known = event as LogEvent
  if (known === 'device-offline') return offlineText(language, detail)
  if (known === 'engine-missing')
    return translate(language, EVENT_SENTENCES[known], [missingPartText(language, detail)])
  if (EVENTS_BY_CALLER.has(known)) return translate(language, EVENT_SENTENCES[known], [nameToken(language, detail)])
  const lastWord = LAST_WORD_TEXT[known]
  if (!lastWord)
    return translate(language, EVENT_SENTENCES[known], [
      EVENTS_WITH_REASON.has(known) ? translateReasonInDetail(language, detail) : detail
    ])
  const [, rest = detail, last = ''] = /^(.*) (\S+)$/s.exec(detail) ?? []
  return translate(language, EVENT_SENTENCES[known], [rest, lastWord(language, last)])
}
