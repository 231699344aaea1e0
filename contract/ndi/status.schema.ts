// Schemas of ndi/status.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { emptyRequest } from '../fields.schema.ts'
import { NdiServerState } from './settings.schema.ts'

/** A process that runs with an earlier configuration. */
export const OutdatedNdiProcess = z.object({
  role: z.enum(['find', 'receive', 'send', 'route']),
  name: z.string().describe('Name of the source that it receives or sends'),
  text: z.string().describe('Role and name in the language of the request')
})
/** The discovery server of the hub. */
export const NdiServerStatus = z.object({
  state: NdiServerState.optional().describe('Absent while the engine is away'),
  port: z.int().optional(),
  error: z
    .string()
    .optional()
    .describe(
      'With `retry`: the last line of the program or the error of the system, and the seconds until it is started again'
    ),
  'retry-in-s': z.number().optional(),
  'next-step': z.string().optional().describe('With `not-installed`: how to install it, in the language of the request')
})
export const NdiStatus = z.object({
  runtime: z
    .object({
      version: z.string().optional(),
      reason: z.string().optional(),
      'next-step': z.string().optional(),
      command: z.string().optional()
    })
    .describe(
      'NDI runtime of the hub: its version, or the reason why it is not usable and the next step, in the language of the request; `command` as in the access to a part of the machine'
    ),
  'machine-name': z
    .string()
    .optional()
    .describe('Name under which the hub announces its sources. Absent while the engine is away'),
  outdated: z.array(OutdatedNdiProcess).describe('Processes that keep an earlier configuration until they start again'),
  unusable: z
    .array(z.string())
    .describe('Hosts of the settings that are unknown or forbidden, and network interfaces that do not exist'),
  'ipv6-only': z
    .literal(true)
    .optional()
    .describe(
      '`true`: the hub has IPv6 addresses alone, which NDI does not use: it finds no sources of other machines, and they do not find those of the hub'
    ),
  'account-config': z
    .enum(['merged', 'invalid'])
    .optional()
    .describe('The account of the hub has an NDI configuration of its own: merged, or invalid and ignored'),
  server: NdiServerStatus
})

export type OutdatedNdiProcess = z.infer<typeof OutdatedNdiProcess>
export type NdiServerStatus = z.infer<typeof NdiServerStatus>
export type NdiStatus = z.infer<typeof NdiStatus>

export const ndiStatusSchemas = {
  'GET /ndi/status': {
    summary: 'Returns the state of NDI on the hub.',
    request: emptyRequest,
    response: NdiStatus,
    responseNote:
      '`runtime` (`version`; or `reason`, `next-step` and `command`), `machine-name`, `outdated`, `unusable`, `ipv6-only`, `account-config`, `server`',

    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
