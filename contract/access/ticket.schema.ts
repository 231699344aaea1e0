// Schemas of access/ticket.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { MISMATCH } from '../codes.ts'
import { SessionResponse } from './session.schema.ts'

export const ticketSchemas = {
  'POST /session/redeem': {
    summary: 'Exchanges a ticket for a session of the user to whom it was issued; the response sets its cookies.',
    operation: ['Sign in at a new address', '在新地址登录'],
    request: z.object({
      ticket: z.string().min(1).max(64).describe('from a call that moves the hub to another address or port')
    }),
    response: SessionResponse,
    responseNote:
      'as `GET /api/session`; sets the cookies of a new session of the same user, which has proved the password when the first one did. A ticket works once',
    errors: { [MISMATCH]: 'wrong, used or expired, or the session that asked for it has ended' },
    source: 'own',
    examples: [{ ticket: 'q3J0dGVkLXdpdGgtMzItcmFuZG9tLWJ5dGVzLWhlcmU' }]
  }
} satisfies CallSchemas
