// Users: who there is, and in which group (contract/user.ts). What may be done to the groups is in `user-group.ts`.
import {
  ALREADY_EXISTS,
  GROUP_MISSING,
  NOT_EXIST,
  NOT_PERMITTED,
  STATE_CHANGED,
  TOO_MANY
} from '../../../contract/codes.ts'
import { USERS_MAX } from '../../../contract/limits.ts'
import { GROUP_VIEWER } from '../../../contract/permissions.ts'
import { NO_PASSWORD_RULES, type PasswordRules } from '../../../contract/rules/password.ts'
import {
  addUser,
  deleteUsers,
  FIRST_USER,
  listUsers,
  moveUsers,
  setPasswordRules,
  setUser,
  type User,
  type UserGroup
} from '../../../contract/user.ts'
import { hashPassword } from '../../auth/passwords.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer, type Context, change, changeAfter, Refusal } from '../../http/handler.ts'
import type { GroupRow, UserRow } from '../../store/users.ts'
import { forgetUser } from '../../store/visibility.ts'
import { refuseStale } from '../optimistic-lock.ts'
import { freeBit } from './allocate-bit.ts'
import { refuseUnfit } from './new-password.ts'

const wireUser = (row: UserRow): User => ({
  id: row.id,
  name: row.name,
  'group-id': row.group_id,
  'group-name': row.group_name,
  permission: row.permission,
  nick: row.nick,
  ...(row.last_login > 0 && { 'last-login': row.last_login }),
  ...(row.is_default_password === 1 && { 'default-password': true })
})

function wireGroup({ id, name, description, permission, type }: GroupRow, all: UserRow[], more: boolean): UserGroup {
  const members = all.filter((user) => user.group_id === id)
  return {
    id,
    name,
    desc: description,
    permission,
    type,
    users: more ? members.map((user) => ({ name: user.name, id: user.id })) : members.map((user) => user.name)
  }
}

export function userAnswers(hub: Hub): Answer[] {
  const { store } = hub
  const { users } = store

  /** The users of these ids; refused when one is not there, or is the one that nothing can be taken from. */
  function movable(context: Context, id: number | number[]): UserRow[] {
    const ids = [...new Set([id].flat())]
    context.objects = ids.map((one) => `user:${one}`)
    const rows = ids.flatMap((one) => users.byId(one) ?? [])
    context.detail = rows.map(({ name }) => name).join(', ')
    if (rows.length < ids.length) throw new Refusal(NOT_EXIST)
    if (ids.includes(FIRST_USER)) throw new Refusal(NOT_PERMITTED)
    return rows
  }

  /** The bit for a new user; refused when there is none, or the name or the group will not do. */
  function placeFor(name: string, groupId: number): number {
    const id = freeBit(users.all(), USERS_MAX)
    if (id === undefined) throw new Refusal(TOO_MANY, { max: USERS_MAX, of: 'user' })
    if (users.called(name)) throw new Refusal(ALREADY_EXISTS, { field: 'name', exists: 'user' })
    if (!users.group(groupId)) throw new Refusal(GROUP_MISSING, { field: 'group-id' })
    return id
  }

  return [
    answer(listUsers, (_context, { type, id, more }) => {
      const all = users.all()
      const groups = users.groups().filter((group) => type !== 'group' || id === undefined || group.id === id)
      if (groups.length === 0) throw new Refusal(NOT_EXIST)
      return {
        ...(type !== 'group' && { users: all.map(wireUser) }),
        ...(type !== 'usr' && { groups: groups.map((group) => wireGroup(group, all, more === 1)) })
      }
    }),
    changeAfter(
      addUser,
      async (context, request) => {
        context.detail = request.name
        placeFor(request.name, request['group-id'] ?? GROUP_VIEWER)
        refuseUnfit(store, request.name, request)
        return hashPassword(request.passwd)
      },
      (context, { name, nick, 'group-id': groupId = GROUP_VIEWER }, hash) => {
        // Looked for again: somebody may have been quicker.
        const id = placeFor(name, groupId)
        users.add(id, name, groupId, hash, false, nick)
        context.objects = [`user:${id}`]
        context.after(() => store.changes.bump('user'))
        return { id }
      }
    ),
    change(setUser, (context, { id, name, nick, was }) => {
      context.objects = [`user:${id}`]
      const row = users.byId(id)
      if (!row) throw new Refusal(NOT_EXIST)
      const next = name ?? row.name
      context.detail = next === row.name ? next : `${row.name} → ${next}`
      if (id === FIRST_USER && next !== row.name) throw new Refusal(NOT_PERMITTED)
      refuseStale(was, row)
      const other = users.called(next)
      if (next !== row.name && other && other.id !== id)
        throw new Refusal(ALREADY_EXISTS, { field: 'name', exists: 'user' })
      users.rename(id, next, nick ?? row.nick)
      context.after(() => {
        for (const topic of ['user', 'session'] as const) store.changes.bump(topic)
      })
      return {}
    }),
    change(deleteUsers, (context, request) => {
      const rows = movable(context, request.id)
      const meant = request.names
      if (meant && !rows.every(({ name }) => meant.includes(name))) throw new Refusal(STATE_CHANGED)
      for (const { id } of rows) {
        forgetUser(store, id)
        users.remove(id)
      }
      context.after(hub.rightsChanged)
      return {}
    }),
    change(moveUsers, (context, { id, 'group-id': groupId }) => {
      const rows = movable(context, id)
      const group = users.group(groupId)
      if (!group) throw new Refusal(GROUP_MISSING, { field: 'group-id' })
      context.detail += ` → ${group.name}`
      for (const row of rows) users.move(row.id, groupId)
      context.after(hub.rightsChanged)
      return {}
    }),
    change(setPasswordRules, (context, rules) => {
      const names = Object.keys(NO_PASSWORD_RULES) as (keyof PasswordRules)[]
      context.detail = names
        .filter((name) => rules[name] !== false)
        .map((name) => (rules[name] === true ? name : `${name} ${rules[name]}`))
        .join(', ')
      store.settings.set('password-rules', rules)
      context.after(() => {
        for (const topic of ['user', 'session'] as const) store.changes.bump(topic)
      })
      return {}
    })
  ]
}
