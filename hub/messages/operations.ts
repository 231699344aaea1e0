// Lines of the operation log as sentences: what was tried, on what. What became of it is the line's code, which stands beside it.
import { LOG_FIELD, LOG_MORE, LOG_NONE, LOG_OFF, LOG_ON, LOG_UNKNOWN } from '../../contract/log.ts'
import { codeText } from './codes.ts'
import { keysSaying, type Language, type Pair, say } from './language.ts'
import { ultraCodeText } from './ultra-codes.ts'

/** By the path of the call. */
const OPERATIONS: Readonly<Record<string, Pair>> = {
  '/login': ['Sign in', '登录'],
  '/logout': ['Sign out', '退出登录'],
  '/session/end': ['End sessions', '结束会话'],
  '/usr/update': ['Change password', '修改密码'],
  '/usr/add': ['Add user', '添加用户'],
  '/usr/set': ['Edit user', '编辑用户'],
  '/usr/del': ['Delete users', '删除用户'],
  '/usr/set-group': ['Move users', '移动用户'],
  '/usr/rules/set': ['Set password rules', '设置密码规则'],
  '/usr-group/add': ['Add user group', '添加用户组'],
  '/usr-group/set': ['Edit user group', '编辑用户组'],
  '/usr-group/del': ['Delete user groups', '删除用户组'],
  '/token/add': ['Add access token', '添加访问令牌'],
  '/token/del': ['Revoke access tokens', '吊销访问令牌'],
  '/channel/add': ['Add channel', '添加频道'],
  '/channel/set': ['Edit channel', '编辑频道'],
  '/channel/enable': ['Switch channel', '启停频道'],
  '/channel/client/drop': ['Throw out clients of channel', '断开频道客户端'],
  '/channel/del': ['Delete channels', '删除频道'],
  '/channel/input/set': ['Set input of channel', '设置频道输入'],
  '/channel/output/add': ['Add outputs to channel', '为频道添加输出'],
  '/channel/output/enable': ['Switch outputs of channel', '启停频道输出'],
  '/channel/output/del': ['Take outputs off channel', '移除频道输出'],
  '/channel/baseline': ['Count anew for channel', '重新统计频道'],
  '/input/source/add': ['Add source', '添加输入源'],
  '/input/source/set': ['Edit source', '编辑输入源'],
  '/input/source/del': ['Delete sources', '删除输入源'],
  '/output/add': ['Add output', '添加输出'],
  '/output/set': ['Edit output', '编辑输出'],
  '/output/del': ['Delete outputs', '删除输出'],
  '/device/accept': ['Accept devices', '接受设备'],
  '/device/reject': ['Reject devices', '拒绝设备'],
  '/device/del': ['Delete devices', '删除设备'],
  '/device/add': ['Add device', '添加设备'],
  '/device/set': ['Edit device', '编辑设备'],
  '/device/rename': ['Rename device', '重命名设备'],
  '/device/config': ['Configure devices', '配置设备'],
  '/device/reboot': ['Reboot devices', '重启设备'],
  '/device/record/start': ['Start recording', '开始录制'],
  '/device/record/stop': ['Stop recording', '停止录制'],
  '/device/live/start': ['Start live stream', '开始直播'],
  '/device/live/stop': ['Stop live stream', '停止直播'],
  '/device/favorite/set': ['Mark favorite devices', '收藏设备'],
  '/device/security/set': ['Set visibility of devices', '设置设备可见性'],
  '/device/global/set': ['Set default visibility', '设置默认可见性'],
  '/catalog/add': ['Add device group', '添加设备组'],
  '/catalog/set': ['Edit device group', '编辑设备组'],
  '/catalog/rename': ['Rename device group', '重命名设备组'],
  '/catalog/del': ['Delete device groups', '删除设备组'],
  '/device/upgrade': ['Update devices', '更新设备'],
  '/firmware/upload': ['Upload firmware', '上传固件'],
  '/firmware/upload/start': ['Begin upload of firmware', '开始上传固件'],
  '/firmware/upload/finish': ['Finish upload of firmware', '完成固件上传'],
  '/firmware/upload/cancel': ['Cancel upload of firmware', '取消固件上传'],
  '/firmware/add': ['Add firmware', '添加固件'],
  '/firmware/del': ['Delete firmware', '删除固件'],
  '/rollout/start': ['Start rollout', '开始批量更新'],
  '/rollout/pause': ['Pause rollout', '暂停批量更新'],
  '/rollout/resume': ['Resume rollout', '继续批量更新'],
  '/rollout/cancel': ['Cancel rollout', '取消批量更新'],
  '/rollout/retry': ['Retry rollout', '重试批量更新'],
  '/rollout/del': ['Delete rollout', '删除批量更新'],
  '/update/upload': ['Upload console', '上传控制台'],
  '/update/start': ['Install console', '安装控制台'],
  '/update/cancel': ['Discard uploaded console', '放弃已上传的控制台'],
  '/update/confirm': ['Confirm console', '确认控制台'],
  '/update/revert': ['Go back to the console before', '回退控制台'],
  '/portforward/start': ['Open port forwarding', '开启端口转发'],
  '/portforward/stop': ['Close port forwarding', '关闭端口转发'],
  '/settings/set': ['Change settings', '更改设置'],
  '/system/ports/retry': ['Open shared ports again', '重新打开共享端口'],
  '/log/clear': ['Clear log', '清空日志'],
  '/socket': ['Control device', '控制设备'],
  '/socket/sc-remote': ['Open device page', '打开设备页面']
}

