// Request schemas of the calls for the system.
import * as z from 'zod'
import { getRevisions } from '../change-feed.ts'
import { HOST_NAMES_MAX, LOG_DAYS, LOG_LINES, PASSWORD_MAX, SESSION_EXPIRY_MAX, SESSION_NEVER } from '../limits.ts'
import { setDeviceName } from '../machine/name.ts'
import { hubName, invitationCode } from '../rules/hub.ts'
import { hostName } from '../rules/network.ts'
import { charactersMax, PASSWORD_CHARACTERS, type PasswordCharacters } from '../rules/password.ts'
import { host as hostRule, passphrase } from '../rules/rules.ts'
import { getSettings, SYSLOG_PROTOCOLS, setSettings } from '../settings.ts'
import { isForbiddenServer } from '../stream/address-policy.ts'
import { describeApi, listAddresses, retryPorts, systemStatus } from '../system.ts'
import { uploadCertificate, uploadCertificateKey } from '../web/certificate.ts'
import { cancelPort, confirmPort, listPorts } from '../web/ports.ts'
import { ndiSettings } from './ndi/settings.ts'
import { defineSchema, emptyRequest, faultIssue, port, queryNumber, textRule, wholeNumber } from './schema.ts'

defineSchema(systemStatus, z.object({ 'global-config': queryNumber(0, 1), history: queryNumber(0, 1) }))
defineSchema(getRevisions, emptyRequest)
defineSchema(describeApi, emptyRequest)
defineSchema(retryPorts, emptyRequest)
defineSchema(listAddresses, emptyRequest)
for (const call of [uploadCertificate, uploadCertificateKey, listPorts, confirmPort, cancelPort])
  defineSchema(call as never, emptyRequest)

const CHARACTER_KINDS = Object.keys(PASSWORD_CHARACTERS) as PasswordCharacters[]
/** A number of characters in a password. */
const count = wholeNumber(0, PASSWORD_MAX).default(0)

/** A name as an upload returned it. Empty: none. */
const uploadName = z.string().max(64)

const webPart = z
  .object({
    'http-port': port,
    'https-port': port,
    'link-port': port,
    'files-port': port,
    'enable-https': z.boolean(),
    'redirect-http': z.boolean(),
    hsts: z.boolean(),
    'cert-filename': uploadName,
    'cert-key-filename': uploadName
  })
  .partial()
  .refine((part) => (part['cert-filename'] === undefined) === (part['cert-key-filename'] === undefined), {
    path: ['cert-key-filename']
  })

defineSchema(getSettings, emptyRequest)
defineSchema(setDeviceName, z.object({ name: textRule(hubName) }))
defineSchema(
  setSettings,
  z
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
      'pwd-rule': z
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
        })
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
    .refine(({ force: _, ...parts }) => Object.values(parts).filter((part) => part !== undefined).length === 1)
)
