// Schemas of call.
import * as z from 'zod'
import { SwapLoss } from './device/swap.schema.ts'
import { own, vendor } from './fields.schema.ts'
import { LicenseLimits, LicenseRefusal } from './license/license.schema.ts'
import { OffAirChannel } from './off-air.schema.ts'

/** Further field of responses about passwords and codes. */
export const LockoutInfo = z.object({
  'locked-s': z
    .number()
    .optional()
    .meta({ ...own('Seconds until this client address may try this user name again'), example: undefined })
})
/**
 * The component that has a port of the hub open: the web server, with or without TLS, the files server, device
 * registration, a shared port, a port forward, an input, an output, or the panel port of a matrix.
 */
export const PortHolder = z.object({
  of: z.enum([
    'web',
    'https',
    'files',
    'links',
    'srt',
    'rtmp',
    'forward',
    'ndi-server',
    'input',
    'output',
    'panel',
    'program'
  ]),
  name: z
    .string()
    .optional()
    .describe('Name of the input, output or matrix. Of a program of the machine only if the hub may know it')
})
/** Kinds of objects that have their own wording in response messages. */
export const ObjectKind = z.enum(['user', 'group', 'server'])
/** The last change of an object, or its deletion. */
export const LastChange = z.object({
  name: z.string().describe('Name of the user'),
  token: z.string().optional().describe('Name of the access token with which a program of the user called'),
  time: z.int().describe('Milliseconds since the epoch'),
  event: z.string().describe('Path of the call, as in the operation log'),
  what: z.string().optional().describe('Description of the call in the language of the request')
})
/**
 * Fields that every response can have. All fields except `result` are optional details for error messages. See
 * docs/wire.md, "Result codes".
 */
export const Envelope = z.object({
  result: z.number().meta(vendor('Result code, see [Result codes](#result-codes)')),
  field: z.string().optional().meta(own('Path of the request field that caused the error, such as `config.url`')),
  fault: z.string().optional().meta(own('Name of the violated rule, see [Validation rules](#validation-rules)')),
  also: z
    .array(z.object({ field: z.string(), fault: z.string().optional() }))
    .optional()
    .meta(own('With 7: further invalid fields, each with its fault')),
  port: z.int().optional().meta(own('The occupied port')),
  holder: PortHolder.optional().meta(
    own(
      'The component that has the port: `of` is `web`, `files` (HLS and downloads), `links`, `srt`, `rtmp`, `forward`, `ndi-server`, `input`, `output`, `panel`, or `program`: another program of the machine; `name` is the name of the input, output or matrix, or of the program if the hub may know it. With 41 and `server`: the output that has the target'
    )
  ),
  min: z.number().optional().meta(own('With 7: a number of the fault')),
  max: z.number().optional().meta(own('The limit')),
  of: z
    .union([ObjectKind, LicenseLimits.keyof()])
    .optional()
    .meta(own('17: `user`, `group` or `server`. 1006: name of the licence limit')),
  'license-state': z
    .int()
    .optional()
    .meta(own('With a licence that is not valid: its state (`LICENSE_STATE`), like `result`')),
  'license-reason': LicenseRefusal.optional().meta(
    own('With `license-state`: why, if the state alone does not say it')
  ),
  used: z.number().optional().meta(own('Number of objects in use')),
  exists: ObjectKind.optional().meta(
    own('Kind of the existing object: `user`, `group` or `server` (the target of another output)')
  ),
  'owner-i': z
    .array(z.string())
    .optional()
    .meta(
      vendor(
        'With 1005, and with 1003 if `force` overwrites: names of the channels that use an input or an output',
        'own: in errors'
      )
    ),
  'owner-o': z
    .array(z.string())
    .optional()
    .meta(vendor('Names of the channels that use an input or output. For callers with CHANNEL_VIEW', 'own: in errors')),
  'same-host': z
    .string()
    .optional()
    .meta(own('The host that would be both of an input and of an output of the channel')),
  losses: z
    .array(SwapLoss)
    .optional()
    .meta(
      own(
        'What a device cannot take over from another one: `input`, `output`, `recording`, `connection`, `picture`, `name`; `offline`: it gets the name when it is back, and channels wait for it'
      )
    ),
  'switch-fault': z
    .enum(['stopped', 'no-media', 'no-slate'])
    .optional()
    .meta(own('Why an input cannot be put on air: `stopped`, `no-media`, `no-slate`')),
  'owner-hidden': z
    .literal(true)
    .optional()
    .meta(own('`true`: channels that the caller may not see use the object, too')),
  'off-air': z
    .array(OffAirChannel)
    .optional()
    .meta(
      own(
        'With `dry-run`: the channels that the call takes off air. With 1005 and 1009 those that it takes off air with `force`'
      )
    ),
  'off-air-hidden': z.int().optional().meta(own('Number of further channels in `off-air` that the caller may not see')),
  forbidden: z.literal(true).optional().meta(own('`true`: the address policy forbids this address for streams')),
  api: z.enum(['usapi', 'mwapi', 'api']).optional().meta(own('Generation whose own code `result` is')),
  message: z
    .string()
    .optional()
    .meta(
      own(
        'Error message in the language of the request. The first line says what happened, further lines what to do next. Absent if the result code says it all'
      )
    ),
  by: LastChange.optional().meta(
    own(
      'Last change or deletion of the object: `name` of the user, `token` (name of the access token of a program of the user), `time`, `event` (path of the call), `what` (its description)'
    )
  )
})

export type LockoutInfo = z.infer<typeof LockoutInfo>
export type PortHolder = z.infer<typeof PortHolder>
export type ObjectKind = z.infer<typeof ObjectKind>
export type LastChange = z.infer<typeof LastChange>
export type Envelope = z.infer<typeof Envelope>
