// Says in words what an import changes, and what needs attention after it.
import type {
  DifferenceItem,
  ImportDifference,
  ImportNote,
  ImportNoteKind,
  ItemKind,
  PartDifference
} from '../../contract/backup/export.ts'
import { type Language, type Translation, translate } from './language.ts'

const NOTES: Readonly<Record<ImportNoteKind, Translation>> = {
  password: [
    'New users who cannot sign in until an administrator sets a password: {names}',
    '以下新用户在管理员设置密码之前无法登录：{names}'
  ],
  secret: [
    'Passwords or keys are missing; affected channels are stopped and outputs switched off: {names}',
    '缺少密码或密钥；相关频道将停止，相关输出将关闭：{names}'
  ],
  key: ['Channels that get new keys: {names}', '以下频道将获得新密钥：{names}'],
  device: ['Devices that wait for approval: {names}', '以下设备将等待批准：{names}'],
  login: ['Devices whose login is missing: {names}', '缺少登录信息的设备：{names}'],
  reference: ['Channels that lose an input or a device: {names}', '将失去输入或设备的频道：{names}'],
  'new-admin': ['Users who become administrators: {names}', '以下用户将成为管理员：{names}'],
  permission: ['Users who get further permissions: {names}', '以下用户将获得更多权限：{names}'],
  admin: ['You stay an administrator: {names}', '您将保留管理员身份：{names}'],
  setting: [
    'A passphrase or code is missing and is replaced by a random one: {names}',
    '缺少密码短语或邀请码，将使用随机值：{names}'
  ]
}

const KINDS: Readonly<Record<ItemKind, Translation>> = {
  user: ['User', '用户'],
  group: ['User group', '用户组'],
  token: ['Access token', '访问令牌'],
  catalog: ['Device group', '设备组'],
  device: ['Device', '设备'],
  input: ['Input', '输入'],
  output: ['Output', '输出'],
  channel: ['Channel', '频道'],
  tag: ['Tag', '标签'],
  preset: ['Preset', '预设'],
  matrix: ['Matrix', '矩阵'],
  setting: ['Setting', '设置']
}

/** Settings of the hub by their name on the wire. */
const SETTINGS: Readonly<Record<string, Translation>> = {
  security: ['Invitation code', '邀请码'],
  'device-name': ['Name of the hub', '中控名称'],
  'expired-time': ['Session expiry', '会话有效期'],
  'admin-session': ['Longest session of administrators', '管理员会话最长时间'],
  previews: ['Data saver', '节省流量'],
  'device-security': ['Default visibility of devices', '设备的默认可见性'],
  'channel-security': ['Default visibility of channels', '频道的默认可见性'],
  'device-config': ['Connection settings', '连接设置'],
  'pwd-rule': ['Password rules', '密码规则'],
  log: ['Logs', '日志'],
  srt: ['SRT port', 'SRT 端口'],
  rtmp: ['RTMP port', 'RTMP 端口'],
  hls: ['HLS', 'HLS'],
  streams: ['Addresses of streams', '流地址'],
  syslog: ['Syslog server', 'Syslog 服务器'],
  'ndi-discovery': ['NDI discovery', 'NDI 发现'],
  channel: ['NDI outputs of new channels', '新频道的 NDI 输出'],
  'hub-ndi-server': ['NDI discovery server', 'NDI 发现服务器']
}

/** A difference that has no words yet. */
export interface UnwordedDifference extends Omit<ImportDifference, 'parts' | 'notes'> {
  parts: PartDifference[]
  notes: ImportNote[]
}

/** The title of a setting; its name on the wire if it has none. */
const settingTitle = (language: Language, name: string) => (SETTINGS[name] ? translate(language, SETTINGS[name]) : name)

const itemText = (language: Language, { kind, name }: DifferenceItem) =>
  `${translate(language, KINDS[kind])} ${kind === 'setting' ? settingTitle(language, name) : name}`

function noteText(language: Language, { note, names }: ImportNote): string {
  const titles = note === 'setting' ? names.map((name) => settingTitle(language, name)) : names
  return translate(language, NOTES[note], { names: titles.join(', ') })
}

/** Adds to a difference what it says in words. */
export function wordDifference(language: Language, difference: UnwordedDifference): ImportDifference {
  return {
    ...difference,
    parts: difference.parts.map(({ items, ...part }) => ({
      ...part,
      items: items.map((item) => ({ ...item, text: itemText(language, item) }))
    })),
    notes: difference.notes.map((note) => ({ ...note, text: noteText(language, note) }))
  }
}
