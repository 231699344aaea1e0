import type { ChannelEffect, DifferenceItem, ExportPart } from '../../../contract/backup/export.ts'
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
