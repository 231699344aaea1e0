// Schemas of access/profile.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NOT_PERMITTED } from '../codes.ts'
import { textRule } from '../fields.schema.ts'
import { nickName } from '../rules/account.ts'

export const profileSchemas = {
  'POST /usr/profile/set': {
    summary: 'Sets the display name of the caller; empty removes it. Not with an access token.',
    operation: ['Change display name', '修改显示名称'],
    request: z.object({
      nick: textRule(nickName).describe('display name of the caller, at most 32 characters; empty removes it')
    }),
    errors: { [INVALID_ARG]: '', [NOT_PERMITTED]: 'with an access token' },
    source: 'own',
    examples: [{ nick: '' }, { nick: '演播室 Müller' }]
  }
} satisfies CallSchemas
