// Schemas of machine/ping.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { IN_PROGRESS, INVALID_ARG, READ_ONLY } from '../codes.ts'
import { textRule } from '../fields.schema.ts'
import { host } from '../rules/rules.ts'

/** What a ping of four packets has found. */
export const PingReply = z.object({
  address: z.string().describe('Address of the host'),
  sent: z.int().describe('Packets that were sent: 4, or 0 if there is no route to the host'),
  received: z.int().describe('Answers'),
  'min-ms': z.number().optional().describe('Shortest time of an answer in ms; absent without an answer'),
  'average-ms': z.number().optional(),
  'max-ms': z.number().optional()
})

export type PingReply = z.infer<typeof PingReply>

export const pingSchemas = {
  'POST /network/ping': {
    summary:
      'Sends four pings to a host, one a second. A user has one at a time, and the hub four. Works in both modes.',
    operation: ['Ping a host', 'Ping 主机'],
    request: z.object({
      target: textRule(host).describe('Name or IP address. No multicast, link-local and metadata addresses')
    }),
    response: PingReply,
    errors: {
      [INVALID_ARG]: 'with `message` for a name that is unknown, or an address that the hub does not ping',
      [READ_ONLY]: 'with `message` if the machine has no ping, or does not let the hub use it',
      [IN_PROGRESS]: 'the user, or the hub, pings too many hosts'
    },
    source: 'own',
    examples: [{ target: '192.0.2.1' }, { target: 'gateway.example' }]
  }
} satisfies CallSchemas
