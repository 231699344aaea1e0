// Sentences for entries of the operation log: the call and its objects. The outcome is the separate result code of the
// entry.
import { HUB_SETTINGS, type HubSetting } from '../../contract/hub-settings.schema.ts'
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
} from '../../contract/log.ts'
import { codeText } from './codes.ts'
import { fieldText } from './fields.ts'
import { findKeysByText, type Language, type Translation, translate } from './language.ts'
import { ultraCodeText } from './ultra-codes.ts'

/** Sentences by path of the call. */
const OPERATIONS: Readonly<Record<string, Translation>> = {
  '/login': ['Sign in', '登录'],
  '/logout': ['Sign out', '退出登录'],
  '/session/reauthenticate': ['Confirm password', '确认密码'],
  '/second-factor/enable': ['Enable second factor', '启用双重验证'],
  '/second-factor/codes': ['Create new recovery codes', '重新生成恢复码'],
  '/second-factor/disable': ['Disable second factor', '停用双重验证'],
  '/usr/second-factor/reset': ['Reset second factor', '重置双重验证'],
  '/session/end': ['End sessions', '结束会话'],
  '/display/add': ['Create link for wall display', '创建大屏链接'],
  '/display/open': ['Open wall display', '打开大屏'],
  '/system/set-device-name': ['Name the hub', '设置中控名称'],
  '/firewall/set': ['Set firewall', '设置防火墙'],
  '/firewall/confirm': ['Keep or undo firewall change', '保留或撤销防火墙更改'],
  '/system/reboot': ['Restart machine', '重启机器'],
  '/reboot': ['Restart machine', '重启机器'],
  '/system/shutdown': ['Shut down machine', '关闭机器'],
  '/system/reset': ['Reset all settings', '重置所有设置'],
  '/time/set': ['Change time settings', '更改时间设置'],
  '/network/set': ['Set network', '设置网络'],
  '/network/confirm': ['Keep or undo network change', '保留或撤销网络更改'],
  '/network/scan': ['Look for Wi-Fi networks', '搜索 Wi-Fi 网络'],
  '/network/join': ['Join Wi-Fi network', '加入 Wi-Fi 网络'],
  '/system/import': ['Upload settings to import', '上传要导入的设置'],
  '/system/import/apply': ['Import settings', '导入设置'],
  '/backup/set': ['Change backup settings', '更改备份设置'],
  '/backup/run': ['Make backup', '创建备份'],
  '/backup/del': ['Delete backup', '删除备份'],
  '/backup/restore': ['Open backup to import', '打开要导入的备份'],
  '/cert/upload': ['Upload certificate', '上传证书'],
  '/cert/upload-key': ['Upload private key', '上传私钥'],
  '/system/ports/confirm': ['Confirm new port', '确认新端口'],
  '/system/ports/cancel': ['Undo change of port', '撤销端口更改'],
  '/syslog/test': ['Send test message to syslog server', '向 Syslog 服务器发送测试消息'],
  '/file/ticket': ['Download file', '下载文件'],
  '/session/redeem': ['Sign in at a new address', '在新地址登录'],
  '/usr/update': ['Change password', '修改密码'],
  '/usr/profile/set': ['Change display name', '修改显示名称'],
  '/usr/add': ['Add user', '添加用户'],
  '/usr/set': ['Edit user', '编辑用户'],
  '/usr/del': ['Delete users', '删除用户'],
  '/usr/set-group': ['Move users', '移动用户'],
  '/usr/rules/set': ['Set password rules', '设置密码规则'],
  '/usr-group/add': ['Add user group', '添加用户组'],
  '/usr-group/set': ['Edit user group', '编辑用户组'],
  '/usr-group/del': ['Delete user groups', '删除用户组'],
  '/license/activate': ['Activate license', '激活许可证'],
  '/license/deactivate': ['Deactivate license', '取消激活许可证'],
  '/license/upload': ['Add license file', '添加许可证文件'],
  '/token/add': ['Add access token', '添加访问令牌'],
  '/token/del': ['Delete access tokens', '删除访问令牌'],
  '/channel/add': ['Add channel', '添加频道'],
  '/channel/set': ['Edit channel', '编辑频道'],
  '/channel/duplicate': ['Duplicate channel', '复制频道'],
  '/channel/enable': ['Start or stop channel', '启停频道'],
  '/channel/client/drop': ['Disconnect clients of channel', '断开频道客户端'],
  '/channel/del': ['Delete channels', '删除频道'],
  '/channel/input/set': ['Change input of channel', '更改频道输入'],
  '/channel/input/switch': ['Switch input of channel', '切换频道输入'],
  '/channel/output/add': ['Add outputs to channel', '为频道添加输出'],
  '/channel/output/enable': ['Start or stop outputs of channel', '启停频道输出'],
  '/channel/output/del': ['Remove outputs from channel', '移除频道输出'],
  '/channel/baseline': ['Reset statistics of channel', '重置频道统计'],
  '/input/source/add': ['Add input', '添加输入'],
  '/input/source/set': ['Edit input', '编辑输入'],
  '/input/source/del': ['Delete inputs', '删除输入'],
  '/output/add': ['Add output', '添加输出'],
  '/output/set': ['Edit output', '编辑输出'],
  '/output/del': ['Delete outputs', '删除输出'],
  '/ndi/preset/add': ['Add NDI preset', '添加 NDI 预设'],
  '/ndi/preset/set': ['Edit NDI preset', '编辑 NDI 预设'],
  '/ndi/preset/del': ['Delete NDI presets', '删除 NDI 预设'],
  '/preset/add': ['Add preset', '添加预设'],
  '/preset/set': ['Edit preset', '编辑预设'],
  '/preset/del': ['Delete preset', '删除预设'],
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
  '/device/live/start': ['Start streaming', '开始推流'],
  '/device/live/stop': ['Stop streaming', '停止推流'],
  '/device/favorite/set': ['Change favorites', '更改收藏'],
  '/channel/security/set': ['Set access to channels', '设置频道可见范围'],
  '/channel/global/set': ['Set default access to channels', '设置频道默认可见范围'],
  '/device/security/set': ['Set access to devices', '设置设备可见范围'],
  '/device/global/set': ['Set device defaults', '设置设备默认值'],
  '/catalog/add': ['Add device group', '添加设备组'],
  '/catalog/set': ['Edit device group', '编辑设备组'],
  '/catalog/rename': ['Rename device group', '重命名设备组'],
  '/catalog/del': ['Delete device groups', '删除设备组'],
  '/device/upgrade': ['Update firmware of devices', '更新设备固件'],
  '/firmware/upload': ['Upload firmware', '上传固件'],
  '/firmware/upload/start': ['Start firmware upload', '开始上传固件'],
  '/firmware/upload/finish': ['Finish firmware upload', '完成固件上传'],
  '/firmware/upload/cancel': ['Cancel firmware upload', '取消固件上传'],
  '/firmware/add': ['Add firmware', '添加固件'],
  '/firmware/del': ['Delete firmware', '删除固件'],
  '/rollout/start': ['Start rollout', '开始批量更新'],
  '/rollout/pause': ['Pause rollout', '暂停批量更新'],
  '/rollout/resume': ['Resume rollout', '继续批量更新'],
  '/rollout/cancel': ['Cancel rollout', '取消批量更新'],
  '/rollout/retry': ['Retry rollout', '重试批量更新'],
  '/rollout/del': ['Delete rollout', '删除批量更新'],
  '/update/upload': ['Upload update', '上传更新'],
  '/update/start': ['Install console', '安装控制台'],
  '/update/cancel': ['Discard uploaded update', '放弃已上传的更新'],
  '/update/confirm': ['Confirm console', '确认控制台'],
  '/update/revert': ['Roll back console', '回退控制台'],
  '/portforward/start': ['Forward a port', '转发端口'],
  '/portforward/stop': ['Stop forwarding a port', '停止端口转发'],
  '/problem/acknowledge': ['Acknowledge problems', '确认问题'],
  '/ndi/router/add': ['Add matrix', '添加矩阵'],
  '/ndi/router/set': ['Edit matrix', '编辑矩阵'],
  '/ndi/router/del': ['Delete matrix', '删除矩阵'],
  '/ndi/router/route': ['Take', '切换'],
  '/ndi/router/lock': ['Lock or unlock destination', '锁定或解锁目标'],
  '/ndi/router/salvo/add': ['Add salvo', '添加批量切换'],
  '/ndi/router/salvo/set': ['Edit salvo', '编辑批量切换'],
  '/ndi/router/salvo/del': ['Delete salvo', '删除批量切换'],
  '/ndi/router/salvo/take': ['Take salvo', '执行批量切换'],
  '/ndi/router/undo': ['Undo take', '撤销切换'],
  '/ndi/router/schedule/del': ['Delete scheduled take', '删除定时切换'],
  '/settings/set': ['Change settings', '更改设置'],
  '/system/ports/retry': ['Reopen shared ports', '重新打开共享端口'],
  '/log/clear': ['Clear log', '清空日志'],
  '/socket': ['Control device', '控制设备'],
  '/socket/sc-remote': ['Open device page', '打开设备页面']
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
  with: ['{0} – {1}', '{0} – {1}'],
  partly: ['Partly done: {0} failed', '部分完成：{0} 台失败'],
  field: ['field “{0}”', '字段“{0}”'],
  and: ['{0}, {1}', '{0}、{1}'],
  [LOG_ON]: ['on', '开'],
  [LOG_OFF]: ['off', '关'],
  [LOG_NONE]: ['none', '无'],
  [LOG_EVERYONE]: ['everyone', '所有人'],
  [LOG_INHERITED]: ['inherited', '继承'],
  [LOG_UNKNOWN]: ['unknown name', '未知用户名'],
  [LOG_MORE]: ['further attempts within a minute are not logged', '一分钟内的后续尝试未记录']
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
    : translate(language, TEXT[tag as typeof LOG_ON])
}

