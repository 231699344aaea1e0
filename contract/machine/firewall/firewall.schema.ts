// Schemas of machine/firewall/firewall.
import * as z from 'zod'
import type { CallSchemas } from '../../call.schema.ts'
import { IN_PROGRESS, INVALID_ARG, NOT_EXIST, OBJECT_BUSY, READ_ONLY, STATE_CHANGED, WRONG_STATE } from '../../codes.ts'
import { emptyRequest, own, textRule } from '../../fields.schema.ts'
import { FIREWALL_RULES_MAX } from '../../limits.ts'
import { dryRun } from '../../off-air.schema.ts'
import { firewallRemark, firewallSource } from '../../rules/firewall.ts'
import { firewallPort } from '../../rules/number.ts'
import { MachineAccess } from '../machine.schema.ts'
import { FIREWALL_MODE, FIREWALL_UNDO_REASONS, RULE_PROTOCOL } from './firewall.ts'

const rule = z.object({
  port: textRule(firewallPort),
  protocol: z.literal(Object.values(RULE_PROTOCOL)),
  source: textRule(firewallSource).optional(),
  remark: textRule(firewallRemark),
  enable: z.boolean()
})

export const FirewallMode = z.literal(Object.values(FIREWALL_MODE))
export const RuleProtocol = z.literal(Object.values(RULE_PROTOCOL))
/** Opens ports in the mode `rules`. */
export const FirewallRule = z.object({
  port: z.string().describe('A port, or a range `a-b`'),
  protocol: RuleProtocol.describe('0 TCP, 1 UDP, 2 both'),
  source: z
    .string()
    .optional()
    .describe('Address, or network in CIDR notation, from which the ports are open; absent or empty: from everywhere'),
  remark: z.string().describe('Note of the user; may be empty'),
  enable: z.boolean().describe('A rule that is disabled opens nothing')
})
/** What users set. */
export const FirewallSettings = z.object({
  mode: FirewallMode.meta(own('Which ports are open: -1 `rules`, 0 `blocked`, 1 `open`')),
  rules: z.array(FirewallRule)
})
/** Packets and bytes that the kernel has counted. */
export const PacketCount = z.object({
  packets: z.int().describe('Number of packets'),
  bytes: z.int().describe('Number of bytes')
})
/** What the hub itself uses a port for. */
export const PortUse = z.enum([
  'http',
  'https',
  'link',
  'files',
  'srt',
  'rtmp',
  'forward',
  'panel',
  'input',
  'output',
  'ndi',
  'ndi-input',
  'ndi-server',
  'mdns'
])
/** A port of the hub itself, or a range of ports. */
export const HubFirewallPort = z.object({
  port: z.int(),
  'last-port': z.int().optional().describe('Last port of a range; absent for a single port'),
  protocol: z.union([z.literal(RULE_PROTOCOL.tcp), z.literal(RULE_PROTOCOL.udp)]),
  use: PortUse,
  label: z
    .string()
    .describe(
      'The use in the language of the request, with the name of the input, output or matrix if the caller may see it'
    ),
  'is-console': z.literal(true).optional().describe('It is never blocked'),
  streams: z.array(z.string()).optional().describe('Names of the running channels whose streams use the port'),
  'hidden-streams': z
    .literal(true)
    .optional()
    .describe('Running channels that the caller may not see use the port, too'),
  'one-way': z
    .literal(true)
    .optional()
    .describe('Its streams have no connection that would stay: they end when the port is blocked')
})
/** A change that is undone unless it is confirmed in time. */
export const FirewallChange = z.object({
  ...FirewallSettings.shape,
  'seconds-left': z.number(),
  by: z.string().describe('User who made it')
})
export const FirewallUndoReason = z.enum(FIREWALL_UNDO_REASONS)
/** How the last change ended. */
export const FirewallOutcome = z.object({
  time: z.int().describe('Milliseconds since the epoch'),
  by: z.string(),
  outcome: z.enum(['kept', 'undone']),
  reason: FirewallUndoReason.optional().describe('With `undone`'),
  text: z.string().optional().describe('The reason in the language of the request'),
  request: FirewallSettings.optional().describe(
    'With `undone`: the requested settings, so that a client can offer it again'
  )
})
export const FirewallState = z.object({
  ...FirewallSettings.shape,
  access: MachineAccess.meta(own('As in the network of the machine')),
  revision: z
    .string()
    .meta(
      own(
        'Hash of the stored `mode` and `rules`. `POST /api/firewall/set` with it is an optimistic lock: if the settings have another one by then, the call fails with 1004 and changes nothing'
      )
    ),
  'in-effect': z
    .boolean()
    .optional()
    .meta(
      own(
        'Whether the kernel has these settings; absent while it is unknown: in view mode, without the firewall service, and while a change waits for its confirmation'
      )
    ),
  counts: z
    .array(PacketCount.nullable())
    .optional()
    .meta(
      own(
        '`packets` and `bytes` that arrived at the ports of each rule; null for rules without effect. Of several rules that match, the first one counts'
      )
    ),
  refused: PacketCount.optional().meta(own('What arrived at blocked ports')),
  'counted-since': z.int().optional().meta(own('When the counters began, in milliseconds since the epoch')),
  ports: z
    .array(HubFirewallPort)
    .meta(
      own(
        'The ports of the hub itself: `port`, `last-port` of a range, `protocol`, `use` (`http`, `https`, `link`, `files`, `srt`, `rtmp`, `forward`, `panel`, `input`, `output`, `ndi`, `ndi-input`, `ndi-server`, `mdns`), `label` (the use in the language of the request, with the name of the input, output or matrix), `is-console` (never blocked), `streams` (names of running channels that use it), `hidden-streams` (further ones that the caller may not see), `one-way` (its streams end when it is blocked)'
      )
    ),
  change: FirewallChange.optional(),
  last: FirewallOutcome.optional()
})

