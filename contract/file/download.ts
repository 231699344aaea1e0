// Downloads of files by ticket (docs/wire.md, "Downloads"). A ticket is a secret in the URL of one file: a download
// needs neither a cookie nor a header, so it also works at the port for files, in a download manager, and behind a
// proxy. A kind of file is added to `DownloadOptions` and to its schema, and registered with the hub's `Downloads`.
import { declareCall } from '../call.ts'
import type { ExportLogRequest } from '../log.ts'

export type { DownloadTicket } from './download.schema.ts'

/** Minutes for which a ticket can be used. */
export const DOWNLOAD_MINUTES = 10
/** Tickets of a user that are valid at the same time. Another one replaces the oldest. */
export const DOWNLOAD_TICKETS_MAX = 16
/** Downloads by ticket of a user that run at the same time. */
export const DOWNLOADS_MAX = 8

/** What a request for a ticket has, by kind of file. */
export interface DownloadOptions {
  /** A log, as `exportLog` returns it. */
  log: ExportLogRequest
  /**
   * The configuration. `passphrase` seals its secrets; without it they are left out. For the Admin group, with a
   * recent proof of the password.
   */
  export: { passphrase?: string }
  /** A stored backup, by its name. For the Admin group, with a recent proof of the password. */
  backup: { name: string }
}

export type DownloadKind = keyof DownloadOptions

export type DownloadRequest = { [Kind in DownloadKind]: { kind: Kind } & DownloadOptions[Kind] }[DownloadKind]

export const addDownloadTicket = declareCall('POST /file/ticket', 'session')

export const downloadFile = declareCall('GET /file/get', 'public')
