// How an answer is declared: the call it answers, and a handler. A read is a function; a change is a function that runs in one
// transaction together with its line in the operation log, so that either both are kept or neither.
import type { Call, Envelope, ReplyOf } from '../../contract/call.ts'
import type { Caller } from '../auth/gate.ts'
import type { Language } from '../messages/language.ts'

/** What an answer says besides its result; some calls say more than others. */
type Extra = Readonly<Record<string, unknown>> & Pick<Envelope, 'field'>

/** Thrown by a handler: the call is answered with this result and changes nothing. */
export class Refusal extends Error {
  readonly code: number
  readonly extra: Extra
  /** @param extra further fields of the answer, such as `field` with result 7 */
  constructor(code: number, extra: Extra = {}) {
    super(`result ${code}`)
    this.code = code
    this.extra = extra
  }
}

/** What a handler knows of the call besides its request. */
export interface Context {
  /** Set on every call that is not public; after what was prepared for a change it is who the caller is by then. */
  caller: Caller | undefined
  address: string
  /** What the browser calls itself: at most 128 characters, all of them printable; empty where it does not say. */
  agent: string
  /** What sentences are to be in. */
  language: Language
  /** The request came over TLS. */
  secure: boolean
  /** Headers of the answer. */
  headers: Headers
  /** What the operation log says of the change: names and numbers, never secrets. */
  detail: string
  /**
   * What the call is about, as 'channel:100001', 'user:4', 'device:<sn>': no spaces. Pushed before it is looked for: when that fails
   * (16, 1004), the answer says who last changed the newest of them that anybody changed.
   */
  objects: string[]
  /** Of a call whose body is no JSON: what came, the body not read yet. */
  body?: Pick<Request, 'body' | 'headers'>
  /** The name in the operation log when nobody is signed in. */
  name?: string
  /** Runs `effect` after the change is kept. */
  after(effect: () => void): void
}

/** A handler that may be called only by who is signed in. */
export function signedIn(context: Context): Caller {
  if (!context.caller) throw new Error('a call that is not public reached its handler without a caller')
  return context.caller
}

type Reply<C> = Omit<ReplyOf<C>, 'result'>

export interface Answer {
  call: Call
  /** Takes a request of the declared shape. */
  read?: (context: Context, request: never) => object | Promise<object>
  prepare?: (context: Context, request: never) => Promise<unknown>
  change?: (context: Context, request: never, prepared: never) => object
}

/** Answers a call that changes nothing. The handler may answer a whole `Response` instead, for streams. */
export function answer<Request, R>(
  call: Call<Request, R>,
  read: (context: Context, request: Request) => Reply<Call<Request, R>> | Promise<Reply<Call<Request, R>>> | Response
): Answer {
  return { call: call as Call, read: read as Answer['read'] }
}

/** Answers a call that changes the store. Runs in a transaction: no waiting in it. */
export function change<Request, R>(
  call: Call<Request, R>,
  work: (context: Context, request: Request) => Reply<Call<Request, R>>
): Answer {
  return { call: call as Call, change: work as Answer['change'] }
}

/** The same for a change that needs something slow beforehand, such as a password hash. */
export function changeAfter<Request, R, Prepared>(
  call: Call<Request, R>,
  prepare: (context: Context, request: Request) => Promise<Prepared>,
  work: (context: Context, request: Request, prepared: Prepared) => Reply<Call<Request, R>>
): Answer {
  return { call: call as Call, prepare: prepare as Answer['prepare'], change: work as unknown as Answer['change'] }
}
