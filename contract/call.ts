// How a call of the hub is declared. Both ends read the same declaration: `send(call, request)` in the console,
// `answer(call, handler)` in the hub, where the permission gate and the request check read it too.

/**
 * Who may make a call.
 * - `public`: anyone, also without a session
 * - `session`: every signed-in user
 * - `admin`: members of the Admin group only
 * - a number: users who hold at least one of these permission bits (`permissions.ts`)
 */
export type Who = 'public' | 'session' | 'admin' | number

/** A call as declared. The type parameters exist for the compiler only. */
export interface Call<Request = unknown, Reply = unknown> {
  readonly method: 'GET' | 'POST'
  /** Path below `/api`, with its leading slash. */
  readonly path: string
  readonly who: Who
  /** Never set: carries the types. A method, so that every declared call is also a plain `Call`. */
  types?(request: Request): Reply
}

/** What every answer carries. */
export interface Envelope {
  /** A result code (`codes.ts`); 0 is success. */
  result: number
  /** With result 7: the request's field that was refused. */
  field?: string
}

/** Declares a call. */
export function call<Request, Reply = object>(method: 'GET' | 'POST', path: string, who: Who): Call<Request, Reply> {
  return { method, path, who }
}

/** The request of a declared call. */
export type RequestOf<C> = C extends Call<infer Request, infer _> ? Request : never

/** The reply of a declared call, without its envelope. */
export type ReplyOf<C> = C extends Call<infer _, infer Reply> ? Reply : never

/** A call that takes nothing. */
export type Nothing = Record<never, never>

/** What list calls share (reference 5): the first index from 0, and how many. */
export interface Page {
  start?: number
  count?: number
}

/**
 * What list answers share.
 * A list asked for with `since` answers only what changed after that revision (`partial` is then true) and the ids that
 * are gone; a hub without revisions answers without `rev`, and the list is whole.
 */
export interface ListReply<Item> {
  start: number
  total: number
  list: Item[]
  rev?: number
  partial?: boolean
  gone?: (number | string)[]
}
