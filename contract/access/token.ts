// Access tokens: a program calls the hub as a user with `Authorization: Bearer <token>` (docs/wire.md, "Access tokens").
// A token has the current permissions of its owner and is accepted wherever a session is: calls, relayed calls, change feed. With this header the
// hub ignores cookies and sets none. A token cannot sign out, change passwords, end sessions or manage tokens (31). After it is revoked, has
// expired, or its owner was deleted, the hub responds with 37 and closes its open connections.
import { declareCall, type ListResponse, type PageRequest } from '../call.ts'

/** Value of `expired-time` for a token that does not expire. */
export const NEVER_EXPIRES = -1

export interface AccessToken {
  id: number
  /** Description; may be empty. */
  name: string
  /** The first characters of the token, to recognise it. */
  begin: string
  /** Name and id of the user whose permissions it has. */
  owner: string
  'owner-id': number
  /** Milliseconds since the epoch. */
  'create-time': number
  /** Expiry time in milliseconds since the epoch; -1 = never. */
  'expired-time': number
  /** Last use in milliseconds since the epoch, updated every 30 s, and the client address; absent = never used. */
  'used-time'?: number
  'used-ip'?: string
}

export interface AddTokenRequest {
  name?: string
  /** User name; default: the caller. */
  owner?: string
  'expired-time': number
  /** An existing token, for example to restore it after a reset of the hub: 64 letters and digits. Default: the hub generates one. */
  token?: string
}

export const listTokens = declareCall<PageRequest, ListResponse<AccessToken>>('GET', '/token/list', 'admin')

/** The only response that contains the token: the hub stores a hash. 16 unknown owner; 17 if there are 100 tokens; 41 if the token exists. */
export const addToken = declareCall<AddTokenRequest, { id: number; token: string }>('POST', '/token/add', 'admin')

/** Revokes tokens. Takes effect at once. */
export const deleteTokens = declareCall<{ id: number | number[] }>('POST', '/token/del', 'admin')
