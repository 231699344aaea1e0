// Logs: reference section 8 for the path, 6 for the kinds.
import { call, type ListReply, type Page } from './call.ts'
import { SYSTEM_CONFIG_VIEW } from './permissions.ts'

/** Kinds of a line: information, warning, error. */
export const LOG_INFO = 1
export const LOG_WARNING = 2
export const LOG_ERROR = 3

export interface LogRequest extends Page {
  /** operation: what users did; system: what the hub did; device: what devices did. */
  type: 'operation' | 'system' | 'device'
  since?: number
}

/** A line. Its sentence is `event` with `detail` set in; the console writes it in the reader's language. */
export interface LogLine {
  id: number
  /** Milliseconds since the epoch. */
  time: number
  level: number
  /** What happened: a word of `contract/events.ts`, or a call's path for the operation log. */
  event: string
  /** Names, numbers and addresses of it. Never a secret. */
  detail: string
  /** Operation log. */
  user?: string
  ip?: string
  /** Operation log: result code. */
  code?: number
  /** Device log. */
  sn?: string
}

/** Newest first. */
export const listLog = call<LogRequest, ListReply<LogLine>>('GET', '/log/list', SYSTEM_CONFIG_VIEW)
