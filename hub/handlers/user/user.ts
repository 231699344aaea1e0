// Handlers for users (contract/access/user.ts). The handlers for user groups are in `user-group.ts`.

import { validateNewPassword } from '../../../accounts/new-password.ts'
import { hashPassword } from '../../../accounts/passwords.ts'
import { isExpired } from '../../../accounts/session-times.ts'
import { serializeGroup, serializeUser } from '../../../accounts/user-answers.ts'
import {
  allocateUserId,
  requireExtendable,
  requireManageable,
  requireMovable,
  requireRemovable
} from '../../../accounts/user-management.ts'
import { GROUP_VIEWER, isPermitted, USER_CONTROL } from '../../../contract/access/permissions.ts'
import { NEVER_EXPIRES } from '../../../contract/access/token.ts'
import {
  ADMIN_USER_ID,
  type AddUserRequest,
  addUser,
  deleteUsers,
  listUsers,
  moveUsers,
  setUser
} from '../../../contract/access/user.ts'
import {
  ALREADY_EXISTS,
  GROUP_MISSING,
  INVALID_ARG,
  NOT_EXIST,
  NOT_PERMITTED,
  STATE_CHANGED,
  SUCCESS
} from '../../../contract/codes.ts'
import { setChannelSecurity } from '../../../contract/stream/channel-security.ts'
import { requireUnchanged } from '../../../web-server/optimistic-lock.ts'
import type { Gate } from '../../auth/gate.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handleChange,
  handlePreparedChange,
  requireCaller
} from '../../http/handler.ts'
import type { ChannelRow } from '../../store/channels.ts'
import type { Store } from '../../store/store.ts'
import type { UserRow } from '../../store/users.ts'
import { removeUserFromMasks } from '../../store/visibility.ts'
import { newPasswordRules } from './password-rules.ts'

interface UserParts {
  store: Store
  gate: Gate
  now: () => number
  permissionsChanged: () => void
}

/** The users that a call deletes or moves. @throws CallError if the caller may not */
function requireMovableUsers({ store }: { store: Store }, context: Context, id: number | number[]): UserRow[] {
  const ids = [...new Set([id].flat())]
  context.objects = ids.map((userId) => `user:${userId}`)
  const rows = ids.flatMap((userId) => store.users.byId(userId) ?? [])
  context.detail = rows.map(({ name }) => name).join(', ')
  requireRemovable(requireCaller(context), ids, rows)
  return rows
}

const allocateId = ({ store: { users } }: { store: Store }, context: Context, name: string, groupId: number): number =>
  allocateUserId(requireCaller(context), { users: users.all(), groups: users.groups() }, name, groupId)

/** Marks the lists that name users as changed. */
function markListsChanged({ changes }: Store): void {
  for (const topic of ['user', 'catalog'] as const) changes.markChanged(topic)
}

/**
 * After the commit, marks the lists and the callers' own sessions as changed, because a session includes its user.
 */
function markUsersChanged({ store }: { store: Store }, context: Context): void {
  context.afterCommit(() => {
    markListsChanged(store)
    store.changes.markChanged('session')
  })
}

function handleListUsers({ store: { users } }: { store: Store }): Handler {
  return handle(listUsers, (context, { type, id, more }) => {
    const withSignIn = isPermitted(USER_CONTROL, requireCaller(context).user)
    const all = users.all()
    const groups = users.groups().filter((group) => type !== 'group' || id === undefined || group.id === id)
    if (groups.length === 0) throw new CallError(NOT_EXIST)
    return {
      ...(type !== 'group' && {
        users: all.map((row) => serializeUser(row, withSignIn ? row.is_default_password === 1 : undefined))
      }),
      ...(type !== 'usr' && { groups: groups.map((group) => serializeGroup(group, all, more === 1)) })
    }
  })
}

/**
 * The channels that a new guest sees. Setting the access of channels is for the Admin group.
 * @throws CallError 7 if the user is no guest, 31 if the caller may not set the access, 16 if there is no such channel
 */
function requireGuestChannels(
  { store, gate }: UserParts,
  context: Context,
  { guest, channels = [] }: AddUserRequest
): ChannelRow[] {
  if (channels.length === 0) return []
  if (!guest) throw new CallError(INVALID_ARG, { field: 'channels', fault: 'invalid' })
  if (gate.checkPermission(setChannelSecurity, requireCaller(context)) !== SUCCESS)
    throw new CallError(NOT_PERMITTED, { field: 'channels' })
  return [...new Set(channels)].map((id) => {
    const row = store.channels.byId(id)
    if (!row) throw new CallError(NOT_EXIST, { field: 'channels' })
    return row
  })
}

