// User groups: what their members may do (contract/user.ts). The three that every hub has stay as they are, but for their members.

import { ALREADY_EXISTS, INVALID_ARG, NOT_EXIST, NOT_PERMITTED, TOO_MANY } from '../../../contract/codes.ts'
import { GROUPS_MAX } from '../../../contract/limits.ts'
import { LOG_NONE } from '../../../contract/log.ts'
import { ADMIN_ONLY, GROUP_CUSTOM, GROUP_VIEWER, PERMISSION_BITS, withNeeded } from '../../../contract/permissions.ts'
import { somePermission } from '../../../contract/rules/account.ts'
import { addGroup, deleteGroup, FIRST_USER, setGroup } from '../../../contract/user.ts'
import type { Hub } from '../../context.ts'
import { type Answer, type Context, change, Refusal } from '../../http/handler.ts'
import type { GroupRow } from '../../store/users.ts'
import { forgetGroup } from '../../store/visibility.ts'
import { refuseStale } from '../optimistic-lock.ts'
import { freeBit } from './allocate-bit.ts'

const GRANTABLE = (PERMISSION_BITS.reduce((all, bit) => all | bit, 0) & ~ADMIN_ONLY) >>> 0

/** What a group is to hold when these rights are asked for. */
function permissionsOf(mask: number): number {
  const refusal = (fault: string) => new Refusal(INVALID_ARG, { field: 'permissions', fault })
  if (somePermission(mask)) throw refusal('required')
  // One that is not known, or one of the Admin group alone.
  if ((mask & ~GRANTABLE) !== 0) throw refusal('invalid')
  return withNeeded(mask)
}

export function userGroupAnswers(hub: Hub): Answer[] {
  const { store } = hub
  const { users } = store

  function found(context: Context, id: number): GroupRow {
    context.objects = [`group:${id}`]
    const row = users.group(id)
    if (!row) throw new Refusal(NOT_EXIST)
    context.detail = row.name
    return row
  }

  function refuseTaken(name: string, own?: number): void {
    const other = users.groupCalled(name)
    if (other && other.id !== own) throw new Refusal(ALREADY_EXISTS, { field: 'name', exists: 'group' })
  }

  /** Makes these the members of a group. */
  function setMembers(context: Context, id: number, names: readonly string[]): void {
    const members = names.map((name) => {
      const row = users.byName(name)
      if (!row) throw new Refusal(NOT_EXIST, { field: 'users' })
      if (row.id === FIRST_USER && row.group_id !== id) throw new Refusal(NOT_PERMITTED, { field: 'users' })
      return row
    })
    const stay = new Set([FIRST_USER, ...members.map((row) => row.id)])
    for (const row of users.all()) if (row.group_id === id && !stay.has(row.id)) users.move(row.id, GROUP_VIEWER)
    for (const row of members) users.move(row.id, id)
    context.detail += members.length > 0 ? `: ${members.map(({ name }) => name).join(', ')}` : ` ${LOG_NONE}`
  }

  return [
    change(addGroup, (context, { name, permissions, users: names, desc = '' }) => {
      context.detail = name
      const id = freeBit(users.groups(), GROUPS_MAX)
      if (id === undefined) throw new Refusal(TOO_MANY, { max: GROUPS_MAX, of: 'group' })
      refuseTaken(name)
      users.addGroup(id, name, permissionsOf(permissions), GROUP_CUSTOM, desc)
      context.objects = [`group:${id}`]
      if (names?.length) setMembers(context, id, names)
      context.after(hub.rightsChanged)
      return { id }
    }),
    change(setGroup, (context, { id, name, permissions, users: names, desc, was }) => {
      const row = found(context, id)
      if (row.type !== GROUP_CUSTOM && (name ?? permissions ?? desc) !== undefined) throw new Refusal(NOT_PERMITTED)
      refuseStale(was, { name: row.name, permissions: row.permission, desc: row.description })
      if (name !== undefined) {
        if (name !== row.name) context.detail += ` → ${name}`
        refuseTaken(name, id)
      }
      users.setGroup({
        id,
        name: name ?? row.name,
        description: desc ?? row.description,
        permission: permissions === undefined ? row.permission : permissionsOf(permissions)
      })
      if (names) setMembers(context, id, names)
      context.after(hub.rightsChanged)
      return {}
    }),
    change(deleteGroup, (context, { id, was }) => {
      const row = found(context, id)
      if (row.type !== GROUP_CUSTOM) throw new Refusal(NOT_PERMITTED)
      refuseStale(was, { name: row.name })
      setMembers(context, id, [])
      context.detail = row.name
      forgetGroup(store, id)
      users.removeGroup(id)
      context.after(hub.rightsChanged)
      return {}
    })
  ]
}
