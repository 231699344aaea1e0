// Log lines as syslog messages (RFC 5424).

/** A line of the operation log or of the event log, as stored, or a message of a notification. */
export interface SyslogLine {
  id: number | string
  /** Milliseconds since the epoch. */
  time: number
  /** A level of `contract/log.ts`. */
  level: number
  /** An event, or the path of a call. */
  event: string
  detail: string
  /** Operation log. */
  user?: string
  /** Operation log: name of the access token of the user's program; null for a session. */
  token?: string | null
  ip?: string
  code?: number
  /** Operation log: hash of this line and the line before it, see `LogChain`. */
  hash?: string
  /** Device log: serial number. */
  sn?: string
  /** Notification: ID and cause of the alarm. */
  alarm?: string
  cause?: string
}

/** Facilities: `audit` (log audit) for actions of users, `local0` for events. */
const FACILITY = { operation: 13, event: 16 } as const
export type SyslogSource = keyof typeof FACILITY

/** Severities by level: informational, warning, error. */
const SEVERITY: Readonly<Record<number, number>> = { 1: 6, 2: 4, 3: 3 }

/** Maximum bytes of a message. RFC 5424 requires receivers to accept 480 and recommends 2048. */
export const MESSAGE_MAX = 2048
/** Maximum characters of the fields of the header. */
const HOST_MAX = 255
const MESSAGE_ID_MAX = 32

/** A header field: printable US-ASCII without spaces; `-` if nothing is left. */
const headerField = (text: string, max: number) => text.replace(/[^!-~]/g, '').slice(0, max) || '-'

/** JSON in US-ASCII, so that the message needs no byte order mark. */
const asciiJson = (value: unknown) =>
  JSON.stringify(value).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Formats one message. Its text is a JSON object with the fields of the line; a detail that is too long is cut.
 * @param host name of this machine
 */
export function formatMessage(source: SyslogSource, line: SyslogLine, host: string): string {
  const { time, level, event, detail, token, ...rest } = line
  const fields = { ...rest, ...(token && { token }) }
  const priority = FACILITY[source] * 8 + (SEVERITY[level] ?? 6)
  const header = [
    `<${priority}>1`,
    new Date(time).toISOString(),
    headerField(host, HOST_MAX),
    'headend',
    process.pid,
    headerField(event.replace(/^\//, ''), MESSAGE_ID_MAX),
    '-'
  ].join(' ')
  const text = (cutDetail: string) => `${header} ${asciiJson({ log: source, event, ...fields, detail: cutDetail })}`
  const complete = text(detail)
  if (complete.length <= MESSAGE_MAX) return complete
  // A character takes at most six bytes.
  const room = Math.max(0, Math.floor((MESSAGE_MAX - text('').length) / 6) - 1)
  return text(`${detail.slice(0, room)}…`)
}
