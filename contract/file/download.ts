// Downloads of files by ticket (docs/wire.md, "Downloads"). A ticket is a secret in the URL of one file: a download needs neither a cookie nor
// a header, so it also works at the port for files, in a download manager, and behind a proxy. A kind of file is added to `DownloadOptions`
// and to `contract/requests/file/download.ts`, and registered with the hub's `Downloads`.
import { declareCall } from '../call.ts'
import type { ExportLogRequest } from '../log.ts'

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
  /** The configuration. `passphrase` seals its secrets; without it they are left out. For the Admin group, with a recent proof of the password. */
  export: { passphrase?: string }
  /** A stored backup, by its name. For the Admin group, with a recent proof of the password. */
  backup: { name: string }
}

export type DownloadKind = keyof DownloadOptions

export type DownloadRequest = { [Kind in DownloadKind]: { kind: Kind } & DownloadOptions[Kind] }[DownloadKind]

export interface DownloadTicket {
  ticket: string
  /** Path and query at which the file is, at the port for files and at those of the console. */
  url: string
  /** Seconds for which the ticket can be used. */
  'expires-s': number
}

/**
 * Issues a ticket for one file. The kind of the file decides which users may download it: 31 for the others, 1100 if the password must be
 * entered again. Each kind has further errors.
 */
export const addDownloadTicket = declareCall<DownloadRequest, DownloadTicket>('POST', '/file/ticket', 'session')

/**
 * The file of a ticket, under the name in Content-Disposition. Status 404 with result 16 for a ticket that is wrong or expired, whose session has
 * ended or lost the permission, or that another user presents; 429 with result 4 if too many downloads of the user run.
 */
export const downloadFile = declareCall<{ ticket: string }, never>('GET', '/file/get', 'public')
