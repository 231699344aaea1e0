// Logs: reference section 8 for the path, 6 for the kinds.
import { call, type ListReply, type Page } from './call.ts'
import { SYSTEM_CONFIG_VIEW } from './permissions.ts'

/** Kinds of a line: information, warning, error. */
export const LOG_INFO = 1
export const LOG_WARNING = 2
export const LOG_ERROR = 3

/** operation: what users did; system: what the hub did; device: what devices did, and channels with them as input. */
export type LogType = 'operation' | 'system' | 'device'

/**
 * Words that may stand at the end of a detail, after a space, in the place of a sentence. They begin with a number sign:
 * - `#field=config.url`: the field of the request that was refused
 * - `#on`, `#off`: switched so
 * - `#none`: set to nothing
 * - `#unknown`: a user name that nobody has
 * - `#more`: more attempts from this address followed within the minute, and are not written (60 a minute of one address, 600 of all)
 */
export const LOG_FIELD = '#field='
export const LOG_ON = '#on'
export const LOG_OFF = '#off'
export const LOG_NONE = '#none'
export const LOG_MORE = '#more'
/** The name itself is not written: people type their password into the wrong field. */
export const LOG_UNKNOWN = '#unknown'

/** Which lines. All of the conditions given must hold. */
export interface LogFilter {
  type: LogType
  /** Milliseconds since the epoch: from the one (included) to the other (not). */
  from?: number
  to?: number
  /** Operation log: exact user name. */
  user?: string
  /** System and device log. */
  level?: number
  /** Operation log: done (result 0) or refused. */
  outcome?: 'ok' | 'failed'
  /** Part of detail, user or address, or of what happened in the words of the reader; upper and lower case alike. */
  key?: string
  /** Device log: one device. */
  sn?: string
}

export interface LogRequest extends LogFilter, Page {
  /** Ours: the newest line that counts, by its id. Pages of one reading stay the same while lines are added. */
  upto?: number
  since?: number
}

/** A line. */
export interface LogLine {
  id: number
  /** Milliseconds since the epoch. */
  time: number
  level: number
  /** What happened: a word of `contract/events.ts`, or a call's path for the operation log. */
  event: string
  /** Names, numbers and addresses of it. Never a secret. */
  detail: string
  /** Ours: both as a sentence, in the language of who asks. A hub that has none says it all in `detail`. */
  text?: string
  /** Operation log. */
  user?: string
  ip?: string
  /** Operation log: result code. */
  code?: number
  /** Ours: `code` in words, where it is not 0. */
  outcome?: string
  /** Device log. */
  sn?: string
}

/** Newest first. Lines of devices that the caller may not see are left out. */
export const listLog = call<LogRequest, ListReply<LogLine>>('GET', '/log/list', SYSTEM_CONFIG_VIEW)

/** Ours. All lines of a filter as a file, newest first. CSV cells that a spreadsheet would take for a formula begin with an apostrophe. */
export const exportLog = call<LogFilter & { format: 'csv' | 'json' }, never>('GET', '/log/export', SYSTEM_CONFIG_VIEW)

/** Empties a log; the operation log then holds the line of its clearing. `sn`: only that device's lines of the device log. */
export const clearLog = call<{ type: LogType; sn?: string }>('POST', '/log/clear', 'admin')
