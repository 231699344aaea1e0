// Schemas of the calls of the cloud itself. Calls of a hub are in `calls.schema.ts`.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, MISMATCH, NAME_EXISTS, NOT_EXIST, NOT_LOGGED_IN, TOO_MANY, TRY_AGAIN } from '../codes.ts'
import { LockoutInfo } from '../envelope.schema.ts'
import { emptyRequest, md5, queryNumber, serial, serials, textRule } from '../fields.schema.ts'
import { userName } from '../rules/account.ts'
import { ORGANISATION_NAME } from './link.ts'

/** The signed-in user of an organisation. */
export const CloudUser = z.object({
  organisation: z.string(),
  name: z.string(),
  'group-name': z.string(),
  permission: z.number().describe('Unsigned 32-bit permission mask'),
  type: z.int().describe('Group type (`permissions.ts`)')
})

export const CloudSession = z.object({
  user: CloudUser,
  'default-password': z.boolean().optional().describe('The default password is still in use'),
  'must-change-password': z.boolean().optional().describe('Every call except the password change is refused')
})

/** A hub that has registered. */
export const CloudHub = z.object({
  sn: z.string(),
  name: z.string(),
  version: z.string(),
  state: z.int().describe('Registration state: 101 accepted, 102 rejected, 103 pending'),
  address: z.string().describe('IP address from which it registered last'),
  registered: z.number().describe('When it registered first, in milliseconds since the epoch'),
  online: z.boolean()
})

/** A line of the log. */
export const CloudLogEntry = z.object({
  id: z.number(),
  time: z.number().describe('milliseconds since the epoch'),
  user: z.string().describe('empty for what no user did'),
  address: z.string().describe('IP address of the browser or hub'),
  event: z.string().describe('path of a call below `/api`, or name of an event'),
  detail: z.string(),
  result: z.int().describe('result code of a call; 0 for an event')
})

export type CloudUser = z.infer<typeof CloudUser>
export type CloudSession = z.infer<typeof CloudSession>
export type CloudHub = z.infer<typeof CloudHub>

const examples = [{ sn: ['A410210808001'] }]
const decisionErrors = { [NOT_EXIST]: 'none of the serial numbers is known' }
const decisionResponse = z.object({ sn: z.array(serial).describe('those whose state has changed') })
const InvitationResponse = z.object({
  invitation: z.string().describe('what a hub is given to register: `organisation:code`')
})

/** Lines of the log in one response. */
const LOG_PAGE_MAX = 1000

/** Every call of the cloud. */
export const CLOUD_CALL_SCHEMAS = {
  'POST /login': {
    summary: 'Signs in. Failures count towards the lock-out, as on a hub.',
    request: z.object({
      organisation: z.string().regex(ORGANISATION_NAME).optional().describe('default: the one of the first start'),
      id: z.string().min(1).max(64).describe('user name'),
      pass: md5.describe('MD5 of the password')
    }),
    response: z.object({ ...CloudSession.shape, ...LockoutInfo.shape }),
    errors: {
      [MISMATCH]: 'wrong organisation, user name or password, with `locked-s`',
      [TRY_AGAIN]: 'too many attempts'
    },
    source: 'own',
    examples: [{ id: 'Admin', pass: 'e3afed0047b08059d0fada10f400c1e5' }]
  },
  'POST /logout': { summary: 'Signs out.', request: emptyRequest, source: 'own', examples: [{}] },
  'GET /session': {
    summary: 'Returns the user of the session.',
    request: emptyRequest,
    response: CloudSession,
    errors: { [NOT_LOGGED_IN]: '' },
    source: 'own',
    examples: [{}]
  },
  'POST /usr/update': {
    summary: "Changes the caller's password and ends the caller's other sessions.",
    request: z.object({ 'old-passwd': md5, passwd: md5 }),
    response: LockoutInfo,
    errors: { [MISMATCH]: 'wrong old password', [INVALID_ARG]: 'empty, default or unchanged password' },
    source: 'own',
    examples: [{ 'old-passwd': 'e3afed0047b08059d0fada10f400c1e5', passwd: '0cc175b9c0f1b6a831c399e269772661' }]
  },
  'GET /user/list': {
    summary: 'Lists the users of the organisation.',
    request: emptyRequest,
    response: z.object({ list: z.array(z.object({ name: z.string(), 'group-name': z.string() })) }),
    source: 'own',
    examples: [{}]
  },
  'POST /user/add': {
    summary: 'Adds a user to one of the groups Admin, User and Viewer.',
    request: z.object({ name: textRule(userName), passwd: md5, group: z.string().max(64) }),
    errors: {
      [NAME_EXISTS]: 'there is such a user',
      [NOT_EXIST]: 'there is no such group',
      [TOO_MANY]: 'the organisation has `USERS_MAX` users',
      [INVALID_ARG]: 'empty or default password'
    },
    source: 'own',
    examples: [{ name: 'Operator', passwd: '0cc175b9c0f1b6a831c399e269772661', group: 'User' }]
  },
  'POST /user/delete': {
    summary: 'Deletes a user and ends the sessions of that user. The user Admin cannot be deleted.',
    request: z.object({ name: z.string().max(64) }),
    errors: { [NOT_EXIST]: 'there is no such user, or it is Admin' },
    source: 'own',
    examples: [{ name: 'Operator' }]
  },
  'GET /hub/list': {
    summary: 'Lists the hubs that have registered, by their serial numbers.',
    request: emptyRequest,
    response: z.object({ list: z.array(CloudHub) }),
    source: 'own',
    examples: [{}]
  },
  'POST /hub/accept': {
    summary: 'Accepts hubs.',
    request: serials,
    response: decisionResponse,
    errors: decisionErrors,
    source: 'own',
    examples
  },
  'POST /hub/reject': {
    summary: 'Rejects hubs: their links are closed, and they are refused when they register again.',
    request: serials,
    response: decisionResponse,
    errors: decisionErrors,
    source: 'own',
    examples
  },
  'POST /hub/delete': {
    summary: 'Deletes hubs and forgets their keys. A hub that is online learns it and stops connecting.',
    request: serials,
    response: decisionResponse,
    errors: decisionErrors,
    source: 'own',
    examples
  },
  'GET /invitation': {
    summary: 'Returns the invitation with which hubs register.',
    request: emptyRequest,
    response: InvitationResponse,
    source: 'own',
    examples: [{}]
  },
  'POST /invitation/renew': {
    summary: 'Replaces the invitation. Hubs that are not accepted yet need the new one.',
    request: emptyRequest,
    response: InvitationResponse,
    source: 'own',
    examples: [{}]
  },
  'GET /log/list': {
    summary: 'Lists the log of the organisation, the newest line first.',
    request: z.object({
      before: queryNumber(1, Number.MAX_SAFE_INTEGER).describe('only lines with a smaller `id`'),
      count: queryNumber(1, LOG_PAGE_MAX).describe('100 by default')
    }),
    response: z.object({ list: z.array(CloudLogEntry) }),
    source: 'own',
    examples: [{}, { before: 1000, count: 50 }]
  }
} satisfies CallSchemas

type Schemas = typeof CLOUD_CALL_SCHEMAS

export type CloudCallName = keyof Schemas

/** The request of a call as its handler gets it. */
export type CloudRequest<Name extends CloudCallName> = z.output<Schemas[Name]['request']>

/** The response of a call, without the envelope. */
export type CloudResponse<Name extends CloudCallName> = Schemas[Name] extends {
  response: infer Response extends z.ZodType
}
  ? z.output<Response>
  : object
