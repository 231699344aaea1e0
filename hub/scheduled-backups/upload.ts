// A server to which backups are uploaded.
import type { BackupFault, BackupTarget } from '../../contract/backup/backup.ts'

/** The upload failed. */
export class UploadError extends Error {
  readonly fault: BackupFault
  constructor(fault: BackupFault, cause?: unknown) {
    super(`The backup was not uploaded: ${fault}`, { cause })
    this.fault = fault
  }
}

export interface UploadServer {
  target: BackupTarget
  /** Of the SFTP user, or the secret access key. */
  password: string
}

export interface UploadRequest extends UploadServer {
  /** SHA-256 of the known host key, in base64; undefined: the first one is trusted. */
  hostKey: string | undefined
  /** Stores the first host key, before the password is sent. @throws UploadError if it cannot be stored */
  pinHostKey(hostKey: string): void
  name: string
  bytes: Buffer
  /** Names of older backups, which are removed from the server. */
  outdated: readonly string[]
}

/** Milliseconds for the whole upload. */
export const UPLOAD_TIME = 120_000
