// Schemas of machine/name.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, READ_ONLY } from '../codes.ts'
import { textRule } from '../fields.schema.ts'
import { hubName } from '../rules/hub.ts'
import { MachineAccess } from './machine.schema.ts'

export const HubName = z.object({
  'device-name': z.string().describe('The host name of the machine, until a user gives the hub a name'),
  'host-name': z.string(),
  access: MachineAccess.describe('Whether the hub can set the host name')
})

export type HubName = z.infer<typeof HubName>

export const nameSchemas = {
  'POST /system/set-device-name': {
    summary:
      'Names the hub. In the mode `manage` the machine gets the host name that `hostNameFor` makes of it; 26 with `message` if the system refuses that, and then nothing changes. `ext-need-reboot`: the machine has the host name after its next start. With the serial number of a device in the query (`sc-client-id`) the call goes to that device, as over `/socket/`.',
    operation: ['Name the hub', '设置中控名称'],
    request: z.object({ name: textRule(hubName).describe('1-64 characters A-Z') }),
    requestNote: 'a-z, 0-9, space and `_-`, no outer spaces, at least one letter or digit',
    response: z.object({
      'ext-need-reboot': z.boolean()
    }),
    responseNote: '`ext-need-reboot` (boolean): the machine has the new host name after its next start',
    errors: {
      [INVALID_ARG]: '',
      [READ_ONLY]: 'with `message` if the system refuses the host name, and then nothing changes'
    },
    source: 'family',
    examples: [{ name: 'A' }, { name: 'x'.repeat(64) }]
  }
} satisfies CallSchemas
