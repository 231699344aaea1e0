// Handlers for access tokens (contract/access/token.ts). `gate.ts` checks the permissions of a token.
import { describeToken, generateToken, PREFIX_LENGTH, serializeToken } from '../../../accounts/access-tokens.ts'
import { addToken, deleteTokens, listTokens, NEVER_EXPIRES } from '../../../contract/access/token.ts'
import { ALREADY_EXISTS, INVALID_ARG, NOT_EXIST, TOO_MANY } from '../../../contract/codes.ts'
import { TOKENS_MAX } from '../../../contract/limits.ts'
import { hashSecret } from '../../../web-server/credentials.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { paginate } from '../list.ts'

export function tokenHandlers({ store, sessionsEnded }: { store: Store; sessionsEnded: () => void }): Handler[] {
  const { tokens, users } = store

  const markChangedAfterCommit = (context: Context) => context.afterCommit(() => store.changes.markChanged('user'))

  return [
    handle(listTokens, (_context, request) => {
      const page = paginate(tokens.all(), request)
      return { ...page, list: page.list.map(serializeToken), rev: store.changes.rev }
    }),
    handleChange(addToken, (context, request) => {
      const { name = '', scopes = ['read'], 'expired-time': expires } = request
      const ownerName = request.owner ?? requireCaller(context).user.name
      context.detail = `${ownerName}: ${name}`
      const owner = users.byName(ownerName)
      if (!owner) throw new CallError(NOT_EXIST, { field: 'owner' })
      if (expires !== NEVER_EXPIRES && expires <= Date.now())
        throw new CallError(INVALID_ARG, { field: 'expired-time', fault: 'invalid' })
      // Expired tokens count, too, because they stay in the list until they are deleted.
      if (tokens.count() >= TOKENS_MAX) throw new CallError(TOO_MANY, { max: TOKENS_MAX })
      const token = request.token ?? generateToken()
      const hash = hashSecret(token)
      if (tokens.byHash(hash)) throw new CallError(ALREADY_EXISTS, { field: 'token' })
      const begin = token.slice(0, PREFIX_LENGTH)
      const stored = { hash, begin, name, user_id: owner.id, scopes: scopes.join(' ') }
      const id = tokens.add({ ...stored, created: Date.now(), expires })
      context.objects.push(`token:${id}`)
      context.detail = `${describeToken(owner.name, { name, begin })} (${scopes.join(', ')})`
      markChangedAfterCommit(context)
      return { id, token }
    }),
    handleChange(deleteTokens, (context, request) => {
      const ids = [...new Set([request.id].flat())]
      const rows = tokens.all().filter((row) => ids.includes(row.id))
      context.detail = rows.map((row) => describeToken(row.owner, row)).join(', ')
      // The missing tokens come last, so that the response names the user who deleted one of them.
      const existing = new Set(rows.map(({ id }) => id))
      context.objects.push(
        ...ids.sort((a, b) => Number(existing.has(b)) - Number(existing.has(a))).map((id) => `token:${id}`)
      )
      // Either all tokens are deleted or none.
      if (rows.length < ids.length) throw new CallError(NOT_EXIST)
      for (const { id } of rows) tokens.remove(id)
      markChangedAfterCommit(context)
      context.afterCommit(() => sessionsEnded())
      return {}
    })
  ]
}
