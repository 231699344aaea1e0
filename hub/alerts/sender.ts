// Senders of the messages of notifications: one for each kind of destination.
import type { Translation } from '../../contract/text/language.ts'
import { errorSentence } from '../syslog/error-text.ts'

/** A channel, output, device or part of the hub that a message is about. */
export interface Concern {
  /** Kind of its problem (`contract/problem.ts`). */
  kind: string
  /** ID of its problem, such as `channel-3`. */
  id: string
  name: string
}

/** One message to one destination. */
export interface AlertMessage {
  /** The same for every attempt, so that a receiver can drop a second copy. */
  id: string
  /** ID of its alarm: the same for problem, reminder and recovery. */
  alarm: string
  state: 'problem' | 'reminder' | 'recovered' | 'test'
  severity: 'bad' | 'warn'
  /** When the cause began, in milliseconds since the epoch. */
  since: number
  /** Of a recovery: when the cause ended, in milliseconds since the epoch. */
  endedAt?: number
  /** One line, in the language of the destination. */
  title: string
  /** The text in the language of the destination, with a line for each object that it concerns. */
  text: string
  /** Code of `contract/health-causes.ts`, such as `device-offline`; `test` of a test message. */
  cause: string
  /** At most `CONCERNS_MAX`. */
  concerns: Concern[]
  /** Number of objects that it concerns, also of those that are not listed. */
  concernCount: number
  hub: { name: string; sn: string }
}

/** Maximum number of objects that a message lists. */
export const CONCERNS_MAX = 50

/** Maximum number of characters of an answer that are kept. */
export const ANSWER_MAX = 500

/** Sends messages to one kind of destination. `Config` is what the schema of the kind gives. */
export interface Sender<Config> {
  /**
   * @param signal aborts the attempt after the time limit, and when the hub ends
   * @returns the answer of the other end without secrets, for the delivery log and the test button
   * @throws SendError
   */
  send(message: AlertMessage, config: Config, signal: AbortSignal): Promise<string>
  /** Makes keys that it needs, in the transaction that adds a destination. */
  prepare?(): void
  /** Closes the connections of all other configurations. Called when destinations have changed. */
  keepOnly?(configs: readonly Config[]): void
  /** Closes all connections. Called when the hub ends. */
  close?(): Promise<void>
}

/** The message was not delivered. */
export class SendError extends Error {
  /** Why, for people, without secrets. */
  readonly text: Translation
  /** Whether a retry cannot help, because the address is wrong or the credentials are refused. */
  readonly isFinal: boolean

  constructor(text: Translation, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(text[0], { cause })
    this.text = text
    this.isFinal = isFinal
  }
}

const TIMED_OUT: Translation = ['The server does not answer.', '服务器没有响应。']

/** Converts the error of a connection. Only an address that the policy forbids is final. A SendError stays as it is. */
export function toSendError(error: unknown): SendError {
  if (error instanceof SendError) return error
  const { name, code } = error as Error & { code?: string }
  if (name === 'AbortError' || name === 'TimeoutError') return new SendError(TIMED_OUT, { cause: error })
  return new SendError(errorSentence(error as Error), { isFinal: code === 'forbidden-address', cause: error })
}

/** The answer of a peer, as one line of at most `ANSWER_MAX` characters. @param secrets texts that are removed */
export function answerText(answer: string, secrets: readonly (string | undefined)[] = []): string {
  const known = secrets.filter((secret) => secret !== undefined && secret !== '') as string[]
  const plain = known.reduce((text, secret) => text.replaceAll(secret, '…'), answer)
  return plain
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_MAX)
}
