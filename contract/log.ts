// The operation, system and device logs (docs/wire.md, "Logs").

import { SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'
import type { RequestTo } from './calls.schema.ts'

export type { LogCheck, LogEntry } from './log.schema.ts'

/** Levels. */
export const LOG_INFO = 1
export const LOG_WARNING = 2
export const LOG_ERROR = 3

/**
 * operation: calls of users; system: events of the hub; device: events of devices, and of channels that use them as an
 * input.
 */
export type LogType = 'operation' | 'system' | 'device'

/**
 * Tags at the end of `detail`, after a space. The hub translates them when it returns an entry:
 * - `#field=config.url`: the request field that was invalid
 * - `#on`, `#off`: switched on or off
 * - `#changed=schedule,backups`: the fields that were changed
 * - `#none`: cleared; nobody but administrators
 * - `#everyone`, `#inherited`: who sees an object
 * - `#unknown`: unknown user name
 * - `#token=CI`: name of the access token with which a program of the user acted, in the device log; spaces and percent
 *   signs are percent-encoded
 * - `#more`: rate limit reached; further attempts within the minute are not logged (60 per minute and client address,
 *   600 in total)
 */
export const LOG_FIELD = '#field='
export const LOG_CHANGED = '#changed='
export const LOG_ON = '#on'
export const LOG_OFF = '#off'
export const LOG_NONE = '#none'
export const LOG_EVERYONE = '#everyone'
export const LOG_INHERITED = '#inherited'
export const LOG_TOKEN = '#token='
export const LOG_MORE = '#more'
/** An unknown user name is not logged, because users sometimes type their password into this field. */
export const LOG_UNKNOWN = '#unknown'

/** Filter for log entries. An entry must meet all conditions. */
export type LogFilter = Omit<ExportLogRequest, 'format'>

export type LogRequest = RequestTo<'GET /log/list'>

export const listLog = declareCall('GET /log/list', SYSTEM_CONFIG_VIEW)

export type ExportLogRequest = RequestTo<'GET /log/export'>

export const exportLog = declareCall('GET /log/export', SYSTEM_CONFIG_VIEW)

export const checkLog = declareCall('GET /log/check', 'admin')

export const clearLog = declareCall('POST /log/clear', 'admin', { reauthenticate: true })
