// Handlers for user groups (contract/access/user.ts). Of the three built-in groups only the members can be changed.

import {
  ADMIN_ONLY_PERMISSIONS,
  addRequiredPermissions,
  GROUP_CUSTOM,
  GROUP_VIEWER,
  PERMISSION_BITS
} from '../../../contract/access/permissions.ts'
import { ADMIN_USER_ID, addGroup, deleteGroup, setGroup } from '../../../contract/access/user.ts'
import { ALREADY_EXISTS, INVALID_ARG, NOT_EXIST, NOT_PERMITTED, TOO_MANY } from '../../../contract/codes.ts'
import { GROUPS_MAX } from '../../../contract/limits.ts'
import { LOG_NONE } from '../../../contract/log.ts'
import { atLeastOnePermission } from '../../../contract/rules/account.ts'
import type { HubContext } from '../../context.ts'
import { CallError, type Context, type Handler, handleChange } from '../../http/handler.ts'
import type { GroupRow } from '../../store/users.ts'
import { removeGroupFromMasks } from '../../store/visibility.ts'
import { requireUnchanged } from '../optimistic-lock.ts'
import { allocateBit } from './allocate-bit.ts'

/** Permissions that a custom group can have. */
const GRANTABLE = (PERMISSION_BITS.reduce((all, bit) => all | bit, 0) & ~ADMIN_ONLY_PERMISSIONS) >>> 0

/**
 * The permissions of a group: the requested ones and those that they require.
 * @throws CallError 7 if there are none, or if one is unknown or reserved for the Admin group
 */
function validatePermissions(mask: number): number {
  const invalid = (fault: string) => new CallError(INVALID_ARG, { field: 'permissions', fault })
  if (atLeastOnePermission(mask)) throw invalid('required')
  if ((mask & ~GRANTABLE) !== 0) throw invalid('invalid')
  return addRequiredPermissions(mask)
}

export function userGroupHandlers(hub: HubContext): Handler[] {
  const { store } = hub
  const { users } = store

  /** @throws CallError 16 if there is no group with this id */
  function requireGroup(context: Context, id: number): GroupRow {
    context.objects = [`group:${id}`]
    const row = users.group(id)
    if (!row) throw new CallError(NOT_EXIST)
    context.detail = row.name
    return row
  }

  /** @throws CallError if another group than `id` has this name */
  function requireFreeName(name: string, id?: number): void {
    const other = users.groupByNameIgnoringCase(name)
    if (other && other.id !== id) throw new CallError(ALREADY_EXISTS, { field: 'name', exists: 'group' })
  }

  /**
   * Sets the members of a group. Former members move to the viewer group; the first administrator stays in the Admin
   * group.
   */
  function setMembers(context: Context, id: number, names: readonly string[]): void {
    const members = names.map((name) => {
      const row = users.byName(name)
      if (!row) throw new CallError(NOT_EXIST, { field: 'users' })
      if (row.id === ADMIN_USER_ID && row.group_id !== id) throw new CallError(NOT_PERMITTED, { field: 'users' })
      return row
    })
    const staying = new Set([ADMIN_USER_ID, ...members.map((row) => row.id)])
    for (const row of users.all())
      if (row.group_id === id && !staying.has(row.id)) users.moveToGroup(row.id, GROUP_VIEWER)
    for (const row of members) users.moveToGroup(row.id, id)
    context.detail += members.length > 0 ? `: ${members.map(({ name }) => name).join(', ')}` : ` ${LOG_NONE}`
  }

  return [
    handleChange(
      addGroup,
      (context, { name, permissions, users: names, desc = '', 'require-second-factor': demand }) => {
        context.detail = name
        const id = allocateBit(users.groups(), GROUPS_MAX)
        if (id === undefined) throw new CallError(TOO_MANY, { max: GROUPS_MAX, of: 'group' })
        requireFreeName(name)
        users.addGroup(id, name, validatePermissions(permissions), GROUP_CUSTOM, desc)
        if (demand) users.updateGroup({ ...requireGroup(context, id), require_second_factor: 1 })
        context.objects = [`group:${id}`]
        if (names?.length) setMembers(context, id, names)
        context.afterCommit(() => hub.permissionsChanged())
        return { id }
      }
    ),
    handleChange(setGroup, (context, { id, name, permissions, users: names, desc, was, ...request }) => {
      const row = requireGroup(context, id)
      if (row.type !== GROUP_CUSTOM && (name ?? permissions ?? desc) !== undefined) throw new CallError(NOT_PERMITTED)
      const isDemanded = row.require_second_factor === 1
      // Demanding it of the own group locks nobody out (`ENROLLMENT` in `gate.ts`).
      const demand = request['require-second-factor'] ?? isDemanded
      requireUnchanged(was, {
        name: row.name,
        permissions: row.permission,
        desc: row.description,
        'require-second-factor': isDemanded
      })
      if (name !== undefined) {
        if (name !== row.name) context.detail += ` → ${name}`
        requireFreeName(name, id)
      }
      users.updateGroup({
        id,
        name: name ?? row.name,
        description: desc ?? row.description,
        permission: permissions === undefined ? row.permission : validatePermissions(permissions),
        require_second_factor: demand ? 1 : 0
      })
      if (names) setMembers(context, id, names)
      context.afterCommit(() => hub.permissionsChanged())
      return {}
    }),
    handleChange(deleteGroup, (context, { id, was }) => {
      const row = requireGroup(context, id)
      if (row.type !== GROUP_CUSTOM) throw new CallError(NOT_PERMITTED)
      requireUnchanged(was, { name: row.name })
      setMembers(context, id, [])
      context.detail = row.name
      removeGroupFromMasks(store, id)
      users.removeGroup(id)
      context.afterCommit(() => hub.permissionsChanged())
      return {}
    })
  ]
}
