// Schemas of access/second-factor.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { MISMATCH, NOT_EXIST, NOT_PERMITTED, REAUTHENTICATION_REQUIRED, WRONG_STATE } from '../codes.ts'
import { LockoutInfo } from '../envelope.schema.ts'
import { emptyRequest, id, md5, secondFactorCode } from '../fields.schema.ts'
import { QrCode } from '../qr.schema.ts'

/** The second factor of a user. */
export const SecondFactor = z.object({
  since: z.int().describe('When it was switched on, in milliseconds since the epoch'),
  'recovery-codes': z.number().describe('Recovery codes that are left')
})
/** What an authenticator app needs to compute the codes of a user. */
export const SecondFactorSecret = z.object({
  secret: z.string().describe('160 bits in base32'),
  uri: z.string().describe('The same as `otpauth://` URI, and its QR code'),
  qr: QrCode
})
/**
 * Recovery codes in clear text. They are shown once: the hub stores hashes. Each is accepted once instead of a code of
 * the app.
 */
export const RecoveryCodes = z.object({
  codes: z.array(z.string())
})

export type SecondFactor = z.infer<typeof SecondFactor>
export type SecondFactorSecret = z.infer<typeof SecondFactorSecret>
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

export const secondFactorSchemas = {
  'POST /second-factor/start': {
    summary: 'Generates a secret for the caller. It is not stored, and has no effect before `enableSecondFactor`.',
    request: emptyRequest,
    response: SecondFactorSecret,
    responseNote:
      '`secret` (base32), `uri` (`otpauth://…`), `qr` (`size`, `path`, as in `POST /api/qr/draw`). Nothing is stored',
    errors: { [WRONG_STATE]: 'it is on', [REAUTHENTICATION_REQUIRED]: '' },
    source: 'own',
    examples: [{}]
  },
  'POST /second-factor/enable': {
    summary: 'Switches the second factor on and ends all other sessions of the caller, which have not proved it.',
    operation: ['Enable second factor', '启用双重验证'],
    request: z.object({
      secret: z
        .string()
        .regex(/^[A-Z2-7]{32}$/)
        .describe('of `start`'),
      code: secondFactorCode.describe('of the app')
    }),
    response: RecoveryCodes,
    responseNote: '`codes`: the recovery codes, which are returned only here',
    errors: {
      [MISMATCH]: 'the code does not belong to the secret',
      [WRONG_STATE]: 'it is on',
      [REAUTHENTICATION_REQUIRED]: ''
    },
    source: 'own',
    examples: [{ secret: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', code: '123456' }]
  },
  'POST /second-factor/codes': {
    summary: 'Replaces all recovery codes of the caller.',
    operation: ['Create new recovery codes', '重新生成恢复码'],
    request: emptyRequest,
    response: RecoveryCodes,
    responseNote: '`codes`: new recovery codes in place of the old ones',
    errors: { [WRONG_STATE]: 'it is off', [REAUTHENTICATION_REQUIRED]: '' },
    source: 'own',
    examples: [{}]
  },
  'POST /second-factor/disable': {
    summary:
      'Switches the second factor off. In a group that demands one the caller has to set up another one at once, for instance on a new phone.',
    operation: ['Disable second factor', '停用双重验证'],
    request: z.object({ pass: md5.describe('MD5'), code: secondFactorCode }),
    response: LockoutInfo,
    errors: { [MISMATCH]: 'as for login', [WRONG_STATE]: 'it is off' },
    source: 'own',
    examples: [{ pass: 'e3afed0047b08059d0fada10f400c1e5', code: 'abcd-efgh-ijkl-mnop' }]
  },
  'POST /usr/second-factor/reset': {
    summary: 'Switches the second factor of another user off and ends all sessions of that user.',
    operation: ['Reset second factor', '重置双重验证'],
    request: z.object({ id: id.describe('of another user') }),
    errors: {
      [NOT_EXIST]: '',
      [NOT_PERMITTED]: 'the caller, or out of reach',
      [WRONG_STATE]: 'it is off',
      [REAUTHENTICATION_REQUIRED]: ''
    },
    source: 'own',
    examples: [{ id: 1 }]
  }
} satisfies CallSchemas
