// Access tokens of an organisation (contract/access/token.ts).
import { describeToken, generateToken, PREFIX_LENGTH, serializeToken } from '../../accounts/access-tokens.ts'
import { isExpired } from '../../accounts/session-times.ts'
import { addToken, deleteTokens, listTokens } from '../../contract/access/token.ts'
import { ALREADY_EXISTS, INVALID_ARG, NOT_EXIST, TOO_MANY } from '../../contract/codes.ts'
import { TOKENS_MAX } from '../../contract/limits.ts'
import { CallError } from '../../web-server/call-error.ts'
import { hashSecret } from '../../web-server/credentials.ts'
import { paginate } from '../../web-server/pages.ts'
import { readUser, readUsers } from '../auth/accounts.ts'
import { type Handler, handle, requireCaller } from '../http/handler.ts'
import type { Scope } from '../store/scope.ts'

/** All tokens with the names of their owners, newest first. */
async function readTokens(scope: Scope) {
  const users = await readUsers(scope)
  const rows = await scope.select('tokens').selectAll().orderBy('id', 'desc').execute()
  return rows.map((row) => ({ ...row, owner: users.find(({ id }) => id === row.user_id)?.name ?? '' }))
}

export function tokenHandlers({ now }: { now: () => number }): Handler[] {
  return [
    handle(listTokens, async (_context, scope, request) => {
      const page = paginate(await readTokens(scope), request)
      return { ...page, list: page.list.map(serializeToken) }
    }),
    handle(addToken, async (context, scope, request) => {
      const { name = '', scopes = ['read'], 'expired-time': expires } = request
      const ownerName = request.owner ?? requireCaller(context).user.name
      context.detail = `${ownerName}: ${name}`
      await scope.lock()
      const owner = await readUser(scope, 'name', ownerName)
      if (!owner) throw new CallError(NOT_EXIST, { field: 'owner' })
      if (isExpired({ expires }, now())) throw new CallError(INVALID_ARG, { field: 'expired-time', fault: 'invalid' })
      // Expired tokens count, too, because they stay in the list until they are deleted.
      const tokens = await scope.select('tokens').select('id').execute()
      if (tokens.length >= TOKENS_MAX) throw new CallError(TOO_MANY, { max: TOKENS_MAX })
      const token = request.token ?? generateToken()
      const begin = token.slice(0, PREFIX_LENGTH)
      const id = Math.max(0, ...tokens.map((row) => row.id)) + 1
      const row = { id, hash: hashSecret(token), begin, name, user_id: owner.id, scopes: scopes.join(' ') }
      const { numInsertedOrUpdatedRows } = await scope
        .insert('tokens', { ...row, created: now(), expires })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      if (!numInsertedOrUpdatedRows) throw new CallError(ALREADY_EXISTS, { field: 'token' })
      context.detail = `${describeToken(owner.name, { name, begin })} (${scopes.join(', ')})`
      return { id, token }
    }),
    // Deletes all of the tokens, or none.
    handle(deleteTokens, async (context, scope, { id }) => {
      const ids = [...new Set([id].flat())]
      const rows = (await readTokens(scope)).filter((row) => ids.includes(row.id))
      context.detail = rows.map((row) => describeToken(row.owner, row)).join(', ')
      if (rows.length < ids.length) throw new CallError(NOT_EXIST)
      await scope.delete('tokens').where('id', 'in', ids).execute()
      return {}
    })
  ]
}
