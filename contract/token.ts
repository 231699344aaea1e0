// Access tokens: for programs that call the hub as a user, with `Authorization: Bearer <token>`. Reference 8 proposes the paths; the
// specification shows the screen on the cloud variant only, here it is on the hub too, for automation.
// A token may do what its owner may at that moment, in every place where a session would do: calls, relayed calls, the feed. Where the
// header is sent cookies do not count, and no answer to it sets one. Sign-in matters are left to people, with 31: signing out, passwords,
// ending sessions, and tokens themselves. Once revoked, expired, or its owner deleted it is answered 37, and what it opened closes.
import { call, type ListReply, type Page } from './call.ts'

/** An `expired-time` that never comes. */
export const UNLIMITED = -1

export interface AccessToken {
  id: number
  /** What it is for; may be empty. */
  name: string
  /** The first characters of the token: enough to recognise it, far too few to guess it. */
  begin: string
  /** Name of the user whose present rights it carries, and the id. */
  owner: string
  'owner-id': number
  /** Milliseconds since the epoch. */
  'create-time': number
  /** Milliseconds since the epoch from which it is refused; -1 never. */
  'expired-time': number
  /** Last use: milliseconds since the epoch, up to 30 s old, and the address; absent = never used. */
  'used-time'?: number
  'used-ip'?: string
}

export interface NewToken {
  name?: string
  /** User name; default: the caller. */
  owner?: string
  'expired-time': number
  /** A token made elsewhere, as after a reset of the hub: 64 letters and digits. Without it the hub makes one. */
  token?: string
}

export const listTokens = call<Page, ListReply<AccessToken>>('GET', '/token/list', 'admin')

/** The only answer that ever holds the token: the hub keeps a hash. 16 unknown owner, 17 with 100 tokens, 41 a token that exists. */
export const addToken = call<NewToken, { id: number; token: string }>('POST', '/token/add', 'admin')

/** Refuses them from now on. */
export const deleteTokens = call<{ id: number | number[] }>('POST', '/token/del', 'admin')
