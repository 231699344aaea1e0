// Request schemas of the calls for access tokens.
import * as z from 'zod'
import { addToken, deleteTokens, listTokens, NEVER_EXPIRES, TOKEN_SCOPES } from '../access/token.ts'
import { accessToken, nickName } from '../rules/account.ts'
import { defineSchema, ids, page, text, textRule } from './schema.ts'

defineSchema(listTokens, z.object(page))
defineSchema(
  addToken,
  z.object({
    name: textRule(nickName).optional(),
    owner: text.min(1).optional(),
    'expired-time': z.union([z.literal(NEVER_EXPIRES), z.int().min(1).max(Number.MAX_SAFE_INTEGER)]),
    scopes: z.array(z.enum(TOKEN_SCOPES)).min(1).max(TOKEN_SCOPES.length).optional(),
    token: textRule(accessToken).optional()
  })
)
defineSchema(deleteTokens, z.object({ id: ids }))
