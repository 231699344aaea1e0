// Configuration of SNMP, and the MIB.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { emptyRequest, faultIssue, port, text } from '../fields.schema.ts'
import { serverHost } from './server-host.schema.ts'
import { SNMP_AUTHENTICATIONS, SNMP_NOTIFICATIONS, SNMP_PASSWORD_MIN, SNMP_VERSIONS } from './snmp.ts'

const password = text.min(SNMP_PASSWORD_MIN)

/** Required fields by version. */
const NEEDED = { '2c': ['community'], '3': ['user', 'auth-password', 'privacy-password'] } as const

export const SnmpConfig = z
  .object({
    host: serverHost.describe('Name or address of the receiver'),
    port: port.optional().describe('Default: 162'),
    notification: z
      .enum(SNMP_NOTIFICATIONS)
      .optional()
      .describe('`trap` (default): the receiver does not confirm it; `inform`: the receiver confirms it'),
    version: z.enum(SNMP_VERSIONS).describe('`3` is authenticated and encrypted (`authPriv`); `2c` is neither'),
    community: text.min(1).optional().describe('`2c`'),
    user: text.min(1).max(32).optional().describe('`3`'),
    auth: z.enum(SNMP_AUTHENTICATIONS).optional().describe('`3`: `sha`, `sha256` (default) or `sha512`'),
    'auth-password': password.optional().describe('`3`'),
    'privacy-password': password.optional().describe('`3`: key of AES-128 (RFC 3826)')
  })
  .superRefine((value, context) => {
    for (const field of NEEDED[value.version])
      if (!value[field]) context.addIssue({ ...faultIssue({ name: 'required' }), path: [field] })
  })

export type SnmpConfig = z.infer<typeof SnmpConfig>

export const snmpSchemas = {
  'GET /alert/snmp/mib': {
    summary: 'The MIB of the SNMP notifications, which network management systems import.',
    request: emptyRequest,
    content: 'text/plain',
    responseNote: 'the module `HEADEND-MIB` as a file',
    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
