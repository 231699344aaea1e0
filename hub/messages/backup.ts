// Sentences for backups that failed.
import type { BackupFault } from '../../contract/backup/backup.ts'
import { type Language, type Translation, translate } from './language.ts'

const FAULTS: Readonly<Record<BackupFault, Translation>> = {
  store: ['The hub could not store the backup. Check its disk.', '中控无法保存备份。请检查磁盘。'],
  unreachable: [
    'The server does not respond. Check its address and the network. The backup is on the hub.',
    '服务器没有响应。请检查地址和网络。备份已保存在中控上。'
  ],
  login: [
    'The server refuses the login. Check user and password. The backup is on the hub.',
    '服务器拒绝登录。请检查用户名和密码。备份已保存在中控上。'
  ],
  'host-key': [
    'The server has another host key than before. If it was replaced, trust the new key. The backup is on the hub.',
    '服务器的主机密钥与之前不同。如果服务器已更换，请信任新密钥。备份已保存在中控上。'
  ],
  upload: [
    'The server did not store the backup. Check its folder and its space. The backup is on the hub.',
    '服务器未能保存备份。请检查目标文件夹和空间。备份已保存在中控上。'
  ]
}

/** The sentence of a `BackupFault`. An unknown one is shown as it is. */
export function backupFaultText(language: Language, fault: string): string {
  return Object.hasOwn(FAULTS, fault) ? translate(language, FAULTS[fault as BackupFault]) : fault
}