const TAG = new RegExp(
  `(?:^| )(${LOG_FIELD}\\S*|${LOG_CHANGED}\\S*|${LOG_ON}|${LOG_OFF}|${LOG_NONE}|${LOG_EVERYONE}|${LOG_INHERITED}|${LOG_UNKNOWN}|${LOG_MORE})$`
)

/** The sentence of a call; its path if the call is unknown. */
export function operationName(language: Language, event: string): string {
  return Object.hasOwn(OPERATIONS, event) ? translate(language, OPERATIONS[event] as Translation) : event
}

/**
 * The sentence of an entry: the call, its objects and tags. An unknown call, for example of an older hub, is shown with
 * its path.
 */
export function operationText(language: Language, event: string, detail: string): string {
  const tags: string[] = []
  let name = detail
  for (let match = TAG.exec(name); match; match = TAG.exec(name)) {
    tags.unshift(match[1] ?? '')
    name = name.slice(0, match.index)
  }
  const onOff = tags.find((tag) => SWITCHES[event]?.[tag])
  const operation = onOff
    ? translate(language, SWITCHES[event]?.[onOff] as Translation)
    : operationName(language, event)
  const whole = name ? translate(language, TEXT.of, [operation, translateDetail(language, event, name)]) : operation
  const others = tags.filter((tag) => tag !== onOff)
  return others.reduce((sentence, tag) => translate(language, TEXT.with, [sentence, tagText(language, tag)]), whole)
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