/** Words of the wire that begin a detail, by the path of the call. */
const FIRST_WORDS: Readonly<Record<string, Readonly<Record<string, Pair>>>> = {
  '/settings/set': {
    security: ['invitation code', '邀请码'],
    'expired-time': ['session expiry', '会话有效期'],
    log: ['Logs', '日志'],
    srt: ['SRT port', 'SRT 端口'],
    rtmp: ['RTMP port', 'RTMP 端口']
  },
  '/log/clear': {
    operation: ['Operations', '操作'],
    system: ['System', '系统'],
    device: ['Devices', '设备']
  }
}

const TEXT = {
  of: ['{0}: {1}', '{0}：{1}'],
  with: ['{0} – {1}', '{0} – {1}'],
  field: ['field “{0}”', '字段“{0}”'],
  [LOG_ON]: ['on', '开'],
  [LOG_OFF]: ['off', '关'],
  [LOG_NONE]: ['none', '无'],
  [LOG_UNKNOWN]: ['unknown name', '未知用户名'],
  [LOG_MORE]: ['more followed within the minute', '该分钟内还有更多']
} as const satisfies Record<string, Pair>

/** Names with results, 'B1: 16, B2, B3: usapi -35', as the answers that work on several devices write them. */
const RESULT = /: (usapi )?(-?\d+)(?=, |$)/g

function named(language: Language, event: string, name: string): string {
  const [first = ''] = name.split(' ')
  const word = FIRST_WORDS[event]?.[first]
  if (word) return say(language, word) + name.slice(first.length)
  if (!event.startsWith('/device/')) return name
  return name.replace(RESULT, (_, ultra, code) =>
    say(language, TEXT.of, ['', (ultra ? ultraCodeText : codeText)(language, Number(code))])
  )
}

/** The word at the end of a detail (contract/log.ts). */
function tagText(language: Language, tag: string): string {
  return tag.startsWith(LOG_FIELD)
    ? say(language, TEXT.field, [tag.slice(LOG_FIELD.length)])
    : say(language, TEXT[tag as typeof LOG_ON])
}

const TAG = new RegExp(`(?:^| )(${LOG_FIELD}\\S*|${LOG_ON}|${LOG_OFF}|${LOG_NONE}|${LOG_UNKNOWN}|${LOG_MORE})$`)

/** What a call does, in words; its path for a call that nobody knows. */
export function operationName(language: Language, event: string): string {
  return Object.hasOwn(OPERATIONS, event) ? say(language, OPERATIONS[event] as Pair) : event
}

/** The sentence of a line: the call's, with what it was about. A call that nobody knows, as of an older hub, is shown as it came. */
export function operationText(language: Language, event: string, detail: string): string {
  const tags: string[] = []
  let name = detail
  for (let found = TAG.exec(name); found; found = TAG.exec(name)) {
    tags.unshift(found[1] ?? '')
    name = name.slice(0, found.index)
  }
  const what = operationName(language, event)
  const whole = name ? say(language, TEXT.of, [what, named(language, event, name)]) : what
  return tags.reduce((sentence, tag) => say(language, TEXT.with, [sentence, tagText(language, tag)]), whole)
}

/** Whether there is a sentence for a call. */
export function isKnownOperation(path: string): boolean {
  return Object.hasOwn(OPERATIONS, path)
}

/** The calls whose sentence holds a text. */
export function operationsSaying(language: Language, text: string): string[] {
  return keysSaying(language, OPERATIONS, text)
}
