// Handlers of API calls. A read handler is a function that changes nothing. A change handler runs in one database
// transaction together with its line in the operation log, so that either both are stored or neither is.
import type { Call, ResponseOf } from '../../contract/call.ts'
import { LOG_TOKEN } from '../../contract/log.ts'
import type { HubRequest } from '../../web-server/request.ts'
import type { Caller } from '../auth/gate.ts'
import type { Interruption } from '../channels/off-air.ts'
import type { Language } from '../messages/language.ts'

export { CallError } from '../../web-server/call-error.ts'

/**
 * What a handler gets besides the request: who calls from where, the response headers, and the line of the operation
 * log.
 */
export interface Context {
  /** Set for every call that is not public. The API reads the session again between `prepare` and `change`. */
  caller: Caller | undefined
  /** IP address of the client. */
  readonly address: string
  /** Address of the hub at which the request arrived; undefined for a request in process. */
  readonly localAddress?: string | undefined
  /**
   * When the first request arrived over its connection, on the clock of `performance.now()`; undefined if it is
   * unknown.
   */
  readonly openedAt?: number | undefined
  /** The Host header; null for a request in process. */
  readonly host: string | null
  /** The User-Agent header: at most 128 printable characters; empty if the header is missing. */
  readonly userAgent: string
  /** The Cookie header; null if the request has none. */
  readonly cookie: string | null
  /** The headers Range and If-Range; null for each that is missing. */
  readonly range: { readonly range: string | null; readonly ifRange: string | null }
  /** Language of the sentences in the response. */
  readonly language: Language
  /** The request came over TLS. */
  readonly secure: boolean
  /** Port of the hub to which the client is connected; undefined in process. */
  readonly localPort: number | undefined
  /** Headers of the response: cookies to set. */
  readonly headers: { append(name: 'set-cookie', value: string): void }
  /** Text of the line in the operation log: names and numbers, never secrets. */
  detail: string
  /**
   * The objects that the call is about, such as 'channel:100001', 'user:4' or 'device:<sn>', without spaces. A handler
   * adds an object before it looks the object up: if the call then fails with result 16 or 1004, the response names the
   * user who last changed one of them. The last object in the array for which the log has such a user counts.
   */
  objects: string[]
  /** Set for calls whose request body is not JSON. The body has not been read yet. */
  body?: Pick<HubRequest, 'body' | 'headers'>
  /** Whether the line of the operation log is written: by a service, or for the call that this one continues. */
  isLogged?: boolean
  /** User name for the operation log if the request has no session. */
  userName?: string
  /** Runs `effect` once the change is committed. The response waits for a promise that it returns. */
  afterCommit(effect: () => unknown): void
}

/** The user of a request, with the access token of a program, as the detail of an event ends with it. */
export function callerTag(context: Context): string {
  const { user, tokenName } = requireCaller(context)
  return tokenName === undefined
    ? user.name
    : `${user.name} ${LOG_TOKEN}${tokenName.replace(/[\s%]/g, encodeURIComponent)}`
}

/** Whom a response is for: what he may see, and his language. */
export type Viewer = Pick<Context, 'caller' | 'language'>

/** The caller of a call that is not public. @throws Error if there is none, which is a fault of the gate */
export function requireCaller(context: Pick<Context, 'caller'>): Caller {
  if (!context.caller) throw new Error('A call that is not public reached its handler without a caller')
  return context.caller
}

type Reply<C> = Omit<ResponseOf<C>, 'result'>

/**
 * A call and its handler: either `read`, or `run`, or `change` with an optional `prepare`. Requests have the shape that
 * the call declares.
 */
