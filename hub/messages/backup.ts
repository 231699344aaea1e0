// Sentences for backups that failed.
import type { BackupFault } from '../../contract/backup/backup.ts'
import { type Language, type Translation, translate } from './language.ts'

const FAULTS: Readonly<Record<BackupFault, Translation>> = {
  store: ['The hub could not store the backup. Check its disk.', '中控无法保存备份。请检查磁盘。'],
  unreachable: [
    'The server does not respond. Check its address and the network.',
    '服务器没有响应。请检查地址和网络。'
  ],
  login: ['The server refuses the login. Check user and password.', '服务器拒绝登录。请检查用户名和密码。'],
  'host-key': [
    'The server has another host key than before. If it was replaced, trust the new key.',
    '服务器的主机密钥与之前不同。如果服务器已更换，请信任新密钥。'
  ],
  upload: [
    'The server did not store the backup. Check its folder and its space.',
    '服务器未能保存备份。请检查目标文件夹和空间。'
  ]
}

const ON_HUB: Translation = [' The backup is on the hub.', '备份已保存在中控上。']

/** The sentence of a server on which backups cannot be stored. */
export const serverFaultText = (language: Language, fault: BackupFault): string => translate(language, FAULTS[fault])

/** The sentence of a backup that failed. An unknown fault is shown as it is. */
export function backupFaultText(language: Language, fault: string): string {
  if (!Object.hasOwn(FAULTS, fault)) return fault
  const sentence = serverFaultText(language, fault as BackupFault)
  return fault === 'store' ? sentence : `${sentence}${translate(language, ON_HUB)}`
}