export type FirewallMode = z.infer<typeof FirewallMode>
export type RuleProtocol = z.infer<typeof RuleProtocol>
export type FirewallRule = z.infer<typeof FirewallRule>
export type FirewallSettings = z.infer<typeof FirewallSettings>
export type PacketCount = z.infer<typeof PacketCount>
export type PortUse = z.infer<typeof PortUse>
export type HubFirewallPort = z.infer<typeof HubFirewallPort>
export type FirewallChange = z.infer<typeof FirewallChange>
export type FirewallUndoReason = z.infer<typeof FirewallUndoReason>
export type FirewallOutcome = z.infer<typeof FirewallOutcome>
export type FirewallState = z.infer<typeof FirewallState>

export const firewallSchemas = {
  'GET /firewall/get': {
    summary:
      'Returns the rules of the firewall, what they count, the ports of the hub, and a change that waits for its confirmation.',
    request: emptyRequest,
    response: FirewallState,

    source: 'vendor: path; own: the other fields',
    examples: [{}]
  },
  'POST /firewall/set': {
    summary:
      'Replaces mode and rules. A change that blocks a port is undone after 60 s without `confirmFirewall`; `change` is then present.',
    operation: ['Set firewall', '设置防火墙'],
    request: z.object({
      mode: z.literal(Object.values(FIREWALL_MODE)),
      rules: z.array(rule).max(FIREWALL_RULES_MAX),
      force: z.boolean().optional().describe('Also if ports are blocked that running channels use'),
      revision: z
        .string()
        .max(64)
        .optional()
        .describe('Optimistic lock: `revision` of the settings that the caller last read. Default: any'),
      ...dryRun
    }),
    response: z.object({
      change: FirewallChange.optional()
    }),
    responseNote: '`change` if the change has to be confirmed',
    errors: {
      [INVALID_ARG]: 'with `rules.port` and `taken` for two equal rules',
      [READ_ONLY]: 'with `message` if the hub cannot change the firewall',
      [IN_PROGRESS]: 'another change waits, or with `revision` is being applied',
      [STATE_CHANGED]: 'the settings have another `revision`',
      [OBJECT_BUSY]: 'with `owner-i`: ports are blocked that running channels use'
    },
    source: 'vendor: path, `mode`, `rules`; own: the others',
    examples: [
      { mode: 0, rules: [] },
      { mode: 1, rules: [{ port: '1', protocol: 0, remark: '', enable: false }] },
      { mode: 1, rules: [{ port: '9000', protocol: 1, source: '192.168.1.0/24', remark: '', enable: false }] }
    ]
  },
  'POST /firewall/confirm': {
    summary:
      'Keeps or undoes the change. To keep it, the request must arrive over a connection that was opened after the change; else 38.',
    operation: ['Keep or undo firewall change', '保留或撤销防火墙更改'],
    request: z.object({ keep: z.boolean().optional().describe('default `true`; `false`: go back') }),
    errors: { [NOT_EXIST]: 'no change waits', [WRONG_STATE]: 'not from a new connection' },
    source: 'own',
    examples: [{}, { keep: false }]
  }
} satisfies CallSchemas
