// Access tokens: a program calls the hub as a user with `Authorization: Bearer <token>` (docs/wire.md, "Access
// tokens"). A token has those current permissions of its owner that its scopes include, and is accepted wherever a
// session is: calls, relayed calls, change feed. With this header the hub ignores cookies and sets none. No token is
// permitted to make the calls of the Admin group, to sign out, to change passwords, or to list or end sessions (31): a
// leaked token must not create an account or a token that outlives it. After it is revoked, has expired, or its owner
// was deleted or has expired, the hub responds with 37 and closes its open connections.

import { type Access, declareCall } from '../call.ts'
import type { RequestTo } from '../calls.schema.ts'
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
import type { TokenScope } from './token.schema.ts'

export type { AccessToken, TokenScope } from './token.schema.ts'

/**
 * Scopes of tokens, in the order of forms.
 * - `read`: views everything that its owner may view
 * - `channels`: controls and edits channels, inputs and outputs
 * - `devices`: controls, accepts and configures devices, and updates their firmware
 * - `settings`: edits the settings of the hub
 * - `metrics`: reads `GET /metrics`, and nothing else
 */
export const TOKEN_SCOPES = ['read', 'channels', 'devices', 'settings', 'metrics'] as const

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

/**
 * Whether calls with this access are permitted to a token with these scopes. The permissions of its owner limit it
 * further.
 */
export function isScopePermitted(access: Access, scopes: readonly TokenScope[]): boolean {
  if (access === 'public') return true
  if (access === 'admin') return false
  const mask = permissionsOfScopes(scopes)
  return access === 'session' ? mask !== 0 : hasAnyBit(mask, access)
}

/** Value of `expired-time` for a token that does not expire. */
export const NEVER_EXPIRES = -1

export type AddTokenRequest = RequestTo<'POST /token/add'>

export const listTokens = declareCall('GET /token/list', 'admin')

export const addToken = declareCall('POST /token/add', 'admin', {
  reauthenticate: true
})

export const deleteTokens = declareCall('POST /token/del', 'admin', {
  reauthenticate: true
})
