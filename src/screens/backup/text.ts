import type { BackupTarget } from '../../../contract/backup/backup.ts'
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

  schedule: ['Scheduled backups', '定时备份'],
  enable: ['Make a backup every day', '每天创建备份'],
  time: ['Time of day', '时间'],
  timeHint: ['HH:MM on the clock of the hub', 'HH:MM，以中控时钟为准'],
  keep: ['Backups to keep', '保留份数'],
  target: ['Also upload to', '同时上传到'],
  host: ['Host', '主机'],
  port: ['Port', '端口'],
  user: ['User', '用户'],
  password: ['Password', '密码'],
  secretKey: ['Secret access key', '私有访问密钥'],
  stays: ['Leave empty to keep the stored value', '留空则保留已存储的值'],
  path: ['Folder', '文件夹'],
  endpoint: ['Address', '地址'],
  endpointHint: ['Such as https://s3.example.com', '例如 https://s3.example.com'],
  region: ['Region', '区域'],
  bucket: ['Bucket', '存储桶'],
  accessKey: ['Access key ID', '访问密钥 ID'],
  hostKey: ['Host key (SHA-256)', '主机密钥 (SHA-256)'],
  trustHostKey: ['Trust this host key', '信任此主机密钥'],
  newHostKey: [
    'The hub does not trust this host key yet, and has sent no password. Compare it with the output of ssh-keygen -lf on the server.',
    '中控尚未信任此主机密钥，且未发送密码。请与服务器上 ssh-keygen -lf 的输出进行核对。'
  ],
  test: ['Test connection', '测试连接'],
  tested: ['Backups can be stored there.', '可以在该处保存备份。'],
  sealBackups: ['Passphrase for passwords and keys', '用于密码和密钥的密码短语'],
  sealHint: [
    'With it, backups contain the passwords and keys, encrypted. Keep the passphrase in a safe place, too.',
    '设置后，备份将包含已加密的密码和密钥。请另行妥善保管密码短语。'
  ],

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

export const TARGETS: Readonly<Record<BackupTarget['kind'], Translation>> = {
  folder: ['Nowhere: keep on the hub', '不上传：仅保存在中控'],
  sftp: ['SFTP server', 'SFTP 服务器'],
  s3: ['S3-compatible service', 'S3 兼容服务']
}
