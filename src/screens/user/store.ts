// Users and user groups, and what can be done to them.
import { atom } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import type { PasswordRules } from '../../../contract/rules/password.ts'
import { whoAmI } from '../../../contract/session.ts'
import {
  addGroup,
  addUser,
  deleteGroup,
  deleteUsers,
  type GroupValues,
  moveUsers,
  setGroup,
  setPasswordRules,
  setUser,
  type User,
  type UserGroup
} from '../../../contract/user.ts'
import { liveValue } from '../../state/live-value.ts'
import { sealed, verify } from '../../state/session.ts'
import { change, well } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { TEXT } from './text.ts'

/** The user that every hub has, and that nothing can be taken from (reference 3.12). */
export const ADMIN = 1

/** Whether a form says a refusal itself: its `takes`. */
type Quiet = (answer: Envelope) => boolean

export const nameOf = (user: User) => user.name

const idsOf = (users: readonly User[]) => users.map(({ id }) => id)

/** Why something cannot be done to the user Admin. */
export const keepsAdmin = (users: readonly User[]) =>
  users.some(({ id }) => id === ADMIN) ? t(TEXT.adminStays) : undefined

/** Adds a user. Its password goes as the hub's rules want it. */
export async function createUser(
  { group, password, ...names }: { name: string; nick: string; password: string; group: number },
  quiet: Quiet
): Promise<Envelope> {
  const reply = await change(addUser, { ...names, 'group-id': group, ...sealed(password) }, { quiet })
  // The hub has rules that this console has not heard of yet.
  if (reply.field === 'password') await verify()
  return reply
}

/** What is another by now, and what it was: so that a change undoes nothing that somebody else changed meanwhile. */
function changesOf<Values extends object>(was: Values, values: Values): Partial<Values> & { was: Partial<Values> } {
  const names = (Object.keys(values) as (keyof Values)[]).filter((name) => values[name] !== was[name])
  const of = (all: Values) => Object.fromEntries(names.map((name) => [name, all[name]])) as Partial<Values>
  return { ...of(values), was: of(was) }
}

interface Names {
  name: string
  nick: string
}

export const changeUser = (id: number, was: Names, values: Names, quiet: Quiet): Promise<Envelope> =>
  change(setUser, { id, ...changesOf(was, values) }, { quiet })

/** @returns whether it went well, as the following ones */
export const moveTo = (users: readonly User[], group: number) =>
  well(change(moveUsers, { id: idsOf(users), 'group-id': group }))

/** By their names, too: while one was asked whether they are to go, their ids may have become others'. */
export const removeUsers = (users: readonly User[]) =>
  well(change(deleteUsers, { id: idsOf(users), names: users.map(nameOf) }))

/**
 * Changes a group, or adds one.
 * @param was what stood there when it was begun
 */
export const saveGroup = (
  id: number | undefined,
  was: GroupValues,
  values: GroupValues,
  quiet: Quiet
): Promise<Envelope & { id?: number }> =>
  id ? change(setGroup, { id, ...changesOf(was, values) }, { quiet }) : change(addGroup, values, { quiet })

export const removeGroup = ({ id, name }: UserGroup) => well(change(deleteGroup, { id, was: { name } }))

/** What new passwords must be like, as a part of what the hub says of the session. */
export const $rules = liveValue({ call: whoAmI, request: atom({}), pace: 'slowest', topic: 'session' })

/** Sets it, and asks what the hub then says of it. */
export async function changeRules(rules: PasswordRules): Promise<Envelope> {
  const reply = await change(setPasswordRules, rules)
  await verify()
  return reply
}
