// Access tokens (contract/token.ts). What one may do is decided in `gate.ts`.
import { randomInt } from 'node:crypto'
import { ALREADY_EXISTS, INVALID_ARG, NOT_EXIST, TOO_MANY } from '../../../contract/codes.ts'
import { TOKEN_LENGTH, TOKENS_MAX } from '../../../contract/limits.ts'
import { type AccessToken, addToken, deleteTokens, listTokens, UNLIMITED } from '../../../contract/token.ts'
import { hashOf } from '../../auth/gate.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer, type Context, change, Refusal, signedIn } from '../../http/handler.ts'
import type { TokenRow } from '../../store/tokens.ts'
import { pageOf } from '../list.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Characters of a token that are kept to recognise it by: 345 bits of it stay unknown. */
const SHOWN = 6

/** How the operation log names a token. */
const named = (owner: string, { name, begin }: Pick<TokenRow, 'name' | 'begin'>) =>
  `${[`${owner}:`, name, begin].filter(Boolean).join(' ')}…`

/** 381 bits; `randomInt` prefers no letter. */
function newToken(): string {
  return Array.from({ length: TOKEN_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

function wire(row: TokenRow & { owner: string }): AccessToken {
  return {
    id: row.id,
    name: row.name,
    begin: row.begin,
    owner: row.owner,
    'owner-id': row.user_id,
    'create-time': row.created,
    'expired-time': row.expires,
    ...(row.used > 0 && { 'used-time': row.used, 'used-ip': row.used_address })
  }
}

export function tokenAnswers({ store, sessionsEnded }: Hub): Answer[] {
  const { tokens, users } = store

  const changed = (context: Context) => context.after(() => store.changes.bump('user'))

  return [
    answer(listTokens, (_context, request) => {
      const page = pageOf(tokens.all(), request)
      return { ...page, list: page.list.map(wire), rev: store.changes.rev }
    }),
    change(addToken, (context, request) => {
      const { name = '', 'expired-time': expires } = request
      const ownerName = request.owner ?? signedIn(context).user.name
      context.detail = `${ownerName}: ${name}`
      const owner = users.byName(ownerName)
      if (!owner) throw new Refusal(NOT_EXIST, { field: 'owner' })
      if (expires !== UNLIMITED && expires <= Date.now())
        throw new Refusal(INVALID_ARG, { field: 'expired-time', fault: 'invalid' })
      // Those that have expired count, too: they stay in the list until somebody takes them out.
      if (tokens.count() >= TOKENS_MAX) throw new Refusal(TOO_MANY, { max: TOKENS_MAX })
      const token = request.token ?? newToken()
      const hash = hashOf(token)
      if (tokens.byHash(hash)) throw new Refusal(ALREADY_EXISTS, { field: 'token' })
      const begin = token.slice(0, SHOWN)
      const id = tokens.add({ hash, begin, name, user_id: owner.id, created: Date.now(), expires })
      context.objects.push(`token:${id}`)
      context.detail = named(owner.name, { name, begin })
      changed(context)
      return { id, token }
    }),
    change(deleteTokens, (context, request) => {
      const ids = [...new Set([request.id].flat())]
      const rows = tokens.all().filter((row) => ids.includes(row.id))
      context.detail = rows.map((row) => named(row.owner, row)).join(', ')
      // Those that are not there come last: of them the answer tells who took them out.
      const there = new Set(rows.map(({ id }) => id))
      context.objects.push(
        ...ids.sort((a, b) => Number(there.has(b)) - Number(there.has(a))).map((id) => `token:${id}`)
      )
      // Of several, all or none.
      if (rows.length < ids.length) throw new Refusal(NOT_EXIST)
      for (const { id } of rows) tokens.remove(id)
      changed(context)
      context.after(sessionsEnded)
      return {}
    })
  ]
}
