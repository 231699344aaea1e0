// Schemas of access/display.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { MISMATCH, REAUTHENTICATION_REQUIRED, TOO_MANY } from '../codes.ts'
import { LockoutInfo } from '../envelope.schema.ts'
import { textRule } from '../fields.schema.ts'
import { displayName } from '../rules/account.ts'
import { SessionResponse } from './session.schema.ts'

export const displaySchemas = {
  'POST /display/add': {
    summary:
      'Creates a code for a new display. `name` says which screen it is, up to 32 characters. This is the only response that contains the code: the hub stores a hash. `expires` is in milliseconds since the epoch.',
    operation: ['Create link for wall display', '创建大屏链接'],
    request: z.object({ name: textRule(displayName).describe('of the screen, 1-32 characters') }),
    response: z.object({
      code: z.string(),
      expires: z.int().describe('ms')
    }),
    errors: { [TOO_MANY]: '32 displays and unused codes', [REAUTHENTICATION_REQUIRED]: '' },
    source: 'own',
    examples: [{ name: 'Control room' }]
  },
  'POST /display/open': {
    summary:
      'Exchanges a code for a session; the response sets its cookie. The case of letters and hyphens in the code are ignored.',
    operation: ['Open wall display', '打开大屏'],
    request: z.object({ code: z.string().min(1).max(64) }),
    response: z.object({ ...SessionResponse.shape, ...LockoutInfo.shape }),
    responseNote: '`user`, `display`, `must-change-password`; sets the session cookie',
    errors: { [MISMATCH]: 'wrong, used or expired code, with `locked-s`' },
    source: 'own',
    examples: [{ code: '7KQD-3MXH-9TRW-BC4F' }, { code: '7kqd 3mxh 9trw bc4f' }]
  }
} satisfies CallSchemas
