// Backups of the configuration by schedule (docs/wire.md, "Scheduled backups"). A backup is an export, stored in the data folder of the hub and, if
// there is a target, uploaded to it.
import { SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall, type EmptyRequest } from '../call.ts'
import type { ExportRefusal, UploadedExport } from './export.ts'

/** Backups that are kept. */
export const BACKUPS_KEEP_MAX = 365

/** Server to which backups are uploaded. `folder`: none. */
export interface BackupTarget {
  kind: 'folder' | 'sftp' | 's3'
  /** SFTP: name or IPv4 address. */
  host?: string
  port?: number
  user?: string
  /** SFTP: folder on the server. S3: beginning of the names. */
  path?: string
  /** S3: address of the service, such as `https://s3.example.com`. */
  endpoint?: string
  region?: string
  bucket?: string
  /** S3: access key ID. */
  'access-key'?: string
}

export interface BackupSettings {
  enable: boolean
  /** Time of day of the hub, HH:MM. */
  time: string
  /** Number of backups that are kept, 1-365. */
  keep: number
  target: BackupTarget
}

/** Write-only; absent: the stored value stays. Empty: removed. */
export interface BackupSecrets {
  /** Seals the secrets of each backup; without it they are left out. */
  passphrase?: string
  /** Of the SFTP user, or the secret access key of S3. */
  password?: string
}

/** Why a backup failed. */
export type BackupFault =
  /** It could not be stored on the hub. */
  | 'store'
  /** The server does not respond, or its name is unknown. */
  | 'unreachable'
  /** The login or the access key is refused. */
  | 'login'
  /** The server has another host key than before. */
  | 'host-key'
  /** The server did not store the file. */
  | 'upload'

export interface BackupResult {
  /** Milliseconds since the epoch. */
  time: number
  /** File name; absent if it could not be stored. */
  name?: string
  fault?: BackupFault
  /** With `fault`: the sentence in the language of the request. */
  reason?: string
}

export interface StoredBackupFile {
  name: string
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch. */
  time: number
}

export interface BackupList {
  settings: BackupSettings
  /** Whether these secrets are stored. */
  'has-passphrase': boolean
  'has-password': boolean
  /** SHA-256 of the host key of the SFTP server, in base64, once it is known. */
  'host-key'?: string
  running: boolean
  last?: BackupResult
  /** Newest first. */
  list: StoredBackupFile[]
}

export const listBackups = declareCall<EmptyRequest, BackupList>('GET', '/backup/list', SYSTEM_CONFIG_VIEW)

/**
 * Another server or user needs the password again (7 with `field` `password`), because the stored one is not sent to another server.
 * `forget-host-key`: trusts the next host key.
 */
export const setBackups = declareCall<BackupSettings & BackupSecrets & { 'forget-host-key'?: boolean }>(
  'POST',
  '/backup/set',
  'admin',
  { reauthenticate: true }
)

/** Makes a backup now. It runs on; `running` and `last` of the list tell its result. 43 if one is being made. */
export const runBackup = declareCall<EmptyRequest>('POST', '/backup/run', 'admin')

/** 16. */
export const deleteBackup = declareCall<{ name: string }>('POST', '/backup/del', 'admin', { reauthenticate: true })

/** Opens a backup for an import, like `uploadImport`. Nothing changes yet. 16. */
export const restoreBackup = declareCall<{ name: string }, UploadedExport & ExportRefusal>(
  'POST',
  '/backup/restore',
  'admin',
  { reauthenticate: true }
)
