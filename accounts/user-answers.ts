// Users and user groups as calls answer them (contract/access/user.ts).
import { NEVER_EXPIRES } from '../contract/access/token.ts'
import type { User, UserGroup } from '../contract/access/user.ts'

/** A stored user with the fields of the group. */
interface StoredUser {
  id: number
  name: string
  nick: string
  group_id: number
  group_name: string
  permission: number
  guest: number
  /** Milliseconds since the epoch, as all times; 0: never. */
  expires: number
  last_login: number
  second_factor_since: number
}

interface StoredGroup {
  id: number
  name: string
  description: string
  permission: number
  type: number
  require_second_factor: number
}

/** @param hasDefaultPassword undefined leaves out the fields about the sign-in of the user */
export const serializeUser = (row: StoredUser, hasDefaultPassword: boolean | undefined): User => ({
  id: row.id,
  name: row.name,
  'group-id': row.group_id,
  'group-name': row.group_name,
  permission: row.permission,
  nick: row.nick,
  ...(row.guest === 1 && { guest: true }),
  ...(hasDefaultPassword !== undefined && {
    ...(row.expires !== NEVER_EXPIRES && { expires: row.expires }),
    ...(row.last_login > 0 && { 'last-login': row.last_login }),
    ...(hasDefaultPassword && { 'default-password': true }),
    ...(row.second_factor_since > 0 && { 'second-factor': true })
  })
})

/** @param withIds lists the members with their ids, not only their names */
export function serializeGroup(group: StoredGroup, users: readonly StoredUser[], withIds: boolean): UserGroup {
  const { id, name, description, permission, type } = group
  const members = users.filter((user) => user.group_id === id)
  return {
    ...{ id, name, desc: description, permission, type },
    ...(group.require_second_factor === 1 && { 'require-second-factor': true }),
    users: withIds ? members.map((user) => ({ name: user.name, id: user.id })) : members.map((user) => user.name)
  }
}
