// Schemas of the calls of the cloud that a hub does not have, or that have further fields in the cloud.
import * as z from 'zod'
import { LoginResponse, LoginUser, SessionResponse, sessionSchemas } from '../access/session.schema.ts'
import { Visibility } from '../access/visibility.schema.ts'
import type { CallSchema, CallSchemas } from '../call.schema.ts'
import type { Call } from '../call.ts'
import { schemaOf } from '../calls.schema.ts'
import { CLIENT_NOT_EXIST, INVALID_ARG, MISMATCH, NOT_EXIST } from '../codes.ts'
import { emptyRequest, listOf, page, serial, serials, textRule } from '../fields.schema.ts'
import { labelName } from '../rules/label.ts'
import { ALL_HUBS_SCHEMAS, HubSummary } from './all-hubs.schema.ts'
import { ORGANISATION_NAME } from './link.ts'
import { rolloutCallSchemas } from './rollout.schema.ts'

/** The signed-in user of an organisation. */
export const CloudUser = z.object({ ...LoginUser.shape, organisation: z.string().describe('Name of the organisation') })

export const CloudSession = z.object({ ...SessionResponse.shape, user: CloudUser })

/** Why a hub needs attention. */
export const HubWarning = z.enum(['offline', 'older', 'duplicated'])

/** A hub that has registered. */
export const CloudHub = z.object({
  sn: z.string(),
  name: z.string().describe('Name in the cloud, by default that of the hub'),
  'own-name': z.string().optional().describe('Name of the hub, if it has another one in the cloud'),
  version: z.string(),
  state: z.int().describe('Registration state: 101 accepted, 102 rejected, 103 pending'),
  address: z.string().describe('IP address from which it registered last'),
  registered: z.number().describe('When it registered first, in milliseconds since the epoch'),
  online: z.boolean(),
  'offline-since': z.number().optional().describe('When it was connected last; absent if it is, or if that is unknown'),
  summary: HubSummary.optional().describe('Of an accepted hub: what it says of itself'),
  copies: z
    .array(z.object({ name: z.string(), address: z.string() }))
    .describe('Hubs that are connected with the same key, because data was copied or restored; they wait'),
  warnings: z
    .array(HubWarning)
    .describe(
      'Of an accepted hub: `offline`, `older` if it has an older version than the cloud, `duplicated` if it has copies'
    ),
  favorite: z.boolean().describe('It is one of the favorites of the caller'),
  'catalog-id': z.int().describe('Id of its group; 0 = none'),
  'is-inherit': z
    .int()
    .optional()
    .describe('1: inherits its visibility. With the masks for callers with DEVICE_SECURITY'),
  ...Visibility.partial().shape
})

export type CloudUser = z.infer<typeof CloudUser>
export type CloudSession = z.infer<typeof CloudSession>
export type CloudHub = z.infer<typeof CloudHub>

/** Rule for the name of a hub in the cloud; empty for none. */
const labelOrNone = (value: string) => (value === '' ? undefined : labelName(value))

const examples = [{ sn: ['A410210808001'] }]
const decisionErrors = { [NOT_EXIST]: 'none of the serial numbers is known to the caller' }
const decisionResponse = z.object({ sn: z.array(serial).describe('those whose state has changed') })
const InvitationResponse = z.object({
  invitation: z
    .string()
    .describe(
      'what a hub is given to register: `organisation:code:fingerprint`, with the fingerprint of the signing key of the cloud'
    ),
  'link-port': z.int().describe('port at which hubs register')
})

export const CLOUD_CALL_SCHEMAS = {
  ...ALL_HUBS_SCHEMAS,
  'POST /login': {
    ...sessionSchemas['POST /login'],
    summary: 'Signs in as on a hub. `organisation` names the organisation of the user.',
    request: sessionSchemas['POST /login'].request.extend({
      organisation: z.string().regex(ORGANISATION_NAME).optional().describe('default: the one of the first start')
    }),
    response: z.object({ ...LoginResponse.shape, user: CloudUser }),
    errors: {
      ...sessionSchemas['POST /login'].errors,
      [MISMATCH]: 'wrong organisation, user name or password, with `locked-s`; with `field` = `code` a wrong code'
    }
  },
  'GET /session': {
    ...sessionSchemas['GET /session'],
    summary: 'Returns the user of the current session, with the organisation.',
    response: CloudSession
  },
  'GET /hub/list': {
    summary: 'Lists the hubs that have registered and that the caller may see, by their serial numbers.',
    request: z.object(page),
    response: listOf(CloudHub),
    source: 'own',
    examples: [{}, { start: 0, count: 100 }]
  },
  'POST /hub/name/set': {
    operation: ['Rename hub', '重命名中控'],
    summary: 'Gives a hub a name in the cloud; empty: that of the hub. The hub keeps its own.',
    request: z.object({ sn: serial, name: textRule(labelOrNone) }),
    errors: { [NOT_EXIST]: 'unknown, or the caller may not see it', [INVALID_ARG]: '' },
    source: 'own',
    examples: [{ sn: 'A410210808001', name: 'Studio 1' }]
  },
  'POST /hub/open': {
    summary: 'Lets the session open the console of an accepted hub, at an origin of its own.',
    request: z.object({ sn: serial }),
    response: z.object({
      url: z
        .string()
        .describe(
          'where the page sends a form by POST, with the field `ticket`, and with the path of a page of the console in `at`, if not that of the first one'
        ),
      ticket: z.string().describe('can be used once, within a minute')
    }),
    errors: { [CLIENT_NOT_EXIST]: 'no such hub, or it is not accepted' },
    source: 'own',
    examples: [{ sn: 'HUB-0A1B2C3D4E5F' }]
  },
  'POST /hub/accept': {
    summary: 'Accepts hubs.',
    operation: ['Accept hubs', '接受中控'],
    request: serials,
    response: decisionResponse,
    errors: decisionErrors,
    source: 'own',
    examples
  },
  'POST /hub/reject': {
    operation: ['Reject hubs', '拒绝中控'],
    summary: 'Rejects hubs: their links are closed, and they are refused when they register again.',
    request: serials,
    response: decisionResponse,
    errors: decisionErrors,
    source: 'own',
    examples
  },
  'POST /hub/delete': {
    operation: ['Delete hubs', '删除中控'],
    summary: 'Deletes hubs and forgets their keys. A hub that is online learns it and stops connecting.',
    request: serials,
    response: decisionResponse,
    errors: decisionErrors,
    source: 'own',
    examples
  },
  ...rolloutCallSchemas,
  'GET /invitation': {
    summary: 'Returns the invitation with which hubs register.',
    request: emptyRequest,
    response: InvitationResponse,
    source: 'own',
    examples: [{}]
  },
  'POST /invitation/renew': {
    operation: ['Renew invitation', '更新邀请码'],
    summary: 'Replaces the invitation. Hubs that are not accepted yet need the new one.',
    request: emptyRequest,
    response: InvitationResponse,
    source: 'own',
    examples: [{}]
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

/** The declaration of a call of the cloud: its own, or that of a hub. */
export function cloudSchemaOf({ method, path }: Pick<Call, 'method' | 'path'>): CallSchema | undefined {
  return (CLOUD_CALL_SCHEMAS as CallSchemas)[`${method} ${path as `/${string}`}`] ?? schemaOf({ method, path })
}
