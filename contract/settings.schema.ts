// Schemas of settings.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { INVALID_ARG, NOT_PERMITTED, OBJECT_BUSY, PORT_OCCUPIED, REAUTHENTICATION_REQUIRED } from './codes.ts'
import { emptyRequest, faultIssue, port, textRule, wholeNumber } from './fields.schema.ts'
import { HOST_NAMES_MAX, LOG_DAYS, LOG_LINES, SESSION_EXPIRY_MAX, SESSION_NEVER } from './limits.ts'
import { HubName } from './machine/name.schema.ts'
import { NdiDiscoverySettings, NdiServerSettings, NdiServerState, ndiSettings } from './ndi/settings.schema.ts'
import { invitationCode } from './rules/hub.ts'
import { hostName } from './rules/network.ts'
import { PasswordRules } from './rules/password.schema.ts'
import { charactersMax } from './rules/password.ts'
import { host as hostRule, passphrase } from './rules/rules.ts'
import { SYSLOG_PROTOCOLS } from './settings.ts'
import { isForbiddenServer } from './stream/address-policy.ts'
import { KeyLength } from './stream/protocols.schema.ts'
import { CHARACTER_KINDS, count, webPart } from './system.schema.ts'
import { TrialStart, WebSettings } from './web/settings.schema.ts'

export const SrtSettings = z.object({
  port: z.int(),
  'pb-key-len': KeyLength.describe('Key length in bytes; 0 without a passphrase'),
  passphrase: z
    .string()
    .optional()
    .describe(
      '10-79 characters. Returned only to callers that may edit the settings. Empty or absent in a write: the stored passphrase is kept'
    )
})
export const SyslogTarget = z.object({
  protocol: z.enum(SYSLOG_PROTOCOLS),
  host: z.string().describe('Name or IPv4 address; empty if `protocol` is `off`'),
  port: z.int()
})
export const Settings = z.object({
  security: z
    .object({
      'enable-code': z.boolean(),
      'code-value': z.string().optional()
    })
    .describe(
      'Invitation code that devices must send to register: 4 digits. `code-value` is returned only to callers that may edit the settings'
    ),
  'pwd-rule': PasswordRules.describe(
    'Rules for new passwords. Existing passwords stay valid. In a write, an absent field requires nothing'
  ),
  'expired-time': z.int().describe('Session expiry in minutes: 1-1440, or -1 for never'),
  log: z
    .object({
      'max-lines': z.number(),
      'max-days': z.number()
    })
    .describe(
      'Retention of each log: 1,000-1,000,000 lines and 90-3650 days. Only the Admin group changes it, because a smaller one erases lines'
    ),
  srt: SrtSettings.describe(
    'Shared SRT port. If it is open, a new one disconnects all clients, and has to be confirmed'
  ),
  rtmp: z
    .object({
      port: z.int()
    })
    .describe('Shared RTMP port, as the SRT port'),
  hls: z
    .object({
      enable: z.boolean()
    })
    .describe(
      'Whether HLS outputs run. Off stops all of them at once; they start again when it is on. Downloads and other outputs do not depend on it'
    ),
  streams: z
    .object({
      'forbid-private': z.boolean()
    })
    .describe(
      'Address policy: forbids loopback, private and link-local addresses as stream sources and targets, also as the result of a DNS lookup. Prevents users of a hub from probing its network (SSRF)'
    ),
  previews: z
    .object({
      'data-saver': z.boolean()
    })
    .describe(
      'Default of the data saver, for browsers without a setting of their own: fewer and smaller preview images'
    ),
  hosts: z
    .object({
      names: z.array(z.string())
    })
    .describe(
      'Names and addresses under which the hub answers, besides its own addresses and its host name: at most 32, without ports. Other names in the Host header are refused (DNS rebinding). Only the Admin group may set them, and not so that the name of the request is refused'
    ),
  syslog: SyslogTarget.describe(
    'A copy of every log line is sent to this syslog server (RFC 5424). Only the Admin group changes it'
  ),
  'ndi-discovery': NdiDiscoverySettings.describe('How the hub announces and finds NDI sources'),
  channel: z
    .object({
      'ndi-enable': z.boolean()
    })
    .describe('Whether new channels have an NDI output, unless their request says so itself'),
  'hub-ndi-server': z
    .object({ ...NdiServerSettings.shape, state: NdiServerState.optional() })
    .describe('The discovery server of the hub. `state` is only in responses; absent while the engine is away')
})

export type SrtSettings = z.infer<typeof SrtSettings>
export type SyslogTarget = z.infer<typeof SyslogTarget>
export type Settings = z.infer<typeof Settings>

/** Rules for new passwords. An absent field requires nothing. */
const passwordRulesRequest = z
  .object({
    length: count,
    lowercase: count,
    uppercase: count,
    number: count,
    special: count,
    'chk-name': z
      .union([z.boolean(), z.literal(0), z.literal(1)])
      .transform(Number)
      .default(0)
  })
  .superRefine((rules, context) => {
    const kind = CHARACTER_KINDS.find((each) => rules[each] > charactersMax(rules, each))
    if (!kind) return
    const fault = { name: 'range', min: 0, max: Math.max(0, charactersMax(rules, kind)) } as const
    context.addIssue({ ...faultIssue(fault), path: [kind] })
  }) as unknown as z.ZodType<Partial<PasswordRules>>

