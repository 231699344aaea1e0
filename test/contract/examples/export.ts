// Valid requests of the calls for export and import.

import * as backup from '../../../contract/backup/backup.ts'
import * as transfer from '../../../contract/backup/export.ts'
import { examples } from './examples.ts'

const id = '8d7f5a52-3f5c-4b6a-9a52-0a4f7d1c2b3e'

examples(transfer.exportConfiguration, {})
examples(transfer.uploadImport, {})
examples(
  transfer.compareImport,
  { id },
  { id, passphrase: 'x'.repeat(256), parts: ['users', 'devices', 'streams', 'ndi', 'settings'] }
)
examples(transfer.applyImport, { id, digest: 'a'.repeat(64) })

const name = 'headend-hub-2026-11-23-03-00-00.tar'
const settings = { enable: true, time: '03:00', keep: 14, target: { kind: 'folder' as const } }
const sftp = { kind: 'sftp' as const, host: 'nas.example', port: 22, user: 'backup', path: 'hub/daily' }
const s3 = {
  kind: 's3' as const,
  endpoint: 'https://s3.example.com',
  region: 'eu-1',
  bucket: 'backups',
  path: 'hub',
  'access-key': 'AKIA'
}
examples(backup.listBackups, {})
examples(
  backup.setBackups,
  settings,
  { ...settings, keep: 365, target: sftp, password: 'secret', passphrase: 'x'.repeat(256), 'forget-host-key': true },
  { ...settings, keep: 1, target: s3, password: 'secret', passphrase: '' }
)
examples(backup.runBackup, {})
examples(backup.deleteBackup, { name })
examples(backup.restoreBackup, { name })
