// The settings of the hub: one row for each part of `setSettings`. docs/wire.md, "Settings".
import * as z from 'zod'
import { faultIssue, port, textRule, wholeNumber } from './fields.schema.ts'
import {
  ADMIN_SESSION_MAX,
  HOST_NAMES_MAX,
  LOG_DAYS,
  LOG_LINES,
  NDI_DISCOVERY_PORT,
  PASSWORD_MAX,
  RTMP_PORT,
  SESSION_EXPIRY,
  SESSION_EXPIRY_MAX,
  SESSION_NEVER,
  SRT_PORT,
  SYSLOG_PORT
} from './limits.ts'
import { NdiDiscoverySettings, NdiServerSettings } from './ndi/settings.schema.ts'
import { onlineAddress } from './online.schema.ts'
import { invitationCode } from './rules/hub.ts'
import { hostName } from './rules/network.ts'
import { PasswordRules } from './rules/password.schema.ts'
import {
  charactersMax,
  DEFAULT_PASSWORD_RULES,
  PASSWORD_CHARACTERS,
  type PasswordCharacters
} from './rules/password.ts'
import { host as hostRule, optional, passphrase } from './rules/rules.ts'
import { SYSLOG_PROTOCOLS } from './settings.ts'
import { isForbiddenServer } from './stream/address-policy.ts'
import { KeyLength } from './stream/protocols.schema.ts'
import type { Translation } from './text/language.ts'

/**
 * One part of the settings. The hub stores it as JSON under its name. Its row of `SETTING_RIGHTS` (settings.ts) says
 * which users may change it, and whether the hub asks for their password.
 */
export interface HubSetting {
  /** The value in requests. */
  schema: z.ZodType
  /** The value in the store and in responses, if it is another one. */
  response?: z.ZodType
  default: unknown
  /** The part of an export that contains it; `hub`: none, because it belongs to the machine. */
  part: 'settings' | 'ndi' | 'hub'
  /**
   * The member that is a secret: responses show it only to callers that may edit the part, and an export without
   * secrets does not contain it. An import then takes it from the hub, or generates one, so that access is refused
   * until a new one is set.
   */
  secret?: { member: string; generated: 'uuid' | 'four digits' }
  /** The vendor's documentation does not have it. */
  own?: true
  /** Name in the operation log, if it is not the wire name. */
  label?: Translation
}

const CHARACTER_KINDS = Object.keys(PASSWORD_CHARACTERS) as PasswordCharacters[]

/** A number of characters in a password. */
const count = wholeNumber(0, PASSWORD_MAX).default(0)

const passwordRules = z
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

const code = textRule(optional(invitationCode)).meta({ example: '0165' }).optional()

