// Mutations of users and user groups.
import {
  type AddUserRequest,
  addGroup,
  addUser,
  deleteGroup,
  deleteUsers,
  moveUsers,
  setGroup,
  setUser,
  type User,
  type UserGroup,
  type UserGroupFields
} from '../../../contract/access/user.ts'
import type { Envelope } from '../../../contract/call.ts'
import { getSettings } from '../../../contract/settings.ts'
import { linkTo } from '../../paths.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type FailureOptions, sendMutation, succeeded } from '../../state/mutations.ts'
import { passwordFields, verifySession } from '../../state/session.ts'
import type { SuccessMessage } from '../../state/toasts.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

/** ID of the built-in user Admin, which cannot be moved, renamed or deleted. */
export const ADMIN_ID = 1

export const nameOf = (user: User) => user.name

const idsOf = (users: readonly User[]) => users.map(({ id }) => id)

/** Why an action is disabled for a selection that contains the user Admin. */
export const adminProtectedReason = (users: readonly User[]) =>
  users.some(({ id }) => id === ADMIN_ID) ? t(TEXT.adminStays) : undefined

/** The message after a change of users, which leads to their list. */
const userSuccess = (text: Translation, names: string[]): SuccessMessage => ({ text, names, path: linkTo('users') })

const groupSuccess = (text: Translation, id: number, name: string): SuccessMessage => ({
  text,
  names: [name],
  path: linkTo('userGroup', { groupId: String(id) })
})

/** Adds a user. */
export async function createUser(
  {
    group,
    password,
    ...fields
  }: Omit<AddUserRequest, 'passwd' | 'group-id' | 'password'> & { password: string; group: number },
  options: FailureOptions
): Promise<Envelope> {
  const reply = await sendMutation(
    addUser,
    { ...fields, 'group-id': group, ...passwordFields(password) },
    { ...options, success: userSuccess(OUTCOME.added, [fields.name]) }
  )
  // The password rules have changed since the session was read.
  if (reply.field === 'password') await verifySession()
  return reply
}

/**
 * The changed fields, with their previous values in `was`: the hub refuses the change if another user has changed them
 * since.
 */
function changedFields<Values extends object>(
  base: Values,
  values: Values
): Partial<Values> & { was: Partial<Values> } {
  const names = (Object.keys(values) as (keyof Values)[]).filter((name) => values[name] !== base[name])
  const pick = (source: Values) => Object.fromEntries(names.map((name) => [name, source[name]])) as Partial<Values>
  return { ...pick(values), was: pick(base) }
}

interface UserNames {
  name: string
  nick: string
  /** End of the account; `NEVER_EXPIRES` = none. */
  expires: number
}

export const changeUser = (
  id: number,
  base: UserNames,
  values: UserNames,
  options: FailureOptions
): Promise<Envelope> =>
  sendMutation(
    setUser,
    { id, ...changedFields(base, values) },
    { ...options, success: userSuccess(OUTCOME.saved, [values.name]) }
  )

/** @returns whether the users were moved */
export const moveUsersTo = (users: readonly User[], group: number) =>
  succeeded(
    sendMutation(
      moveUsers,
      { id: idsOf(users), 'group-id': group },
      { success: userSuccess(OUTCOME.moved, users.map(nameOf)) }
    )
  )

/** Deletes users. The names are sent too, because another user may have got an ID while the confirmation was open. */
export const removeUsers = (users: readonly User[]) =>
  succeeded(
    sendMutation(
      deleteUsers,
      { id: idsOf(users), names: users.map(nameOf) },
      { success: { text: OUTCOME.deleted, names: users.map(nameOf) } }
    )
  )

/**
 * Saves a group, or adds one if there is no `id`.
 * @param base the values when editing began
 */
export const saveGroup = (
  id: number | undefined,
  base: UserGroupFields,
  values: UserGroupFields,
  options: FailureOptions
): Promise<Envelope & { id?: number }> =>
  id
    ? sendMutation(
        setGroup,
        { id, ...changedFields(base, values) },
        { ...options, success: groupSuccess(OUTCOME.saved, id, values.name) }
      )
    : sendMutation(addGroup, values, {
        ...options,
        success: (reply) => groupSuccess(OUTCOME.added, reply.id, values.name)
      })

export const removeGroup = ({ id, name }: UserGroup) =>
  succeeded(sendMutation(deleteGroup, { id, was: { name } }, { success: { text: OUTCOME.deleted, names: [name] } }))

/** The settings of the hub about accounts. */
export const $settings = createLiveValue({ call: getSettings, pace: 'slowest', topic: 'user' })
