import type { Translation } from '../../text/language.ts'

export const TEXT = {
  export: ['Export', '导出'],
  exportText: [
    'Users, devices, inputs, outputs, channels, NDI and settings as one signed file. Logs, licence, certificates, ports and the network stay with this hub.',
    '将用户、设备、输入、输出、频道、NDI 和设置导出为一个签名文件。日志、许可证、证书、端口和网络设置不包含在内。'
  ],
  withSecrets: ['Include passwords and keys, sealed with a passphrase', '包含密码和密钥，并用口令封存'],
  without: [
    'Without them, new users need a password and outputs their keys after an import into another hub.',
    '不包含时，导入其他中控后，新用户需要设置密码，输出需要重新填写密钥。'
  ],
  passphrase: ['Passphrase', '口令'],
  passphraseHint: [
    'At least 12 characters. Nobody can open the passwords and keys without it.',
    '至少 12 个字符。没有口令，任何人都无法打开密码和密钥。'
  ],
  download: ['Download export', '下载导出文件'],
  ready: ['Export started', '已开始导出'],

  import: ['Import', '导入'],
  importText: [
    'Takes the settings from an export. The differences are shown first.',
    '从导出文件中恢复设置。会先显示差异。'
  ],
  openImport: ['Import settings', '导入设置']
} as const satisfies Record<string, Translation>
