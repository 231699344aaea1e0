// Users and user groups of an organisation, and their answers.
import type { Selectable } from 'kysely'
import { GROUP_ADMIN, GUEST_PERMISSIONS } from '../../contract/access/permissions.ts'
import type { CloudUser } from '../../contract/cloud/calls.ts'
import type { Scope } from '../store/scope.ts'
import type { Tables } from '../store/tables.ts'

export type GroupRow = Selectable<Tables['user_groups']>

/** A user with the permissions and the demand of the group. */
export type UserRow = Selectable<Tables['users']> &
  Pick<GroupRow, 'permission' | 'type' | 'require_second_factor'> & { group_name: string }

/** By id. */
export const readGroups = (scope: Scope): Promise<GroupRow[]> =>
  scope.select('user_groups').selectAll().orderBy('id').execute()

function withGroup(user: Selectable<Tables['users']>, groups: readonly GroupRow[]): UserRow {
  const group = groups.find(({ id }) => id === user.group_id)
  // A foreign key keeps the group of a user.
  if (!group) throw new Error('The group of a user is missing')
  const { permission, type, require_second_factor, name: group_name } = group
  return { ...user, permission, type, require_second_factor, group_name }
}

/** By id. */
export async function readUsers(scope: Scope): Promise<UserRow[]> {
  const groups = await readGroups(scope)
  const users = await scope.select('users').selectAll().orderBy('id').execute()
  return users.map((user) => withGroup(user, groups))
}

/** The user with a name or an id; undefined if there is none. */
export async function readUser(
  scope: Scope,
  column: 'id' | 'name',
  value: number | string
): Promise<UserRow | undefined> {
  const user = await scope.select('users').selectAll().where(column, '=', value).executeTakeFirst()
  if (!user) return undefined
  return withGroup(user, await scope.select('user_groups').selectAll().where('id', '=', user.group_id).execute())
}

/** Whether a user sees only what names the user: a guest outside of the Admin group. */
export const isGuest = ({ guest, type }: Pick<UserRow, 'guest' | 'type'>): boolean =>
  guest === 1 && type !== GROUP_ADMIN

export function toCloudUser({ name, nick, id, type, organisation, ...row }: UserRow): CloudUser {
  const permission = isGuest({ ...row, type }) ? (row.permission & GUEST_PERMISSIONS) >>> 0 : row.permission
  return { name, ...(nick && { nick }), id, 'group-name': row.group_name, permission, type, organisation }
}
