import type { ChannelEffect, DifferenceItem, ExportPart, ImportDifference } from '../../../contract/backup/export.ts'
import type { Translation } from '../../text/language.ts'
import type { State } from '../../ui/state-label.tsx'

export const TEXT = {
  file: ['Export file', '导出文件'],
  choose: ['Choose file', '选择文件'],
  another: ['Choose another file', '选择其他文件'],
  intro: [
    'Choose an export of this or another hub. Nothing changes before you have seen the differences and confirmed.',
    '请选择由本中控或其他中控导出的文件。在查看差异并确认之前，不会更改任何内容。'
  ],
  uploading: ['Uploading', '正在上传'],
  created: ['Created', '创建时间'],
  from: ['Made by', '来源'],
  signer: ['Signature', '签名'],
  own: ['Signed by this hub', '由本中控签名'],
  other: ['Signed by another hub', '由其他中控签名'],
  otherHint: [
    'The file is intact, but another hub has signed it. Import it only if you know where it comes from.',
    '文件完整，但由其他中控签名。请仅在了解其来源时导入。'
  ],
  fingerprint: ['Fingerprint of the key', '密钥指纹'],
  secrets: ['Secrets', '机密信息'],
  sealed: ['Encrypted with a passphrase', '已加密'],
  unsealed: ['Not included', '不包含'],
  passphrase: ['Passphrase', '密码短语'],
  passphraseHint: [
    'Without it, passwords and keys of this hub stay, and those that it does not have are missing.',
    '不填写时，保留本中控的密码和密钥；本中控没有的将缺失。'
  ],
  parts: ['Parts to import', '要导入的部分'],
  partHint: [
    'The selected parts replace those of this hub as a whole: objects that are not in the file are removed.',
    '所选部分将整体替换本中控的对应部分：文件中没有的对象会被删除。'
  ],
  compare: ['Show differences', '查看差异'],

  differences: ['Differences', '差异'],
  none: ['The file and this hub are the same. Nothing would change.', '文件与本中控一致，不会有任何更改。'],
  more: ['{0} more', '另有 {0} 项'],
  channels: ['Channels', '频道'],
  stays: ['Channels that are not listed stay on air.', '未列出的频道保持播出。'],
  onAir: ['On air', '播出中'],
  notes: ['After the import', '导入之后'],
  apply: ['Import', '导入'],
  applyText: [
    'Replaces these parts: {0}. The hub restarts, which takes a few seconds. Channels that stay the same continue. Users whose name or password changes are signed out.',
    '将替换以下部分：{0}。中控将重启，需要几秒钟。未更改的频道继续播出。名称或密码发生更改的用户会退出登录。'
  ],

  running: ['Importing', '正在导入'],
  runningText: [
    'The settings are stored. The hub restarts; this page continues by itself.',
    '设置已保存。中控正在重启；此页面会自动继续。'
  ],
  done: ['Import complete', '导入完成'],
  doneText: ['The hub runs with the imported settings.', '中控已使用导入的设置运行。']
} as const satisfies Record<string, Translation>

export const PARTS: Readonly<Record<ExportPart, Translation>> = {
  users: ['Users, groups and access tokens', '用户、用户组和访问令牌'],
  devices: ['Devices and device groups', '设备和设备组'],
  streams: ['Inputs, outputs and channels', '输入、输出和频道'],
  ndi: ['NDI', 'NDI'],
  settings: ['Settings of the hub', '中控设置']
}

export const CHANGES: Readonly<Record<DifferenceItem['change'], State>> = {
  added: ['good', ['Added', '新增']],
  changed: ['warn', ['Changed', '更改']],
  removed: ['bad', ['Removed', '删除']]
}

/** What happens to a channel. */
export const EFFECTS: Readonly<Record<ChannelEffect['effect'], State>> = {
  starts: ['good', ['Starts', '启动']],
  stops: ['bad', ['Stops', '停止']],
  restarts: ['warn', ['Changes, may be interrupted', '更改，可能中断']]
}

/** What the user has to know about the import, with names of objects. */
export const NOTES: Readonly<Record<ImportDifference['notes'][number]['note'], Translation>> = {
  password: [
    'New users who cannot sign in until an administrator sets a password: {0}',
    '以下新用户在管理员设置密码之前无法登录：{0}'
  ],
  secret: [
    'Passwords or keys are missing; affected channels are stopped and outputs switched off: {0}',
    '缺少密码或密钥；相关频道将停止，相关输出将关闭：{0}'
  ],
  key: ['Channels that get new keys: {0}', '以下频道将获得新密钥：{0}'],
  device: ['Devices that wait for approval: {0}', '以下设备将等待批准：{0}'],
  login: ['Devices whose login is missing: {0}', '缺少登录信息的设备：{0}'],
  reference: ['Channels that lose an input or a device: {0}', '将失去输入或设备的频道：{0}'],
  'new-admin': ['Users who become administrators: {0}', '以下用户将成为管理员：{0}'],
  permission: ['Users who get further permissions: {0}', '以下用户将获得更多权限：{0}'],
  admin: ['You stay an administrator: {0}', '您将保留管理员身份：{0}'],
  setting: [
    'A passphrase or code is missing and is replaced by a random one: {0}',
    '缺少密码短语或邀请码，将使用随机值：{0}'
  ]
}

/** Kinds of objects. */
export const KINDS = {
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
} as const satisfies Record<string, Translation>

/** Settings of the hub by their name on the wire. */
export const SETTINGS: Readonly<Record<string, Translation>> = {
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
