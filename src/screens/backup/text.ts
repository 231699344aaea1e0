import type { Translation } from '../../text/language.ts'

export const TEXT = {
  export: ['Export', '导出'],
  exportText: [
    'Users, devices, inputs, outputs, channels, NDI and settings as one signed file. Logs, license, certificates, ports, network, firewall and the schedule of backups with its target stay with this hub.',
    '将用户、设备、输入、输出、频道、NDI 和设置导出为一个签名文件。日志、许可证、证书、端口、网络、防火墙以及定时备份及其目标不包含在内。'
  ],
  withSecrets: ['Include passwords and keys, encrypted with a passphrase', '包含密码和密钥，并使用密码短语加密'],
  without: [
    'Without them, new users need a password and outputs their keys after an import into another hub.',
    '不包含时，导入其他中控后，新用户需要设置密码，输出需要重新填写密钥。'
  ],
  passphrase: ['Passphrase', '密码短语'],
  passphraseHint: [
    'At least 12 characters. Nobody can open the passwords and keys without it.',
    '至少 12 个字符。没有密码短语，任何人都无法打开密码和密钥。'
  ],
  download: ['Download export', '下载导出文件'],

  import: ['Import', '导入'],
  importText: [
    'Takes the settings from an export. The differences are shown first.',
    '从导出文件中恢复设置。会先显示差异。'
  ],
  openImport: ['Import settings', '导入设置'],

  backups: ['Backups on the hub', '中控上的备份'],
  name: ['Name', '名称'],
  size: ['Size', '大小'],
  created: ['Created', '创建时间'],
  run: ['Back up now', '立即备份'],
  started: ['Backup started', '已开始备份'],
  running: ['A backup is being made.', '正在创建备份。'],
  failed: ['The last backup failed ({0}).', '上次备份失败（{0}）。'],
  get: ['Download {0}', '下载 {0}'],
  restore: ['Restore {0}', '恢复 {0}'],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: ['The copy on a server stays.', '服务器上的副本会保留。'],
  none: ['No backups', '暂无备份'],
  noneText: ['A backup brings back all settings.', '备份可恢复所有设置。']
} as const satisfies Record<string, Translation>