export const settingsSchemas = {
  'GET /settings/get': {
    summary: 'Returns the parts that the caller may read. `setDeviceName` sets the part `name`.',
    request: emptyRequest,
    response: z.object({
      settings: z.object({ ...Settings.partial().shape, web: WebSettings.optional(), name: HubName.optional() })
    }),
    responseNote:
      '`settings` with the parts that the caller may read: those about [NDI](#ndi-settings) with NDI_VIEW, all others with SYSTEM_CONFIG_VIEW',

    source: 'vendor; own: `settings` as a wrapper',
    examples: [{}]
  },
  'POST /settings/set': {
    summary:
      'Sets exactly one part per call. Password rules, and `web` with a certificate, take a recent proof of the password (1100), and no access token (31). `web`: 38 with `fault` for a combination that would make the console unreachable, -102 and -103 for a certificate and a key that cannot be used. With a new port, `trial`.',
    request: z
      .object({
        security: z
          .object({
            'enable-code': z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean),
            'code-value': textRule(invitationCode).optional()
          })
          .refine((part) => !part['enable-code'] || part['code-value'] !== undefined, { path: ['code-value'] })
          .optional(),
        'expired-time': z
          .int()
          .min(SESSION_NEVER)
          .max(SESSION_EXPIRY_MAX)
          .refine((minutes) => minutes !== 0)
          .optional(),
        'pwd-rule': passwordRulesRequest.optional(),
        log: z
          .object({
            'max-lines': wholeNumber(LOG_LINES.min, LOG_LINES.max),
            'max-days': wholeNumber(LOG_DAYS.min, LOG_DAYS.max)
          })
          .optional(),
        srt: z
          .object({
            port,
            'pb-key-len': z.union([z.literal(0), z.literal(16), z.literal(24), z.literal(32)]),
            passphrase: textRule((value) => (value === '' ? undefined : passphrase(value))).optional()
          })
          .optional(),
        rtmp: z.object({ port }).optional(),
        hls: z.object({ enable: z.boolean() }).optional(),
        web: webPart.optional(),
        streams: z.object({ 'forbid-private': z.boolean() }).optional(),
        previews: z.object({ 'data-saver': z.boolean() }).optional(),
        hosts: z.object({ names: z.array(textRule(hostName)).max(HOST_NAMES_MAX) }).optional(),
        syslog: z
          .object({ protocol: z.enum(SYSLOG_PROTOCOLS), host: z.string().max(253), port })
          .refine(
            ({ protocol, host }) => protocol === 'off' || (hostRule(host) === undefined && !isForbiddenServer(host)),
            { path: ['host'] }
          )
          .optional(),
        ...ndiSettings,
        force: z.boolean().optional()
      })
      .refine(({ force: _, ...parts }) => Object.values(parts).filter((part) => part !== undefined).length === 1),
    requestNote:
      'exactly one of `security`, `pwd-rule`, `expired-time`, `log`, `srt`, `rtmp`, `hls`, `web`, `streams`, `previews`, `syslog`, `hosts`, `ndi-discovery`, `channel`, `hub-ndi-server`; `force`',
    response: z.object({
      trial: TrialStart.optional()
    }),
    responseNote: '`trial` with a new port',
    errors: {
      [INVALID_ARG]: '',
      [NOT_PERMITTED]:
        'NDI_EDIT changes the parts about NDI and no others, SYSTEM_CONFIG_EDIT changes all others; only the Admin group sets `pwd-rule`, `log`, `syslog` and `hosts`',
      [REAUTHENTICATION_REQUIRED]: 'for `pwd-rule`, and for `web` with `cert-filename`',
      [PORT_OCCUPIED]: 'with `holder`',
      [OBJECT_BUSY]: 'for a port with clients ([Ports of the hub](#ports-of-the-hub))'
    },
    source: 'vendor; own: `force`, `log`, `hls`, `streams`, `previews`, `syslog`, `hosts`',
    examples: [
      { web: { 'http-port': 8081, 'enable-https': true, 'cert-filename': '', 'cert-key-filename': '' } },
      { 'expired-time': -1 },
      { 'expired-time': 1440 },
      { 'pwd-rule': {} },
      { 'pwd-rule': { length: 32, lowercase: 8, uppercase: 8, number: 8, special: 8, 'chk-name': 1 } },
      { security: { 'enable-code': true, 'code-value': '0000' } },
      { security: { 'enable-code': false } },
      { srt: { port: 8000, 'pb-key-len': 0 } },
      { srt: { port: 65535, 'pb-key-len': 32, passphrase: 'x'.repeat(79) } },
      { rtmp: { port: 1935 } },
      { hls: { enable: false } },
      {
        'ndi-discovery': {
          enable: true,
          servers: [
            { address: '192.0.2.5', port: 5959 },
            { address: 'ndi.example.com', port: 1 }
          ],
          'send-groups': 'Public,演播室',
          'recv-groups': '',
          'extra-ips': ['192.0.2.6', 'cam.example.com'],
          'machine-name': 'Studio 1',
          ifaces: ['eth0', '192.0.2.7']
        }
      },
      { channel: { 'ndi-enable': true } },
      { 'hub-ndi-server': { enable: true, port: 5959 } },
      { streams: { 'forbid-private': true } },
      { previews: { 'data-saver': true } },
      { hosts: { names: ['headend.example', '192.0.2.1', '2001:db8::1', 'hub'] } }
    ]
  }
} satisfies CallSchemas
