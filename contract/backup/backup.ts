// Backups of the configuration by schedule (docs/wire.md, "Scheduled backups"). A backup is an export, stored in the
// data folder of the hub and, if there is a target, uploaded to it.
import { SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type {
  BackupFault,
  BackupList,
  BackupResult,
  BackupSettings,
  BackupTarget,
  StoredBackupFile
} from './backup.schema.ts'

/** Backups that are kept. */
export const BACKUPS_KEEP_MAX = 365

/** Write-only; absent: the stored value stays. Empty: removed. */
export interface BackupSecrets {
  /** Seals the secrets of each backup; without it they are left out. */
  passphrase?: string
  /** Of the SFTP user, or the secret access key of S3. */
  password?: string
}

export const listBackups = declareCall('GET /backup/list', SYSTEM_CONFIG_VIEW)

export const setBackups = declareCall('POST /backup/set', 'admin', { reauthenticate: true })

export const testBackup = declareCall('POST /backup/test', 'admin')

export const runBackup = declareCall('POST /backup/run', 'admin')

export const deleteBackup = declareCall('POST /backup/del', 'admin', { reauthenticate: true })

export const restoreBackup = declareCall('POST /backup/restore', 'admin', { reauthenticate: true })
