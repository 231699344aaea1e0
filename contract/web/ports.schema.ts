// Schemas of web/ports.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { NOT_EXIST, WRONG_STATE } from '../codes.ts'
import { emptyRequest } from '../fields.schema.ts'
import { WEB_PORTS } from './ports.ts'

export const WebPortName = z.enum(WEB_PORTS)
export const HubPortName = z.union([WebPortName, z.literal('srt'), z.literal('rtmp')])
export const HubPort = z.object({
  name: HubPortName,
  port: z.int().optional().describe('The open port; absent while it is closed'),
  setting: z.number().describe('The value of the setting: the port that the hub opens at its next start'),
  default: z.number().describe('The value without a setting: that of the environment, or the reset value'),
  reason: z
    .string()
    .optional()
    .describe('Why it is closed, or why another port than that of the setting is open, in the language of the request'),
  'next-step': z.string().optional()
})
/** A new port that waits for its confirmation. Those of `WEB_PORTS` are open beside the ones that they replace. */
export const PortTrial = z.object({
  name: HubPortName,
  port: z.int(),
  'remaining-s': z.number().describe('Seconds until it is closed again')
})
/** How the last change of a port ended. */
export const PortOutcome = z.object({
  name: HubPortName,
  port: z.int(),
  outcome: z.enum(['confirmed', 'not-confirmed', 'canceled']),
  at: z.int().describe('Milliseconds since the epoch')
})
/** The switch of all HLS outputs (the part `hls` of the settings), and what switching it off would interrupt. */
export const HlsState = z.object({
  enable: z.boolean(),
  running: z.number().describe('HLS outputs that carry media, and the players that fetch from them'),
  players: z.number()
})
export const HubPorts = z.object({
  list: z.array(HubPort),
  trial: PortTrial.optional(),
  last: PortOutcome.optional(),
  hls: HlsState
})

export type WebPortName = z.infer<typeof WebPortName>
export type HubPortName = z.infer<typeof HubPortName>
export type HubPort = z.infer<typeof HubPort>
export type PortTrial = z.infer<typeof PortTrial>
export type PortOutcome = z.infer<typeof PortOutcome>
export type HlsState = z.infer<typeof HlsState>
export type HubPorts = z.infer<typeof HubPorts>

export const portsSchemas = {
  'GET /system/ports': {
    summary: 'Lists the ports of the hub, a new port that waits for its confirmation, and how the last change ended.',
    request: emptyRequest,
    response: HubPorts,
    responseNote:
      '`list` of `name` (`http`, `https`, `link`, `files`, `srt`, `rtmp`), `port` (open), `setting`, `default` (of the environment, or the reset value), `reason`; `trial` (`name`, `port`, `remaining-s`); `last` (`name`, `port`, `outcome`: `confirmed`, `not-confirmed` or `canceled`, `at`); `hls`: `enable`, and what switching it off would interrupt: `running` HLS outputs with media, `players`',

    source: 'own',
    examples: [{}]
  },
  'POST /system/ports/confirm': {
    summary: 'Confirms a new port.',
    operation: ['Confirm new port', '确认新端口'],
    request: emptyRequest,
    errors: {
      [NOT_EXIST]: 'no port waits',
      [WRONG_STATE]: 'the request did not arrive at it (not for `srt` and `rtmp`)'
    },
    source: 'own',
    examples: [{}]
  },
  'POST /system/ports/cancel': {
    summary: 'Closes a new port that is not confirmed. The former one stays.',
    operation: ['Undo change of port', '撤销端口更改'],
    request: emptyRequest,
    errors: { [NOT_EXIST]: 'no port waits' },
    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
