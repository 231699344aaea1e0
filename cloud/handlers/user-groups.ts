// User groups of an organisation (contract/access/user.ts). Of the three built-in groups only the members can be
// changed.
import { allocateBit } from '../../accounts/allocate-bit.ts'
import { findByFoldedName } from '../../accounts/folded-names.ts'
import { requireManageableGroup, requireMovable, validatePermissions } from '../../accounts/user-management.ts'
import { FIRMWARE_PERMISSIONS, GROUP_CUSTOM, GROUP_VIEWER } from '../../contract/access/permissions.ts'
import { ADMIN_USER_ID, addGroup, deleteGroup, setGroup } from '../../contract/access/user.ts'
import { ALREADY_EXISTS, NOT_EXIST, NOT_PERMITTED, TOO_MANY } from '../../contract/codes.ts'
import { GROUPS_MAX } from '../../contract/limits.ts'
import { LOG_NONE } from '../../contract/log.ts'
import { CallError } from '../../web-server/call-error.ts'
import { requireUnchanged } from '../../web-server/optimistic-lock.ts'
import { type GroupRow, readGroups, readUsers, type UserRow } from '../auth/accounts.ts'
import { removeFromMasks } from '../auth/hub-access.ts'
import { type Context, type Handler, handle, requireCaller } from '../http/handler.ts'
import type { Scope } from '../store/scope.ts'

/**
 * The permissions of a group: the requested ones and those that they require. The cloud has none about firmware.
 * @param current those that the group has, which the caller does not grant
 */
const requirePermissions = (context: Context, mask: number, current?: number): number =>
  validatePermissions(requireCaller(context), mask, current, FIRMWARE_PERMISSIONS)

/** @throws CallError 16 if there is no group with this id */
async function requireGroup(context: Context, scope: Scope, id: number): Promise<GroupRow> {
  await scope.lock()
  const row = (await readGroups(scope)).find((group) => group.id === id)
  if (!row) throw new CallError(NOT_EXIST)
  context.detail = row.name
  return row
}

/** @throws CallError if another group than `id` has this name */
async function requireFreeName(scope: Scope, name: string, id?: number): Promise<void> {
  const other = findByFoldedName(await readGroups(scope), name)
  if (other && other.id !== id) throw new CallError(ALREADY_EXISTS, { field: 'name', exists: 'group' })
}

/**
 * Sets the members of a group. Former members move to the viewer group; the first administrator stays in the Admin
 * group.
 * @throws CallError 31 if the caller may not make one of these moves
 */
async function setMembers(context: Context, scope: Scope, id: number, names: readonly string[]): Promise<void> {
  const users = await readUsers(scope)
  const groups = await readGroups(scope)
  async function move(row: UserRow, groupId: number): Promise<void> {
    const group = groups.find((each) => each.id === groupId)
    if (group) requireMovable(requireCaller(context), row, group, 'users')
    await scope.update('users').set({ group_id: groupId }).where('id', '=', row.id).execute()
  }
  const members = names.map((name) => {
    const row = users.find((user) => user.name === name)
    if (!row) throw new CallError(NOT_EXIST, { field: 'users' })
    if (row.id === ADMIN_USER_ID && row.group_id !== id) throw new CallError(NOT_PERMITTED, { field: 'users' })
    return row
  })
  const staying = new Set([ADMIN_USER_ID, ...members.map((row) => row.id)])
  for (const row of users) if (row.group_id === id && !staying.has(row.id)) await move(row, GROUP_VIEWER)
  for (const row of members) if (row.group_id !== id) await move(row, id)
  context.detail += members.length > 0 ? `: ${members.map(({ name }) => name).join(', ')}` : ` ${LOG_NONE}`
}

const handleAdd = handle(addGroup, async (context, scope, { name, permissions, users = [], desc = '', ...request }) => {
  context.detail = name
  const permission = requirePermissions(context, permissions)
  await scope.lock()
  const id = allocateBit(await readGroups(scope), GROUPS_MAX)
  if (id === undefined) throw new CallError(TOO_MANY, { max: GROUPS_MAX, of: 'group' })
  await requireFreeName(scope, name)
  const demand = request['require-second-factor'] ? 1 : 0
  const row = { id, name, permission, description: desc, require_second_factor: demand, type: GROUP_CUSTOM }
  await scope.insert('user_groups', row).execute()
  if (users.length > 0) await setMembers(context, scope, id, users)
  return { id }
})

const handleSet = handle(setGroup, async (context, scope, { id, name, permissions, users, desc, was, ...request }) => {
  const row = await requireGroup(context, scope, id)
  requireManageableGroup(requireCaller(context), row)
  if (row.type !== GROUP_CUSTOM && (name ?? permissions ?? desc) !== undefined) throw new CallError(NOT_PERMITTED)
  const isDemanded = row.require_second_factor === 1
  const demand = request['require-second-factor'] ?? isDemanded
  const current = { name: row.name, permissions: row.permission, desc: row.description }
  requireUnchanged(was, { ...current, 'require-second-factor': isDemanded })
  if (name !== undefined) {
    if (name !== row.name) context.detail += ` → ${name}`
    await requireFreeName(scope, name, id)
  }
  const permission =
    permissions === undefined ? row.permission : requirePermissions(context, permissions, row.permission)
  const change = { name: name ?? row.name, description: desc ?? row.description, permission }
  await scope
    .update('user_groups')
    .set({ ...change, require_second_factor: demand ? 1 : 0 })
    .where('id', '=', id)
    .execute()
  if (users) await setMembers(context, scope, id, users)
  return {}
})

const handleDelete = handle(deleteGroup, async (context, scope, { id, was }) => {
  const row = await requireGroup(context, scope, id)
  requireManageableGroup(requireCaller(context), row)
  if (row.type !== GROUP_CUSTOM) throw new CallError(NOT_PERMITTED)
  requireUnchanged(was, { name: row.name })
  await setMembers(context, scope, id, [])
  context.detail = row.name
  await removeFromMasks(scope, 'group-mask', id)
  await scope.delete('user_groups').where('id', '=', id).execute()
  return {}
})

export const userGroupHandlers = (): Handler[] => [handleAdd, handleSet, handleDelete]
