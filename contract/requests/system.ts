// Request schemas of the calls for the system.
import * as z from 'zod'
import { getRevisions } from '../change-feed.ts'
import { HOST_NAMES_MAX, LOG_DAYS, LOG_LINES, SESSION_EXPIRY_MAX, SESSION_NEVER } from '../limits.ts'
import { hostName } from '../rules/network.ts'
import { host as hostRule, passphrase } from '../rules/rules.ts'
import { getSettings, SYSLOG_PROTOCOLS, setSettings } from '../settings.ts'
import { describeApi, listAddresses, retryPorts, systemStatus } from '../system.ts'
import { defineSchema, emptyRequest, port, queryNumber, textRule, wholeNumber } from './schema.ts'

defineSchema(systemStatus, z.object({ 'global-config': queryNumber(0, 1), history: queryNumber(0, 1) }))
defineSchema(getRevisions, emptyRequest)
defineSchema(describeApi, emptyRequest)
defineSchema(retryPorts, emptyRequest)
defineSchema(listAddresses, emptyRequest)

defineSchema(getSettings, emptyRequest)
defineSchema(
  setSettings,
  z
    .object({
      security: z
        .object({
          'enable-code': z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean),
          'code-value': z
            .string()
            .regex(/^\d{4}$/)
            .optional()
        })
        .refine((part) => !part['enable-code'] || part['code-value'] !== undefined, { path: ['code-value'] })
        .optional(),
      'expired-time': z
        .int()
        .min(SESSION_NEVER)
        .max(SESSION_EXPIRY_MAX)
        .refine((minutes) => minutes !== 0)
        .optional(),
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
      streams: z.object({ 'forbid-private': z.boolean() }).optional(),
      hosts: z.object({ names: z.array(textRule(hostName)).max(HOST_NAMES_MAX) }).optional(),
      syslog: z
        .object({ protocol: z.enum(SYSLOG_PROTOCOLS), host: z.string().max(253), port })
        .refine(({ protocol, host }) => protocol === 'off' || hostRule(host) === undefined, { path: ['host'] })
        .optional()
    })
    .refine((settings) => Object.values(settings).filter((part) => part !== undefined).length === 1)
)