/** Adds a guest to the masks of a channel, which inherits as before. */
function openChannel({ store }: UserParts, context: Context, guest: number, { id }: ChannelRow): void {
  const { is_inherit: inherits, group_mask: groups, usr_mask: users } = store.channelVisibility.byId(id)
  const masks = { 'group-mask': groups, 'usr-mask': (users | guest) >>> 0 }
  store.channelVisibility.set(id, inherits !== 0, masks)
  context.afterCommit(() => store.changes.markChanged('channel', id))
}

/**
 * Checks the end of the account of a user, undefined for a new one.
 * @throws CallError 7 if it is in the past, 31 if the caller may not set it
 */
function requireExpires({ store, now }: UserParts, context: Context, user: UserRow | undefined, end: number): void {
  const caller = requireCaller(context)
  const own = store.users.byId(caller.user.id)
  if (own) requireExtendable(caller, own, user, end)
  if (isExpired({ expires: end }, now())) throw new CallError(INVALID_ARG, { field: 'expires', fault: 'invalid' })
}

function handleAddUser(parts: UserParts): Handler {
  const { store } = parts
  return handlePreparedChange(
    addUser,
    async (context, request) => {
      context.detail = request.name
      allocateId(parts, context, request.name, request['group-id'] ?? GROUP_VIEWER)
      requireExpires(parts, context, undefined, request.expires ?? NEVER_EXPIRES)
      requireGuestChannels(parts, context, request)
      validateNewPassword(newPasswordRules(store), request.name, request)
      return hashPassword(request.passwd)
    },
    (context, request, hash) => {
      const { name, nick, 'group-id': groupId = GROUP_VIEWER, expires = NEVER_EXPIRES } = request
      // Allocated again, because another user may have been added while the password was hashed.
      const id = allocateId(parts, context, name, groupId)
      requireExpires(parts, context, undefined, expires)
      const channels = requireGuestChannels(parts, context, request)
      store.users.add(id, name, groupId, hash, false, nick)
      store.users.setExpires(id, expires)
      if (request.guest) store.users.setGuest(id)
      for (const channel of channels) openChannel(parts, context, id, channel)
      if (channels.length > 0) context.detail = `${name}: ${channels.map((channel) => channel.name).join(', ')}`
      context.objects = [`user:${id}`]
      context.afterCommit(() => markListsChanged(store))
      return { id }
    }
  )
}

function handleSetUser(parts: UserParts): Handler {
  const { users } = parts.store
  return handleChange(setUser, (context, { id, name, nick, expires, was }) => {
    context.objects = [`user:${id}`]
    const row = users.byId(id)
    if (!row) throw new CallError(NOT_EXIST)
    requireManageable(requireCaller(context), row)
    const newName = name ?? row.name
    context.detail = newName === row.name ? newName : `${row.name} → ${newName}`
    if (id === ADMIN_USER_ID && newName !== row.name) throw new CallError(NOT_PERMITTED)
    requireUnchanged(was, row)
    const other = users.byNameIgnoringCase(newName)
    if (newName !== row.name && other && other.id !== id)
      throw new CallError(ALREADY_EXISTS, { field: 'name', exists: 'user' })
    users.rename(id, newName, nick ?? row.nick)
    if (expires !== undefined && expires !== row.expires) {
      requireExpires(parts, context, row, expires)
      // Sessions that had ended do not go on with a later end.
      if (isExpired(row, parts.now())) users.endAllSessions(id)
      users.setExpires(id, expires)
    }
    markUsersChanged(parts, context)
    return {}
  })
}

function handleDeleteUsers(parts: { store: Store; permissionsChanged: () => void }): Handler {
  const { store } = parts
  return handleChange(deleteUsers, (context, request) => {
    const rows = requireMovableUsers(parts, context, request.id)
    const { names } = request
    if (names && !rows.every(({ name }) => names.includes(name))) throw new CallError(STATE_CHANGED)
    for (const { id } of rows) {
      removeUserFromMasks(store, id)
      store.users.remove(id)
    }
    context.afterCommit(() => parts.permissionsChanged())
    return {}
  })
}

function handleMoveUsers(parts: { store: Store; permissionsChanged: () => void }): Handler {
  const { users } = parts.store
  return handleChange(moveUsers, (context, { id, 'group-id': groupId }) => {
    const rows = requireMovableUsers(parts, context, id)
    const group = users.group(groupId)
    if (!group) throw new CallError(GROUP_MISSING, { field: 'group-id' })
    context.detail += ` → ${group.name}`
    for (const row of rows) requireMovable(requireCaller(context), row, group)
    for (const row of rows) users.moveToGroup(row.id, groupId)
    context.afterCommit(() => parts.permissionsChanged())
    return {}
  })
}

export function userHandlers(parts: UserParts): Handler[] {
  return [
    handleListUsers(parts),
    handleAddUser(parts),
    handleSetUser(parts),
    handleDeleteUsers(parts),
    handleMoveUsers(parts)
  ]
}
