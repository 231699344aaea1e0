// Schemas of access/token.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { ALREADY_EXISTS, INVALID_ARG, NOT_EXIST, NOT_PERMITTED, TOO_MANY } from '../codes.ts'
import { ids, listOf, page, text, textRule } from '../fields.schema.ts'
import { accessToken, nickName } from '../rules/account.ts'
import { NEVER_EXPIRES, TOKEN_SCOPES } from './token.ts'

export const TokenScope = z.enum(TOKEN_SCOPES)
export const AccessToken = z.object({
  id: z.int().describe('Id of the token'),
  name: z.string().describe('Description; may be empty'),
  begin: z.string().describe('The first characters of the token, to recognise it'),
  owner: z.string().describe('Name of the user whose permissions it has'),
  'owner-id': z.int().describe('Id of that user'),
  scopes: z.array(TokenScope).describe('What it may be used for'),
  'create-time': z.int().describe('When it was made, in milliseconds since the epoch'),
  'expired-time': z.int().describe('Expiry time in milliseconds since the epoch; -1 = never'),
  'used-time': z
    .int()
    .optional()
    .describe('Last use in milliseconds since the epoch, updated every 30 s; absent = never used'),
  'used-ip': z.string().optional().describe('Client address of the last use')
})

export type TokenScope = z.infer<typeof TokenScope>
export type AccessToken = z.infer<typeof AccessToken>

export const tokenSchemas = {
  'GET /token/list': {
    summary: 'Lists the access tokens of all users.',
    request: z.object(page),
    response: listOf(AccessToken),
    responseNote: 'list of tokens',
    errors: { [NOT_PERMITTED]: '' },
    source: 'own',
    examples: [{}, { start: 0, count: 10000 }]
  },
  'POST /token/add': {
    summary: 'Adds an access token. The only response that contains the token: the hub stores a hash.',
    operation: ['Add access token', '添加访问令牌'],
    request: z.object({
      name: textRule(nickName).optional(),
      owner: text.min(1).optional().describe('user name; default: the caller'),
      'expired-time': z
        .union([z.literal(NEVER_EXPIRES), z.int().min(1).max(Number.MAX_SAFE_INTEGER)])
        .describe('milliseconds since the epoch, -1 = never'),
      scopes: z
        .array(z.enum(TOKEN_SCOPES))
        .min(1)
        .max(TOKEN_SCOPES.length)
        .optional()
        .describe('at least one; default: `read`'),
      token: textRule(accessToken).optional().describe('an existing token; default: generated')
    }),
    response: z.object({
      id: z.int(),
      token: z.string()
    }),
    errors: {
      [NOT_EXIST]: 'unknown owner',
      [TOO_MANY]: '100 tokens',
      [ALREADY_EXISTS]: 'the token exists',
      [INVALID_ARG]: ''
    },
    source: 'own',
    examples: [{ 'expired-time': -1 }, { 'expired-time': 1, name: '', owner: 'Admin', token: 'aB3x'.repeat(16) }]
  },
  'POST /token/del': {
    summary: 'Revokes tokens. Takes effect at once.',
    operation: ['Delete access tokens', '删除访问令牌'],
    request: z.object({ id: ids.describe('one or several') }),
    requestNote: 'Takes effect at once',
    errors: { [NOT_EXIST]: 'none is revoked' },
    source: 'own',
    examples: [{ id: 1 }, { id: [1, 2] }]
  }
} satisfies CallSchemas
