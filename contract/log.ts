// The operation, system and device logs (docs/wire.md, "Logs").

import { SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { declareCall, type EmptyRequest, type ListResponse, type PageRequest } from './call.ts'

/** Levels. */
export const LOG_INFO = 1
export const LOG_WARNING = 2
export const LOG_ERROR = 3

/** operation: calls of users; system: events of the hub; device: events of devices, and of channels that use them as an input. */
export type LogType = 'operation' | 'system' | 'device'

/**
 * Tags at the end of `detail`, after a space. The hub translates them when it returns an entry:
 * - `#field=config.url`: the request field that was invalid
 * - `#on`, `#off`: switched on or off
 * - `#changed=schedule,backups`: the fields that were changed
 * - `#none`: cleared; nobody but administrators
 * - `#everyone`, `#inherited`: who sees an object
 * - `#unknown`: unknown user name
 * - `#more`: rate limit reached; further attempts within the minute are not logged (60 per minute and client address, 600 in total)
 */
export const LOG_FIELD = '#field='
export const LOG_CHANGED = '#changed='
export const LOG_ON = '#on'
export const LOG_OFF = '#off'
export const LOG_NONE = '#none'
export const LOG_EVERYONE = '#everyone'
export const LOG_INHERITED = '#inherited'
export const LOG_MORE = '#more'
/** An unknown user name is not logged, because users sometimes type their password into this field. */
export const LOG_UNKNOWN = '#unknown'

/** Filter for log entries. An entry must meet all conditions. */
export interface LogFilter {
  type: LogType
  /** Milliseconds since the epoch: `from` inclusive, `to` exclusive. */
  from?: number
  to?: number
  /** Operation log: user name, exact match. */
  user?: string
  /** System and device log. */
  level?: number
  /** Operation log: `ok` = result 0. */
  outcome?: 'ok' | 'failed'
  /** Substring of detail, user, address, or the translated event; case-insensitive. */
  key?: string
  /** Device log: serial number. */
  sn?: string
  /** System and device log: ID of a channel. The system log then includes the entries of the device log about this channel. */
  channel?: number
}

export interface LogRequest extends LogFilter, PageRequest {
  /** Id of the newest entry to return, so that pages stay stable while entries are added. */
  upto?: number
  since?: number
}

export interface LogEntry {
  id: number
  /** Milliseconds since the epoch. */
  time: number
  level: number
  /** An event of `events.ts`; in the operation log the path of the call. */
  event: string
  /** Names, numbers and addresses. Never contains a secret. */
  detail: string
  /** `event` and `detail` as a sentence in the language of the request. */
  text?: string
  /** Operation log. */
  user?: string
  ip?: string
  /** Operation log: result code. */
  code?: number
  /** Sentence for `code` if it is not 0. */
  outcome?: string
  /** Device log. */
  sn?: string
}

/** Lists entries, newest first. Entries of devices that the caller may not see are omitted. */
export const listLog = declareCall<LogRequest, ListResponse<LogEntry>>('GET', '/log/list', SYSTEM_CONFIG_VIEW)

export interface ExportLogRequest extends LogFilter {
  format: 'csv' | 'json'
}

/** Exports all entries that match a filter as a file, newest first. CSV cells that a spreadsheet would read as a formula start with an apostrophe. */
export const exportLog = declareCall<ExportLogRequest, never>('GET', '/log/export', SYSTEM_CONFIG_VIEW)

export interface LogCheck {
  /** Number of checked entries. */
  lines: number
  intact: boolean
  /** ID of the first entry that does not follow from the one before it; 0 if entries at the end are missing. */
  'broken-id'?: number
}

/** Checks the hash chain of the operation log: whether entries were changed or removed other than by retention and `clearLog`. */
export const checkLog = declareCall<EmptyRequest, LogCheck>('GET', '/log/check', 'admin')

/** Clears a log; clearing the operation log leaves one entry for this call. `sn`: clears only the entries of that device. */
export const clearLog = declareCall<{ type: LogType; sn?: string }>('POST', '/log/clear', 'admin')
