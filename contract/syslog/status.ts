// The state of the syslog server that gets a copy of every log line (docs/wire.md, "Logs"). It is set with the part `syslog` of the settings.
import { SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall, type EmptyRequest } from '../call.ts'

/**
 * - `off`: no server is set
 * - `connecting`: the first attempt is not over
 * - `connected`: TCP, and the connection is open
 * - `sending`: UDP, which the server does not confirm
 * - `failing`: lines cannot be sent; the hub tries again
 */
export const SYSLOG_STATES = ['off', 'connecting', 'connected', 'sending', 'failing'] as const

export interface SyslogStatus {
  state: (typeof SYSLOG_STATES)[number]
  /** Since when, in milliseconds since the epoch; absent with `off` and `connecting`. */
  since?: number
  /** With `failing`: why, as a sentence in the language of the request. */
  error?: string
  /** Lines that wait to be sent. They are kept as long as the log keeps them. */
  queued: number
  /** When the last line was sent, in milliseconds since the epoch; absent if none was since the hub started. */
  'last-sent'?: number
}

export const getSyslogStatus = declareCall<EmptyRequest, SyslogStatus>('GET', '/syslog/status', SYSTEM_CONFIG_VIEW)

/**
 * Sends a test message to the server that is set, over a connection of its own. 38 if none is set; 47 with `message` if it could not be sent. Over
 * UDP, 0 only says that no refusal came back.
 */
export const testSyslog = declareCall<EmptyRequest>('POST', '/syslog/test', 'admin')
