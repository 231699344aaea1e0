// Users of an organisation (contract/access/user.ts). The handlers for user groups are in `user-groups.ts`.
import { findByFoldedName } from '../../accounts/folded-names.ts'
import { validateNewPassword } from '../../accounts/new-password.ts'
import { FIRST_PASSWORD_MD5, hashPassword } from '../../accounts/passwords.ts'
import { isExpired } from '../../accounts/session-times.ts'
import { serializeGroup, serializeUser } from '../../accounts/user-answers.ts'
import {
  allocateUserId,
  requireExtendable,
  requireManageable,
  requireMovable,
  requireRemovable
} from '../../accounts/user-management.ts'
import { GROUP_VIEWER, isPermitted, USER_CONTROL } from '../../contract/access/permissions.ts'
import { NEVER_EXPIRES } from '../../contract/access/token.ts'
import {
  ADMIN_USER_ID,
  type AddUserRequest,
  addUser,
  deleteUsers,
  listUsers,
  moveUsers,
  setUser
} from '../../contract/access/user.ts'
import {
  ALREADY_EXISTS,
  GROUP_MISSING,
  INVALID_ARG,
  NOT_EXIST,
  NOT_PERMITTED,
  STATE_CHANGED
} from '../../contract/codes.ts'
import { CallError } from '../../web-server/call-error.ts'
import { requireUnchanged } from '../../web-server/optimistic-lock.ts'
import { readGroups, readUser, readUsers, type UserRow } from '../auth/accounts.ts'
import { removeFromMasks } from '../auth/hub-access.ts'
import { endOtherSessions } from '../auth/sessions.ts'
import { type Context, type Handler, handle, handlePrepared, requireCaller } from '../http/handler.ts'
import { forgetStarter } from '../rollouts/rollout-rows.ts'
import type { Scope } from '../store/scope.ts'
import { readPasswordRules } from './sign-in.ts'

interface UserParts {
  now: () => number
}

const handleList = handle(listUsers, async (context, scope, { type, id, more }) => {
  const withSignIn = isPermitted(USER_CONTROL, requireCaller(context).user)
  const all = await readUsers(scope)
  const groups = (await readGroups(scope)).filter((group) => type !== 'group' || id === undefined || group.id === id)
  if (groups.length === 0) throw new CallError(NOT_EXIST)
  return {
    ...(type !== 'group' && {
      users: all.map((row) => serializeUser(row, withSignIn ? row.default_password === 1 : undefined))
    }),
    ...(type !== 'usr' && { groups: groups.map((group) => serializeGroup(group, all, more === 1)) })
  }
})

async function allocateId(context: Context, scope: Scope, name: string, groupId: number): Promise<number> {
  const [users, groups] = [await readUsers(scope), await readGroups(scope)]
  return allocateUserId(requireCaller(context), { users, groups }, name, groupId)
}

/**
 * Checks the end of the account of a user, undefined for a new one.
 * @throws CallError 7 if it is in the past, 31 if the caller may not set it
 */
async function requireExpires(
  { now }: UserParts,
  context: Context,
  scope: Scope,
  user: UserRow | undefined,
  end: number
): Promise<void> {
  const caller = requireCaller(context)
  const own = await readUser(scope, 'id', caller.user.id)
  if (own) requireExtendable(caller, own, user, end)
  if (isExpired({ expires: end }, now())) throw new CallError(INVALID_ARG, { field: 'expires', fault: 'invalid' })
}

/** Everything that refuses a new user. @returns the id */
async function requireNewUser(parts: UserParts, context: Context, scope: Scope, request: AddUserRequest) {
  const { name, 'group-id': groupId = GROUP_VIEWER, expires = NEVER_EXPIRES, channels = [] } = request
  const id = await allocateId(context, scope, name, groupId)
  await requireExpires(parts, context, scope, undefined, expires)
  // Channels are objects of hubs.
  if (channels.length > 0) throw new CallError(NOT_EXIST, { field: 'channels' })
  validateNewPassword(await readPasswordRules(scope), name, request)
  if (request.passwd === FIRST_PASSWORD_MD5) throw new CallError(INVALID_ARG, { field: 'passwd', fault: 'invalid' })
  return id
}

