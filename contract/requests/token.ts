import * as z from 'zod'
import { addToken, deleteTokens, listTokens, UNLIMITED } from '../token.ts'
import { ids, page, shape, text } from './shape.ts'

shape(listTokens, z.object(page))
shape(
  addToken,
  z.object({
    name: text.optional(),
    owner: text.min(1).optional(),
    'expired-time': z.union([z.literal(UNLIMITED), z.int().min(1).max(Number.MAX_SAFE_INTEGER)]),
    token: z
      .string()
      .regex(/^[A-Za-z0-9]{64}$/)
      .optional()
  })
)
shape(deleteTokens, z.object({ id: ids }))
