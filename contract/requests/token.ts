import * as z from 'zod'
import { accessToken, nickName } from '../rules/account.ts'
import { addToken, deleteTokens, listTokens, UNLIMITED } from '../token.ts'
import { ids, page, ruled, shape, text } from './shape.ts'

shape(listTokens, z.object(page))
shape(
  addToken,
  z.object({
    name: ruled(nickName).optional(),
    owner: text.min(1).optional(),
    'expired-time': z.union([z.literal(UNLIMITED), z.int().min(1).max(Number.MAX_SAFE_INTEGER)]),
    token: ruled(accessToken).optional()
  })
)
shape(deleteTokens, z.object({ id: ids }))
