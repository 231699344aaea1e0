// Access tokens: a program calls the hub as a user with `Authorization: Bearer <token>` (docs/wire.md, "Access tokens").
// A token has those current permissions of its owner that its scopes include, and is accepted wherever a session is: calls, relayed calls,
// change feed. With this header the hub ignores cookies and sets none. No token is permitted to make the calls of the Admin group, to sign out,
// to change passwords, or to list or end sessions (31): a leaked token must not create an account or a token that outlives it. After it is
// revoked, has expired, or its owner was deleted, the hub responds with 37 and closes its open connections.
import { type Access, declareCall, type ListResponse, type PageRequest } from '../call.ts'
import {
  addRequiredPermissions,
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_GROUP_VIEW,
  DEVICE_VIEW,
  FIRMWARE_MANAGER,
  FIRMWARE_VIEW,
  hasAnyBit,
  INPUT_OUTPUT_VIEW,
  NDI_EDIT,
  NDI_VIEW,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW
} from './permissions.ts'

/**
 * Scopes of tokens, in the order of forms.
 * - `read`: views everything that its owner may view
 * - `channels`: controls and edits channels, inputs and outputs
 * - `devices`: controls, accepts and configures devices, and updates their firmware
 * - `settings`: edits the settings of the hub
 * - `metrics`: reads `GET /metrics`, and nothing else
 */
export const TOKEN_SCOPES = ['read', 'channels', 'devices', 'settings', 'metrics'] as const

export type TokenScope = (typeof TOKEN_SCOPES)[number]

const SCOPE_PERMISSIONS: Readonly<Record<TokenScope, number>> = {
  read:
    FIRMWARE_VIEW | DEVICE_VIEW | DEVICE_GROUP_VIEW | INPUT_OUTPUT_VIEW | CHANNEL_VIEW | SYSTEM_CONFIG_VIEW | NDI_VIEW,
  channels: addRequiredPermissions(CHANNEL_EDIT | NDI_EDIT),
  devices: addRequiredPermissions(DEVICE_ADV_CONTROL | FIRMWARE_MANAGER),
  settings: addRequiredPermissions(SYSTEM_CONFIG_EDIT),
  metrics: 0
}

/** Mask of the permissions that scopes include. */
export function permissionsOfScopes(scopes: readonly TokenScope[]): number {
  return scopes.reduce((mask, scope) => (mask | SCOPE_PERMISSIONS[scope]) >>> 0, 0)
}

/** Whether calls with this access are permitted to a token with these scopes. The permissions of its owner limit it further. */
export function isScopePermitted(access: Access, scopes: readonly TokenScope[]): boolean {
  if (access === 'public') return true
  if (access === 'admin') return false
  const mask = permissionsOfScopes(scopes)
  return access === 'session' ? mask !== 0 : hasAnyBit(mask, access)
}

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
  scopes: TokenScope[]
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
  /** At least one; default: `read`. */
  scopes?: TokenScope[]
  /** An existing token, for example to restore it after a reset of the hub: 64 letters and digits. Default: the hub generates one. */
  token?: string
}

export const listTokens = declareCall<PageRequest, ListResponse<AccessToken>>('GET', '/token/list', 'admin')

/** The only response that contains the token: the hub stores a hash. 16 unknown owner; 17 if there are 100 tokens; 41 if the token exists. */
export const addToken = declareCall<AddTokenRequest, { id: number; token: string }>('POST', '/token/add', 'admin', {
  reauthenticate: true
})

/** Revokes tokens. Takes effect at once. */
export const deleteTokens = declareCall<{ id: number | number[] }>('POST', '/token/del', 'admin', {
  reauthenticate: true
})
