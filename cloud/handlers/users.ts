// Users of an organisation.
import { hashPassword } from '../../accounts/passwords.ts'
import { addUser, deleteUser, listUsers } from '../../contract/cloud/calls.ts'
import { NAME_EXISTS, NOT_EXIST, TOO_MANY } from '../../contract/codes.ts'
import { USERS_MAX } from '../../contract/limits.ts'
import { CallError } from '../../web-server/call-error.ts'
import { FIRST_USER_ID } from '../auth/first-users.ts'
import { type Handler, handle, handlePrepared } from '../http/handler.ts'
import { requireUsablePassword } from './sign-in.ts'

const handleList = handle(listUsers, async (_context, scope) => {
  const groups = await scope.select('user_groups').select(['id', 'name']).execute()
  const nameOf = (id: number) => groups.find((group) => group.id === id)?.name ?? ''
  const users = await scope.select('users').select(['name', 'group_id']).orderBy('id').execute()
  return { list: users.map(({ name, group_id }) => ({ name, 'group-name': nameOf(group_id) })) }
})

const handleAdd = handlePrepared(
  addUser,
  async (context, { name, passwd }) => {
    context.detail = name
    requireUsablePassword(passwd)
    return hashPassword(passwd)
  },
  async (_context, scope, { name, group }, password_hash) => {
    await scope.lock()
    const found = await scope.select('user_groups').select('id').where('name', '=', group).executeTakeFirst()
    if (!found) throw new CallError(NOT_EXIST, { field: 'group' })
    const ids = (await scope.select('users').select('id').execute()).map(({ id }) => id)
    if (ids.length >= USERS_MAX) throw new CallError(TOO_MANY, { max: USERS_MAX, of: 'user' })
    const id = Math.max(...ids) + 1
    const { numInsertedOrUpdatedRows } = await scope
      .insert('users', { id, name, group_id: found.id, password_hash, default_password: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) throw new CallError(NAME_EXISTS, { exists: 'user' })
    return {}
  }
)

const handleDelete = handle(deleteUser, async (context, scope, { name }) => {
  context.detail = name
  const { numDeletedRows } = await scope
    .delete('users')
    .where('name', '=', name)
    .where('id', '!=', FIRST_USER_ID)
    .executeTakeFirstOrThrow()
  if (Number(numDeletedRows) === 0) throw new CallError(NOT_EXIST)
  return {}
})

export const userHandlers = (): Handler[] => [handleList, handleAdd, handleDelete]
