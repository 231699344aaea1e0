// How a call of the hub is declared. Both ends read the same declaration: `send(call, request)` in the console,
// `answer(call, handler)` in the hub, where the permission gate and the request check read it too.
import type { LicenseLimits } from './license.ts'

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
  /** What the body is where it is no JSON: a form with a file in its part `file`, or bytes. The request is then the query. */
  readonly body?: 'form' | 'bytes'
  /** Never set: carries the types. A method, so that every declared call is also a plain `Call`. */
  types?(request: Request): Reply
}

/** Nouns that an answer may name, where the specification has a sentence of its own for each. */
export type AnsweredNoun = 'user' | 'group' | 'server'

/** What of the hub has a port: its console, the registration of devices, a port that all channels share, or what leads to a device. */
export interface PortHolder {
  of: 'web' | 'links' | 'srt' | 'rtmp' | 'forward' | 'input' | 'output'
  /** Of an input or an output. */
  name?: string
}

/** Who changed or deleted an object before the call came. */
export interface ChangedBy {
  /** Name of the user. */
  name: string
  /** Milliseconds since the epoch. */
  time: number
  /** Path of the call, as in the operation log. */
  event: string
  /** What it does, in the language of who asks. */
  what?: string
}

/** What every answer carries. All beside the result is ours, for a better sentence: another hub leaves it out. */
export interface Envelope {
  /** A result code (`codes.ts`); 0 is success. */
  result: number
  /** With 7, 1001-1003 and 1007: the request's field that was refused, `config.url`. */
  field?: string
  /** With 7: the name of the fault that a rule found in `field` (`rules.ts`); its numbers are beside it. */
  fault?: string
  /** With 1007 and 46: the port that is occupied. */
  port?: number
  /** With 1007: who has it, where that is the hub's and the caller may know. */
  holder?: PortHolder
  /** With 7: a number of the fault. */
  min?: number
  /** With 17 and 1006: how many there can be. With 7: a number of the fault. */
  max?: number
  /** With 17: what there are `max` of. With 1006: which limit of the licence. */
  of?: AnsweredNoun | keyof LicenseLimits
  /** With 1006: how many of those are in use. */
  used?: number
  /** With 1003 and 41: what it is that exists. */
  exists?: AnsweredNoun
  /** With 1005, and with 1003 where `force` overrides: names of the channels that use an input or an output. */
  'owner-i'?: string[]
  'owner-o'?: string[]
  /** With 32: that streams may not go there, by the settings or ever. */
  forbidden?: true
  /** Of a device that was told to do something: `result` is its own, in the codes of this generation (`device-action.ts`). */
  api?: 'usapi' | 'mwapi' | 'api'
  /**
   * What happened in words, where the hub knows more than its result says: what comes from a device, and what the fields above hold. In
   * the language of who asks (`language.ts`); plain text without secrets, a line what happened, further lines what to do next.
   */
  message?: string
  /** With 16 and 1004: who deleted or changed the object. */
  by?: ChangedBy
}

/** Declares a call. */
export function call<Request, Reply = object>(
  method: 'GET' | 'POST',
  path: string,
  who: Who,
  body?: Call['body']
): Call<Request, Reply> {
  return { method, path, who, body }
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
  /**
   * Which items a page holds, in which order, in a few characters; absent where the page is the whole list. Sent back with `since`
   * it lets the hub answer with the changed items of the page alone, as long as the page still holds the same ones.
   */
  mark?: string
}

/** What a list takes of its own last answer, to be told only what is new. */
export interface Since {
  since?: number
  mark?: string
}
