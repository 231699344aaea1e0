// Schemas of cloud-registration.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { parseInvitation } from './cloud/link.ts'
import { INVALID_ARG, REAUTHENTICATION_REQUIRED } from './codes.ts'
import { emptyRequest, faultIssue, port, textRule } from './fields.schema.ts'
import { host, optional } from './rules/rules.ts'
import { isForbiddenServer } from './stream/address-policy.ts'

/** What the cloud may do on this hub. */
export const CloudRole = z.enum(['view', 'operate', 'administer'])

/** Why there is no link to the cloud. */
export const CloudFault = z.enum([
  'refused',
  'timeout',
  'name',
  'forbidden-address',
  'no-cloud',
  'no-ssl',
  'ssl-required',
  'unverified',
  'other-key',
  'unreachable',
  'secrets'
])

/** Settings that `GET /cloud` returns. */
export const CloudSettings = z.object({
  enable: z.boolean().describe('Whether the hub connects to the cloud'),
  host: z.string().describe('Name or address of the cloud; empty: none'),
  port: z.int().describe('Registration port of the cloud'),
  ssl: z.boolean().describe('Whether the hub connects over TLS'),
  organisation: z.string().describe('Organisation of the invitation; empty: none'),
  role: CloudRole.describe('What the cloud may do on this hub')
})

export const CloudRegistration = z.object({
  state: z
    .int()
    .describe(
      '29 registering, 103 waiting for a decision, 101 accepted, 102 rejected, 104 deleted, 105 another hub has this serial number, 106 wrong invitation, 107 not accepted as a hub'
    ),
  text: z.string().describe('`state` as a sentence in the language of the request'),
  'age-s': z.int().describe('Seconds since the hub has been in `state`'),
  online: z.boolean().describe('Whether the hub is accepted and connected'),
  links: z
    .array(z.object({ node: z.string().describe('Identifier of the node of the cloud'), up: z.boolean() }))
    .describe('Links of the hub: two, to two nodes, where the cloud has more than one'),
  fault: CloudFault.optional().describe('Why the last attempt to connect failed; absent if the cloud answered'),
  reason: z.string().optional().describe('With `fault`: the sentence in the language of the request')
})

const invitation = z
  .string()
  .max(160)
  .refine((value) => parseInvitation(value) !== undefined)
  .meta({ example: 'headend:7KQD-3MXH-9TRW' })

export const CloudSettingsRequest = z
  .object({
    enable: z.boolean(),
    host: textRule(optional(host)).describe('Name or address of the cloud; empty: leaves it'),
    port: port.optional().describe('Absent: 8070'),
    ssl: z
      .boolean()
      .optional()
      .describe('Whether the hub connects over TLS; absent: as before, with another cloud `true`'),
    invitation: invitation.optional().describe('As the cloud shows it; absent: as before'),
    role: CloudRole.optional().describe(
      'What the cloud may do on this hub; absent: as before, with another cloud `view`'
    )
  })
  .superRefine(({ enable, host: server }, context) => {
    const isMissing = enable && server === ''
    // The hub must not connect to the metadata service of a cloud provider. Names are checked when they are looked up.
    if (isMissing || isForbiddenServer(server))
      context.addIssue({ ...faultIssue({ name: isMissing ? 'required' : 'invalid' }), path: ['host'] })
  })

export type CloudFault = z.infer<typeof CloudFault>
export type CloudSettings = z.infer<typeof CloudSettings>
export type CloudRegistration = z.infer<typeof CloudRegistration>
export type CloudSettingsRequest = z.infer<typeof CloudSettingsRequest>

export const cloudRegistrationSchemas = {
  'GET /cloud': {
    summary: 'Returns how this hub registers with a cloud, and its registration state. No secrets.',
    request: emptyRequest,
    response: z.object({
      settings: CloudSettings,
      'has-invitation': z.boolean().describe('Whether the code of an invitation is stored'),
      sn: z.string().optional().describe('Serial number of this hub, made when the first cloud is set'),
      registration: CloudRegistration.optional().describe('Absent while the hub does not connect')
    }),
    responseNote:
      '`settings` (`enable`, `host`, `port`, `ssl`, `organisation`, `role`: `view`, `operate` or `administer`), `has-invitation`, `sn` (serial number of the hub), `registration` (absent while it is off): `state` (29 registering, 103 waiting for a decision, 101 accepted, 102 rejected, 104 deleted, 105 another hub has the serial number, 106 wrong invitation, 107 not accepted as a hub), `text` (sentence), `age-s` (seconds in this state), `online` (accepted and connected), `links` (`node` of the cloud, and whether the link is `up`), `fault` and `reason` (sentence) while the cloud does not answer',
    source: 'own',
    examples: [{}]
  },
  'POST /cloud/set': {
    summary:
      'Changes how this hub registers with a cloud, and connects anew. Another cloud (`host`, `port` or organisation) needs its invitation (7 with `field` `invitation`) and gets another key of the hub. With `host` empty the hub leaves the cloud: it forgets its key and the invitation, and tells the cloud to do so.',
    operation: ['Change cloud settings', '更改云设置'],
    request: CloudSettingsRequest,
    errors: {
      [INVALID_ARG]: 'with `field` `invitation` if it is missing',
      [REAUTHENTICATION_REQUIRED]: ''
    },
    source: 'own',
    examples: [
      { enable: false, host: '' },
      {
        enable: true,
        host: 'cloud.example.com',
        port: 8070,
        ssl: true,
        invitation: 'headend:7KQD-3MXH-9TRW',
        role: 'operate'
      }
    ]
  }
} satisfies CallSchemas
