// Declaration of API calls. Console and hub read the same declaration: `send(call, request)` makes the call in the
// console, `handle(call, handler)` registers its handler in the hub, and the hub checks permission and request against
// it.

import type { CallName, RequestTo, ResponseTo } from './calls.schema.ts'
import type { SwapLoss } from './device/swap.schema.ts'
import type { LicenseLimits, LicenseRefusal } from './license/license.ts'
import type { OffAirChannel } from './off-air.schema.ts'

/**
 * Permission that a call requires.
 * - `public`: none; no session is needed
 * - `session`: any signed-in user
 * - `admin`: membership in the Admin group
 * - a number: at least one of these permission bits (`permissions.ts`)
 */
export type Access = 'public' | 'session' | 'admin' | number

/** A declared call. The type parameters exist at compile time only. */
export interface Call<Request = unknown, Response = unknown> {
  readonly method: 'GET' | 'POST'
  /** Path below `/api`, with a leading slash. */
  readonly path: string
  readonly access: Access
  /**
   * Type of a body that is not JSON: a form with the file in its part `file`, or raw bytes. The request is then in the
   * query string.
   */
  readonly body?: 'form' | 'bytes'
  /**
   * The caller must have proved the password within the last `REAUTHENTICATE_AFTER` minutes, by signing in or with
   * `reauthenticate` (`access/session.ts`); else the result is 1100. Access tokens are not permitted. For calls with
   * which someone who finds an open console could gain lasting access.
   */
  readonly reauthenticate?: boolean
  /** It can take channels off air. Its request has `dry-run` (`off-air.schema.ts`). */
  readonly interrupts?: boolean
  /** Never set: carries the types. Declared as a method so that every call is assignable to `Call`. */
  types?(request: Request): Response
}

/** Kinds of objects that have their own wording in response messages. */
export type ObjectKind = 'user' | 'group' | 'server'

/** What a response with the result 41 says to exist already. A device group is a `catalog`. */
export type ExistingKind = ObjectKind | 'catalog'

/**
 * The component that has a port of the hub open: the web server, with or without TLS, the files server, device
 * registration, a shared port, a port forward, an input, an output, or the panel port of a matrix.
 */
export interface PortHolder {
  of:
    | 'web'
    | 'https'
    | 'files'
    | 'links'
    | 'srt'
    | 'rtmp'
    | 'forward'
    | 'ndi-server'
    | 'input'
    | 'output'
    | 'panel'
    | 'program'
  /** Name of the input, output or matrix. Of a program of the machine only if the hub may know it. */
  name?: string
}

/** The last change of an object, or its deletion. */
export interface LastChange {
  /** Name of the user. */
  name: string
  /** Name of the access token that authenticated the change; absent for a change in the console. */
  token?: string
  /** Milliseconds since the epoch. */
  time: number
  /** Path of the call, as in the operation log. */
  event: string
  /** Description of the call in the language of the request. */
  what?: string
}

/**
 * Fields that every response can have. All fields except `result` are optional details for error messages.
 * See docs/wire.md, "Result codes".
 */
export interface Envelope {
  /** A result code (`codes.ts`); 0 is success. */
  result: number
  /** With 7, 1001-1003 and 1007: path of the invalid request field, such as `config.url`. */
  field?: string
  /**
   * With 38, -102 and -103: why (`web/`). With 7: name of the fault in `field` (`rules/rules.ts`); the numbers of the
   * fault are in `min`, `max` and `default`.
   */
  fault?: string
  /** With 7: further invalid fields of the request, each with its fault. */
  also?: Partial<Pick<Envelope, 'field' | 'fault' | 'min' | 'max'>>[]
  /** With 1007 and 46: the occupied port. */
  port?: number
  /**
   * With 1007: the component that has the port open, if it is known to the hub and visible to the caller. With 41 about
   * the target of an output: the other output that has it.
   */
  holder?: PortHolder
  /** With 7: a number of the fault. */
  min?: number
  /** With 17 and 1006: the limit. With 7: a number of the fault. */
  max?: number
  /** With 17: kind of the limited objects. With 1006: name of the licence limit. */
  of?: ObjectKind | keyof LicenseLimits
  /** With a licence that is not valid: its state (`LICENSE_STATE`), like `result`. */
  'license-state'?: number
  /** With `license-state`: why, if the state alone does not say it. */
  'license-reason'?: LicenseRefusal
  /** With 1006: number of objects in use. */
  used?: number
  /** With 1003 and 41: kind of the existing object. */
  exists?: ExistingKind
  /** With 1005, and with 1003 if `force` overwrites: names of the channels that use an input or an output. */
  'owner-i'?: string[]
  'owner-o'?: string[]
  /** With 1005: an input and an output of a channel would have this host. `force` overrides. */
  'same-host'?: string
  /** With 1005 and 9: what a device cannot take over from another one. With 1005, `force` overrides. */
  losses?: SwapLoss[]
  /** With 38: why an input cannot be put on air. */
  'switch-fault'?: 'stopped' | 'no-media' | 'no-slate'
  /** Whether channels that the caller may not see use the object, too. */
  'owner-hidden'?: true
  /** With `dry-run`: the channels that the call takes off air, as far as the caller may see them. */
  'off-air'?: OffAirChannel[]
  /** Number of further channels in `off-air` that the caller may not see. */
  'off-air-hidden'?: number
  /** With 32: the address policy forbids this address for streams. */
  forbidden?: true
  /** For a device action: `result` is the device's own code, of this API generation (`device/action.ts`). */
  api?: 'usapi' | 'mwapi' | 'api'
  /**
   * Error message in the language of the request (`language.ts`), if the hub has more details than the result code:
   * errors of devices, and the details in the fields above. Plain text without secrets; the first line states the
   * problem, further lines the next steps.
   */
  message?: string
  /** With 16 and 1004: who deleted or changed the object. */
  by?: LastChange
}

/** Further field of responses about passwords and codes. */
export interface LockoutInfo {
  /** With result 39: seconds until this client address may try this user name again. */
  'locked-s'?: number
}

/**
 * Declares a call. Its schemas stand in `<feature>.schema.ts` beside it. @param name method and path, such as 'GET
 * /token/list'
 */
export function declareCall<Name extends CallName>(
  name: Name,
  access: Access,
  options: Pick<Call, 'body' | 'reauthenticate' | 'interrupts'> = {}
): Call<RequestTo<Name>, ResponseTo<Name>> {
  const [method, path = ''] = name.split(' ')
  return { method: method as Call['method'], path, access, ...options }
}

/** Response type of a declared call, without the envelope. */
export type ResponseOf<C> = C extends Call<infer _, infer Response> ? Response : never

/** Request of a call without parameters. */
export type EmptyRequest = Record<never, never>

/** Paging of list calls: index of the first item, from 0, and number of items. */
export interface PageRequest {
  start?: number
  count?: number
}

/**
 * Response of list calls.
 * With `since` in the request, a list call can return a delta (`partial` is true): the items that changed after that
 * revision, and the ids of removed items in `gone`. Without `rev`, the hub does not support deltas and the list is
 * complete.
 */
export interface ListResponse<Item> {
  start: number
  total: number
  list: Item[]
  rev?: number
  partial?: boolean
  gone?: (number | string)[]
  /**
   * Hash of the ids on a page and of their order; absent if the page is the whole list. Sent back together with
   * `since`, it lets the hub return a delta of this page if the page still has the same items.
   */
  mark?: string
}

/** Asks a list call for a delta: `rev` and `mark` of the last response. */
export interface DeltaRequest {
  since?: number
  mark?: string
}
