// Handlers for user groups (contract/access/user.ts). Of the three built-in groups only the members can be changed.

import { allocateBit } from '../../../accounts/allocate-bit.ts'
import { requireManageableGroup, requireMovable, validatePermissions } from '../../../accounts/user-management.ts'
import { GROUP_CUSTOM, GROUP_VIEWER } from '../../../contract/access/permissions.ts'
import { ADMIN_USER_ID, addGroup, deleteGroup, setGroup } from '../../../contract/access/user.ts'
import { ALREADY_EXISTS, NOT_EXIST, NOT_PERMITTED, TOO_MANY } from '../../../contract/codes.ts'
import { GROUPS_MAX } from '../../../contract/limits.ts'
import { LOG_NONE } from '../../../contract/log.ts'
import { requireUnchanged } from '../../../web-server/optimistic-lock.ts'
import { CallError, type Context, type Handler, handleChange, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import type { GroupRow, UserRow } from '../../store/users.ts'
import { removeGroupFromMasks } from '../../store/visibility.ts'

/** @throws CallError 16 if there is no group with this id */
function requireGroup({ store }: { store: Store }, context: Context, id: number): GroupRow {
  context.objects = [`group:${id}`]
  const row = store.users.group(id)
  if (!row) throw new CallError(NOT_EXIST)
  context.detail = row.name
  return row
}

/** @throws CallError if another group than `id` has this name */
function requireFreeName({ store }: { store: Store }, name: string, id?: number): void {
  const other = store.users.groupByNameIgnoringCase(name)
  if (other && other.id !== id) throw new CallError(ALREADY_EXISTS, { field: 'name', exists: 'group' })
}

/**
 * Sets the members of a group. Former members move to the viewer group; the first administrator stays in the Admin
 * group.
 * @throws CallError 31 if the caller may not make one of these moves
 */
function setMembers(
  { store: { users } }: { store: Store },
  context: Context,
  id: number,
  names: readonly string[]
): void {
  function move(row: UserRow, groupId: number): void {
    const group = users.group(groupId)
    if (group) requireMovable(requireCaller(context), row, group, 'users')
    users.moveToGroup(row.id, groupId)
  }
  const members = names.map((name) => {
    const row = users.byName(name)
    if (!row) throw new CallError(NOT_EXIST, { field: 'users' })
    if (row.id === ADMIN_USER_ID && row.group_id !== id) throw new CallError(NOT_PERMITTED, { field: 'users' })
    return row
  })
  const staying = new Set([ADMIN_USER_ID, ...members.map((row) => row.id)])
  for (const row of users.all()) if (row.group_id === id && !staying.has(row.id)) move(row, GROUP_VIEWER)
  for (const row of members) if (row.group_id !== id) move(row, id)
  context.detail += members.length > 0 ? `: ${members.map(({ name }) => name).join(', ')}` : ` ${LOG_NONE}`
}

function handleAddGroup(parts: { store: Store; permissionsChanged: () => void }): Handler {
  const { users } = parts.store
  return handleChange(
    addGroup,
    (context, { name, permissions, users: names, desc = '', 'require-second-factor': demand }) => {
      context.detail = name
      const granted = validatePermissions(requireCaller(context), permissions)
      const id = allocateBit(users.groups(), GROUPS_MAX)
      if (id === undefined) throw new CallError(TOO_MANY, { max: GROUPS_MAX, of: 'group' })
      requireFreeName(parts, name)
      users.addGroup(id, name, granted, GROUP_CUSTOM, desc)
      if (demand) users.updateGroup({ ...requireGroup(parts, context, id), require_second_factor: 1 })
      context.objects = [`group:${id}`]
      if (names?.length) setMembers(parts, context, id, names)
      context.afterCommit(() => parts.permissionsChanged())
      return { id }
    }
  )
}

function handleSetGroup(parts: { store: Store; permissionsChanged: () => void }): Handler {
  return handleChange(setGroup, (context, { id, name, permissions, users: names, desc, was, ...request }) => {
    const row = requireGroup(parts, context, id)
    requireManageableGroup(requireCaller(context), row)
    if (row.type !== GROUP_CUSTOM && (name ?? permissions ?? desc) !== undefined) throw new CallError(NOT_PERMITTED)
    const isDemanded = row.require_second_factor === 1
    // Demanding it of the own group locks nobody out (`ENROLLMENT` in `restrictions.ts`).
    const demand = request['require-second-factor'] ?? isDemanded
    requireUnchanged(was, {
      name: row.name,
      permissions: row.permission,
      desc: row.description,
      'require-second-factor': isDemanded
    })
    if (name !== undefined) {
      if (name !== row.name) context.detail += ` → ${name}`
      requireFreeName(parts, name, id)
    }
    parts.store.users.updateGroup({
      id,
      name: name ?? row.name,
      description: desc ?? row.description,
      permission:
        permissions === undefined
          ? row.permission
          : validatePermissions(requireCaller(context), permissions, row.permission),
      require_second_factor: demand ? 1 : 0
    })
    if (names) setMembers(parts, context, id, names)
    context.afterCommit(() => parts.permissionsChanged())
    return {}
  })
}

function handleDeleteGroup(parts: { store: Store; permissionsChanged: () => void }): Handler {
  const { store } = parts
  return handleChange(deleteGroup, (context, { id, was }) => {
    const row = requireGroup(parts, context, id)
    requireManageableGroup(requireCaller(context), row)
    if (row.type !== GROUP_CUSTOM) throw new CallError(NOT_PERMITTED)
    requireUnchanged(was, { name: row.name })
    setMembers(parts, context, id, [])
    context.detail = row.name
    removeGroupFromMasks(store, id)
    store.users.removeGroup(id)
    context.afterCommit(() => parts.permissionsChanged())
    return {}
  })
}

export function userGroupHandlers(parts: { store: Store; permissionsChanged: () => void }): Handler[] {
  return [handleAddGroup(parts), handleSetGroup(parts), handleDeleteGroup(parts)]
}