export interface Handler {
  call: Call
  read?: (context: Context, request: never) => object | Promise<object>
  prepare?: (context: Context, request: never) => Promise<unknown>
  /**
   * Makes the change outside of the store, which cannot be undone with the transaction. Runs between `prepare` and
   * `change`, which then gets its result. Does not run in a dry run: `interruption` says what it interrupts.
   */
  applyEffect?: (context: Context, request: never, prepared: never) => Promise<unknown>
  change?: (context: Context, request: never, prepared: never) => object
  /** Makes a change that a service stores and logs itself. Runs outside of a transaction. */
  run?: (context: Context, request: never) => Promise<object>
  /** What the call takes off air besides what its change of the store does. */
  interruption?: FindInterruption<never>
  /** Does what `change` does, without the store, if the storage has a fault. Runs outside of a transaction. */
  changeInMemory?: (context: Context, request: never, prepared: never) => object
}

/** Finds what a request interrupts, when it has `dry-run`. */
export interface FindInterruption<Request> {
  /** @returns undefined for a request that interrupts nothing. @param prepared what `prepare` returned, if it ran */
  find(context: Context, request: Request, prepared?: unknown): Interruption | undefined
  /**
   * Whether `find` alone says what the request interrupts, because `prepare` and `run` have effects that cannot be
   * undone. Default: `prepare` and `change` run, and the change is undone.
   */
  isAlone?(request: Request): boolean
}

/** Adds to a handler what its call takes off air besides what its change of the store does. */
export function interrupting<Request>(
  call: Call<Request>,
  handler: Handler,
  interruption: FindInterruption<Request>
): Handler {
  return { ...handler, call: call as Call, interruption }
}

/** Declares the handler of a call that changes nothing. A handler that streams returns a complete `Response`. */
export function handle<Request, R>(
  call: Call<Request, R>,
  read: (
    context: Context,
    request: Request
  ) => Reply<Call<Request, R>> | Promise<Reply<Call<Request, R>> | Response> | Response
): Handler {
  return { call: call as Call, read: read as Handler['read'] }
}

/**
 * Declares the handler of a call that changes the store. `change` runs in a transaction and must not wait for anything.
 * It may run twice, if the first transaction fails because the disk is full.
 * @param changeInMemory does the same without the store, if the storage has a fault
 */
export function handleChange<Request, R>(
  call: Call<Request, R>,
  change: (context: Context, request: Request) => Reply<Call<Request, R>>,
  changeInMemory?: typeof change
): Handler {
  return {
    call: call as Call,
    change: change as Handler['change'],
    changeInMemory: changeInMemory as Handler['changeInMemory']
  }
}

/**
 * Like `handleChange`, for a change that needs slow work first, such as a password hash: `prepare` runs before the
 * transaction.
 */
export function handlePreparedChange<Request, R, Prepared>(
  call: Call<Request, R>,
  prepare: (context: Context, request: Request) => Promise<Prepared>,
  change: (context: Context, request: Request, prepared: Prepared) => Reply<Call<Request, R>>,
  changeInMemory?: typeof change
): Handler {
  return {
    call: call as Call,
    prepare: prepare as Handler['prepare'],
    change: change as unknown as Handler['change'],
    changeInMemory: changeInMemory as unknown as Handler['changeInMemory']
  }
}

/**
 * Like `handlePreparedChange`, for a change that a program outside of the hub makes first: `prepare` only checks, and
 * `applyEffect` lets the program make it.
 */
export function handleAppliedChange<Request, R, Prepared, Applied>(
  call: Call<Request, R>,
  prepare: (context: Context, request: Request) => Promise<Prepared>,
  applyEffect: (context: Context, request: Request, prepared: Prepared) => Promise<Applied>,
  change: (context: Context, request: Request, applied: Applied) => Reply<Call<Request, R>>
): Handler {
  return {
    call: call as Call,
    prepare: prepare as Handler['prepare'],
    applyEffect: applyEffect as unknown as Handler['applyEffect'],
    change: change as unknown as Handler['change']
  }
}

/**
 * Declares the handler of a change that a service of the hub makes, because it is also made without a call. The service
 * stores the change together with its line in the operation log, also if it fails; the handler then sets
 * `context.isLogged`.
 */
export function handleServiceChange<Request, R>(
  call: Call<Request, R>,
  run: (context: Context, request: Request) => Promise<Reply<Call<Request, R>>>
): Handler {
  return { call: call as Call, run: run as Handler['run'] }
}