const handleAdd = (parts: UserParts & { within: Within }) =>
  handlePrepared(
    addUser,
    async (context, request) => {
      context.detail = request.name
      await parts.within(context, (scope) => requireNewUser(parts, context, scope, request))
      return hashPassword(request.passwd)
    },
    async (context, scope, request, password_hash) => {
      const { name, nick = '', 'group-id': groupId = GROUP_VIEWER, expires = NEVER_EXPIRES, guest } = request
      await scope.lock()
      // Checked again, because another user may have been added while the password was hashed.
      const id = await requireNewUser(parts, context, scope, request)
      const row = { id, name, nick, group_id: groupId, expires, guest: guest ? 1 : 0, default_password: 0 }
      await scope.insert('users', { ...row, password_hash }).execute()
      return { id }
    }
  )

const handleSet = (parts: UserParts) =>
  handle(setUser, async (context, scope, { id, name, nick, expires, was }) => {
    await scope.lock()
    const row = await readUser(scope, 'id', id)
    if (!row) throw new CallError(NOT_EXIST)
    requireManageable(requireCaller(context), row)
    const newName = name ?? row.name
    context.detail = newName === row.name ? newName : `${row.name} → ${newName}`
    if (id === ADMIN_USER_ID && newName !== row.name) throw new CallError(NOT_PERMITTED)
    requireUnchanged(was, { name: row.name, nick: row.nick, expires: row.expires })
    const other = findByFoldedName(await readUsers(scope), newName)
    if (newName !== row.name && other && other.id !== id)
      throw new CallError(ALREADY_EXISTS, { field: 'name', exists: 'user' })
    if (expires !== undefined && expires !== row.expires) {
      await requireExpires(parts, context, scope, row, expires)
      // Sessions that had ended do not go on with a later end.
      if (isExpired(row, parts.now())) await endOtherSessions(scope, id)
    }
    const change = { name: newName, nick: nick ?? row.nick, expires: expires ?? row.expires }
    await scope.update('users').set(change).where('id', '=', id).execute()
    return {}
  })

/** The users that a call deletes or moves. @throws CallError if the caller may not */
async function requireMovableUsers(context: Context, scope: Scope, id: number | number[]): Promise<UserRow[]> {
  await scope.lock()
  const ids = [...new Set([id].flat())]
  const rows = (await readUsers(scope)).filter((row) => ids.includes(row.id))
  context.detail = rows.map(({ name }) => name).join(', ')
  requireRemovable(requireCaller(context), ids, rows)
  return rows
}

const handleDelete = handle(deleteUsers, async (context, scope, { id, names }) => {
  const rows = await requireMovableUsers(context, scope, id)
  if (names && !rows.every(({ name }) => names.includes(name))) throw new CallError(STATE_CHANGED)
  for (const row of rows) {
    await removeFromMasks(scope, 'usr-mask', row.id)
    await forgetStarter(scope, row.id)
    await scope.delete('users').where('id', '=', row.id).execute()
  }
  return {}
})

const handleMove = handle(moveUsers, async (context, scope, { id, 'group-id': groupId }) => {
  const rows = await requireMovableUsers(context, scope, id)
  const group = (await readGroups(scope)).find((row) => row.id === groupId)
  if (!group) throw new CallError(GROUP_MISSING, { field: 'group-id' })
  context.detail += ` → ${group.name}`
  for (const row of rows) requireMovable(requireCaller(context), row, group)
  for (const row of rows) await scope.update('users').set({ group_id: groupId }).where('id', '=', row.id).execute()
  return {}
})

/** A transaction with the rows of the organisation of a call. */
export type Within = <Result>(context: Context, run: (scope: Scope) => Promise<Result>) => Promise<Result>

export const userHandlers = (parts: UserParts & { within: Within }): Handler[] => [
  handleList,
  handleAdd(parts),
  handleSet(parts),
  handleDelete,
  handleMove
]