/** In the order of responses. */
export const HUB_SETTINGS = {
  security: {
    schema: z
      .object({
        'enable-code': z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean),
        'code-value': code
      })
      .refine((part) => !part['enable-code'] || Boolean(part['code-value']), { path: ['code-value'] }),
    response: z
      .object({ 'enable-code': z.boolean(), 'code-value': z.string().optional() })
      .describe(
        'Invitation code that devices must send to register: 4 digits. `code-value` is returned only to callers that may edit the settings'
      ),
    default: { 'enable-code': false, 'code-value': '' },
    part: 'settings',
    secret: { member: 'code-value', generated: 'four digits' },
    label: ['invitation code', '邀请码']
  },
  'expired-time': {
    schema: z
      .int()
      .min(SESSION_NEVER)
      .max(SESSION_EXPIRY_MAX)
      .refine((minutes) => minutes !== 0)
      .describe('Session expiry in minutes: 1-1440, or -1 for never'),
    default: SESSION_EXPIRY,
    part: 'settings',
    label: ['session expiry', '会话有效期']
  },
  'admin-session': {
    schema: z
      .union([z.literal(SESSION_NEVER), wholeNumber(1, ADMIN_SESSION_MAX)])
      .describe(
        'Hours after the sign-in at which a session of a member of the Admin group ends, however much it is used: 1-12. -1: as the sessions of others; only on a hub that an earlier version has set up, until a number is set'
      ),
    default: SESSION_NEVER,
    part: 'settings',
    own: true,
    label: ['longest session of administrators', '管理员会话最长时间']
  },
  'pwd-rule': {
    schema: passwordRules,
    response: PasswordRules.describe(
      'Rules for new passwords. Existing passwords stay valid. In a write, an absent field requires nothing'
    ),
    default: DEFAULT_PASSWORD_RULES,
    part: 'settings',
    label: ['password rules', '密码规则']
  },
  log: {
    schema: z
      .object({
        'max-lines': wholeNumber(LOG_LINES.min, LOG_LINES.max),
        'max-days': wholeNumber(LOG_DAYS.min, LOG_DAYS.max)
      })
      .describe(
        'Retention of each log: 1,000-1,000,000 lines and 90-3650 days. The operation log keeps the lines of the last 90 days however many they are, up to 1,000,000'
      ),
    default: { 'max-lines': LOG_LINES.default, 'max-days': LOG_DAYS.default },
    part: 'settings',
    own: true,
    label: ['Logs', '日志']
  },
  srt: {
    schema: z
      .object({
        port,
        'pb-key-len': KeyLength.describe('Key length in bytes; 0 without a passphrase'),
        passphrase: textRule((value) => (value === '' ? undefined : passphrase(value)))
          .optional()
          .describe(
            '10-79 characters. Returned only to callers that may edit the settings. Empty or absent in a write: the stored passphrase is kept'
          )
      })
      .describe('Shared SRT port. If it is open, a new one disconnects all clients, and has to be confirmed'),
    default: { port: SRT_PORT, 'pb-key-len': 0, passphrase: '' },
    part: 'settings',
    secret: { member: 'passphrase', generated: 'uuid' },
    label: ['SRT port', 'SRT 端口']
  },
  rtmp: {
    schema: z.object({ port }).describe('Shared RTMP port, as the SRT port'),
    default: { port: RTMP_PORT },
    part: 'settings',
    label: ['RTMP port', 'RTMP 端口']
  },
  hls: {
    schema: z
      .object({ enable: z.boolean() })
      .describe(
        'Whether HLS outputs run. Off stops all of them at once; they start again when it is on. Downloads and other outputs do not depend on it'
      ),
    default: { enable: true },
    part: 'settings',
    own: true,
    label: ['HLS', 'HLS']
  },
  streams: {
    schema: z
      .object({ 'forbid-private': z.boolean() })
      .describe(
        'Address policy: forbids loopback, private and link-local addresses as stream sources and targets, also as the result of a DNS lookup. Prevents users of a hub from probing its network (SSRF)'
      ),
    default: { 'forbid-private': false },
    part: 'settings',
    own: true,
    label: ['addresses of streams', '流地址']
  },
  previews: {
    schema: z
      .object({ 'data-saver': z.boolean() })
      .describe(
        'Default of the data saver, for browsers without a setting of their own: fewer and smaller preview images'
      ),
    default: { 'data-saver': false },
    part: 'settings',
    own: true,
    label: ['data saver', '节省流量']
  },
  syslog: {
    schema: z
      .object({
        protocol: z.enum(SYSLOG_PROTOCOLS),
        host: z.string().max(253).describe('Name or address; empty if `protocol` is `off`'),
        port
      })
      .superRefine(({ protocol, host }, context) => {
        if (protocol === 'off') return
        const fault = hostRule(host) ?? (isForbiddenServer(host) ? { name: 'invalid' as const } : undefined)
        if (fault) context.addIssue({ ...faultIssue(fault), path: ['host'] })
      })
      .describe('A copy of every log line is sent to this syslog server (RFC 5424). Only the Admin group changes it'),
    default: { protocol: 'off', host: '', port: SYSLOG_PORT },
    part: 'settings',
    own: true,
    label: ['syslog server', 'Syslog 服务器']
  },
  'firmware-server': {
    schema: z
      .object({ address: onlineAddress })
      .describe(
        'Address of the folder of a web server with channel files of device firmware, without user and query; empty: none. Only the Admin group changes it'
      ),
    default: { address: '' },
    part: 'settings',
    own: true,
    label: ['firmware server', '固件服务器']
  },
  hosts: {
    schema: z
      .object({ names: z.array(textRule(hostName)).max(HOST_NAMES_MAX) })
      .describe(
        'Names and addresses under which the hub answers, besides its own addresses and its host name: at most 32, without ports. Other names in the Host header are refused (DNS rebinding). Only the Admin group may set them, and not so that the name of the request is refused'
      ),
    default: { names: [] },
    part: 'hub',
    own: true,
    label: ['names of the hub', '中控的名称']
  },
  'ndi-discovery': {
    schema: NdiDiscoverySettings.describe('How the hub announces and finds NDI sources'),
    default: {
      enable: false,
      servers: [],
      'send-groups': '',
      'recv-groups': '',
      'extra-ips': [],
      'machine-name': '',
      ifaces: []
    },
    part: 'ndi'
  },
  channel: {
    schema: z
      .object({ 'ndi-enable': z.boolean() })
      .describe('Whether new channels have an NDI output, unless their request says so itself'),
    default: { 'ndi-enable': false },
    part: 'ndi'
  },
  'hub-ndi-server': {
    schema: NdiServerSettings.describe('The discovery server of the hub'),
    default: { enable: false, port: NDI_DISCOVERY_PORT },
    part: 'ndi'
  }
} as const satisfies Readonly<Record<string, HubSetting>>

type Table = typeof HUB_SETTINGS
export type HubSettingName = keyof Table
type ResponseSchema<Row> = Row extends { response: infer Schema }
  ? Schema
  : Row extends { schema: infer Schema }
    ? Schema
    : never
/** The parts as in responses. */
export type HubSettings = {
  -readonly [Part in HubSettingName]: z.output<Extract<ResponseSchema<Table[Part]>, z.ZodType>>
}
/** The parts as in requests. */
export type HubSettingsRequest = { -readonly [Part in HubSettingName]?: z.output<Table[Part]['schema']> }

type Shape<Row extends 'request' | 'response'> = {
  -readonly [Part in HubSettingName]: Row extends 'request'
    ? z.ZodOptional<Table[Part]['schema']>
    : Extract<ResponseSchema<Table[Part]>, z.ZodType>
}

const rows: [string, HubSetting][] = Object.entries(HUB_SETTINGS)
/** Schemas of the parts in a request. */
export const hubSettingRequests = Object.fromEntries(
  rows.map(([part, { schema }]) => [part, schema.optional()])
) as Shape<'request'>
/** Schemas of the parts in responses. */
export const hubSettingResponses = Object.fromEntries(
  rows.map(([part, { schema, response = schema }]) => [part, response])
) as Shape<'response'>

/** The declaration of a part; undefined if there is none. */
export const hubSetting = (part: string): HubSetting | undefined =>
  Object.hasOwn(HUB_SETTINGS, part) ? HUB_SETTINGS[part as HubSettingName] : undefined
