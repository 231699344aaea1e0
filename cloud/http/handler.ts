// Handlers of the calls of the cloud.
import type { Call, ResponseOf } from '../../contract/call.ts'
import type { Language } from '../../contract/text/language.ts'
import type { Caller } from '../auth/sessions.ts'
import type { Scope } from '../store/scope.ts'

/** What a handler gets besides the request. */
export interface Context {
  /** Set for every call that is not public. */
  caller: Caller | undefined
  /** Name of the organisation whose rows the call sees. */
  readonly organisation: string
  /** IP address of the client. */
  readonly address: string
  /** The Host header. */
  readonly host: string | null
  /** The Cookie header. */
  readonly cookie: string | null
  /** The User-Agent header, without control characters. */
  readonly userAgent: string
  /** Language of the client. */
  readonly language: Language
  /** The request came over TLS. */
  readonly secure: boolean
  readonly headers: { append(name: 'set-cookie', value: string): void }
  /** Whether the caller has to change the password or to set up a second factor first. */
  readonly isRestricted: boolean
  /** Name of the user in the log, if the request has no session. */
  userName: string
  /** Text of the line in the log. Never secrets. */
  detail: string
  /** Runs `effect` once the change is committed. */
  afterCommit(effect: () => void): void
}

export interface Handler {
  call: Call
  /** Slow work before the transaction, such as a password check. */
  prepare?: (context: Context, request: never) => Promise<unknown>
  /** Runs in one transaction with the line of the log. */
  run: (context: Context, scope: Scope, request: never, prepared: never) => Promise<object>
}

export function handle<Request, R>(
  call: Call<Request, R>,
  run: (context: Context, scope: Scope, request: Request) => Promise<ResponseOf<Call<Request, R>>>
): Handler {
  return { call: call as Call, run: run as Handler['run'] }
}

/** @param prepare runs before the transaction, and again before its repetition */
export function handlePrepared<Request, R, Prepared>(
  call: Call<Request, R>,
  prepare: (context: Context, request: Request) => Promise<Prepared>,
  run: (context: Context, scope: Scope, request: Request, prepared: Prepared) => Promise<ResponseOf<Call<Request, R>>>
): Handler {
  return { call: call as Call, prepare: prepare as Handler['prepare'], run: run as Handler['run'] } as Handler
}

/** The caller of a call that is not public. @throws Error if there is none, which is a fault of the API */
export function requireCaller({ caller }: Context): Caller {
  if (!caller) throw new Error('A call that is not public reached its handler without a caller')
  return caller
}
