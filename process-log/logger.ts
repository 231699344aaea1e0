// The log of a process of Headend: JSON lines on stderr, for journald or a log collector. It is for whoever runs the
// hub; actions of users and events of devices are in the logs of the hub's store.
import pino, { type DestinationStream, type Logger as JsonLogger } from 'pino'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

/** Levels by increasing severity. Lines below the level of the logger are not written. */
export const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const
export type Level = (typeof LEVELS)[number]

/** Lines a minute: with the same message, and in total. The last line of a minute that is written has `"more":true`. */
export const LINES_PER_MINUTE = { perMessage: 60, total: 600 }
/** Characters of a text field, and of a stack trace. Longer ones are cut. */
export const TEXT_MAX = 500
export const STACK_MAX = 2000

/** Further fields of a line. Never secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  /** @param error a thrown value; of an `Error` the stack trace is written too */
  error(message: string, error?: unknown, fields?: LogFields): void
}

interface LoggerOptions {
  /** Default: `info`. */
  level?: Level
  /** Default: stderr, written synchronously, so that the last line before a crash is not lost. */
  destination?: DestinationStream
  /** Milliseconds of a clock. */
  now?: () => number
}

class LimitedLogger implements Logger {
  readonly #json: JsonLogger
  readonly #rate: RateLimit

  constructor({ level = 'info', destination, now = Date.now }: LoggerOptions) {
    const options = {
      level,
      base: undefined,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (label: string) => ({ level: label }) }
    }
    this.#json = pino(options, destination ?? pino.destination({ dest: 2, sync: true }))
    this.#rate = createRateLimit(LINES_PER_MINUTE.perMessage, LINES_PER_MINUTE.total, now)
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields)
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields)
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields)
  }

  error(message: string, error?: unknown, fields?: LogFields): void {
    this.#write('error', message, { ...fields, ...describeError(error) })
  }

  #write(level: Level, message: string, fields: LogFields = {}): void {
    if (!this.#json.isLevelEnabled(level)) return
    const verdict = this.#rate.take(message)
    if (verdict === 'drop') return
    const shortened = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, name === 'stack' ? value : shorten(value)])
    )
    this.#json[level]({ ...shortened, ...(verdict === 'last' && { more: true }) }, cut(message, TEXT_MAX))
  }
}

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}…` : text)
const shorten = (value: LogFields[string]) => (typeof value === 'string' ? cut(value, TEXT_MAX) : value)

function describeError(error: unknown): LogFields {
  if (error === undefined) return {}
  if (!(error instanceof Error)) return { error: String(error) }
  const { code } = error as NodeJS.ErrnoException
  return { error: error.message, ...(code && { code }), ...(error.stack && { stack: cut(error.stack, STACK_MAX) }) }
}

export const createLogger = (options: LoggerOptions = {}): Logger => new LimitedLogger(options)

/** @returns undefined for a text that names no level */
export const parseLevel = (text: string | undefined): Level | undefined => LEVELS.find((level) => level === text)

/** The logger of this process. The environment variable LOG_LEVEL sets its level. */
export const logger: Logger = createLogger({ level: parseLevel(process.env.LOG_LEVEL) })
