// The shape of every request, for the hub alone: the console pays nothing for it. Typed against the call it belongs to, so the two
// cannot drift; a house test demands one for each declared call.
// Unknown fields are dropped. Numbers in a query arrive as text and are read here.
import * as z from 'zod'
import type { Call } from './call.ts'
import {
  addChannel,
  addChannelOutputs,
  channelDashboard,
  deleteChannelOutputs,
  deleteChannels,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from './channel.ts'
import { acceptDevices, deleteDevices, listDevices, listDevicesBySerial, queryDevice, rejectDevices } from './device.ts'
import { changes } from './feed.ts'
import {
  LATENCY_MAX,
  LATENCY_MIN,
  PASSPHRASE_MAX,
  PORT_MAX,
  SERVERS_MAX,
  SESSION_EXPIRY_MAX,
  SESSION_NEVER
} from './limits.ts'
import { listLog } from './log.ts'
import { clearPreview, openPreview, setupPreview } from './preview.ts'
import { RTMP, SRT } from './protocols.ts'
import { type Fault, host, streamId, streamKey, streamName, passphrase as validPassphrase, wireKey } from './rules.ts'
import { changePassword, login, logout, logoutByGet, whoAmI } from './session.ts'
import { getSettings, setSettings } from './settings.ts'
import {
  addInput,
  addOutput,
  deleteInputs,
  deleteOutputs,
  listInputs,
  listOutputs,
  setInput,
  setOutput
} from './source.ts'
import { sourceUrl } from './source-url.ts'
import { systemStatus } from './system.ts'

const shapes = new Map<Call, z.ZodType>()

function shape<Request>(call: Call<Request, never> | Call<Request>, type: z.ZodType<Request>): void {
  shapes.set(call as Call, type)
}

/** The shape of a declared call's request. */
export function requestShape(call: Call): z.ZodType | undefined {
  return shapes.get(call)
}

/** Every call that has a request shape. */
export function declaredCalls(): Call[] {
  return [...shapes.keys()]
}

/** Text under a rule of `rules.ts`; a fault's name becomes the message. */
function ruled(rule: (value: string) => Fault | undefined): z.ZodType<string> {
  return z
    .string()
    .max(4096)
    .superRefine((value, context) => {
      const fault = rule(value)
      if (fault) context.addIssue({ code: 'custom', message: fault.name })
    })
}

const id = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const ids = z.union([id, z.array(id).min(1).max(1000)])
const md5 = z.string().regex(/^[0-9a-f]{32}$/)
const serial = z.string().regex(/^[\w-]{1,64}$/)
const serials = z.object({ sn: z.array(serial).min(1).max(1000) })
const port = z.int().min(1).max(PORT_MAX)
/** No control characters: a login of an output ends up in the arguments of a process. */
const text = z
  .string()
  .max(256)
  .regex(/^\P{Cc}*$/u)

/** A whole number in a query. Empty text is not 0. */
function queryNumber(min: number, max: number) {
  return z
    .union([
      z.int(),
      z
        .string()
        .regex(/^-?\d{1,16}$/)
        .transform(Number)
    ])
    .pipe(z.int().min(min).max(max))
    .optional()
}

const nothing = z.object({})
const page = { start: queryNumber(0, 1e9), count: queryNumber(0, 10_000) }
const order = z.enum(['ascending', 'descending']).optional()
const since = queryNumber(0, Number.MAX_SAFE_INTEGER)
const parts = {
  'output-start': queryNumber(0, 1e6),
  'output-count': queryNumber(0, 1000),
  'client-start': queryNumber(0, 1e6),
  'client-count': queryNumber(0, 1000)
}

shape(login, z.object({ id: z.string().min(1).max(64), pass: md5 }))
shape(logout, nothing)
shape(logoutByGet, nothing)
shape(whoAmI, nothing)
shape(
  changePassword,
  z.object({ name: z.string().min(1).max(64).optional(), 'old-passwd': md5.optional(), passwd: md5 })
)
shape(systemStatus, z.object({ 'global-config': queryNumber(0, 1), history: queryNumber(0, 1) }))
shape(changes, nothing)

shape(
  listDevices,
  z.object({
    ...page,
    'reg-state': z.enum(['accepted', 'rejected', 'waiting']).optional(),
    catalog: queryNumber(0, 1e9),
    module: queryNumber(0, 4294967295),
    dir: z.enum(['none', 'input', 'output']).optional(),
    status: z
      .string()
      .regex(/^(dev-warns|offline|warns|online)(,(dev-warns|offline|warns|online)){0,3}$/)
      .optional(),
    'is-favorite': queryNumber(0, 1),
    key: text.optional(),
    sort: z.enum(['online-state', 'sn', 'name', 'time', 'module', 'connect-ip', 'firmware-ver']).optional(),
    order,
    since
  })
)
shape(listDevicesBySerial, serials)
shape(queryDevice, z.object({ sn: serial }))
shape(acceptDevices, serials)
shape(rejectDevices, serials)
shape(deleteDevices, serials)

const sourceList = z.object({ ...page, key: text.optional(), sort: z.enum(['name']).optional(), order })
const inputBody = { name: ruled(streamName), config: z.object({ type: z.literal(1), url: ruled(sourceUrl) }) }
shape(listInputs, sourceList)
shape(addInput, z.object(inputBody))
shape(setInput, z.object({ id, ...inputBody }))
shape(deleteInputs, z.object({ id: ids, force: z.boolean().optional() }))

const rtmpOutput = z.object({
  url: ruled((value) => sourceUrl(value) ?? (/^rtmps?:/i.test(value) ? undefined : { name: 'scheme' })),
  key: ruled(streamKey).optional(),
  'enable-auth': z.boolean().optional(),
  username: text.optional(),
  password: text.optional()
})
const srtOutput = z
  .object({
    mode: z.enum(['caller', 'listener']),
    'dst-ip': ruled(host).optional(),
    'dst-port': port.optional(),
    'bind-port': port.optional(),
    'stream-id': ruled(streamId).optional(),
    latency: z.int().min(LATENCY_MIN).max(LATENCY_MAX).optional(),
    enc: z.enum(['disable', 'aes-128', 'aes-192', 'aes-256']).optional(),
    passphrase: z.union([z.literal(''), ruled(validPassphrase)]).optional()
  })
  .superRefine((config, context) => {
    const missing = (field: string) => context.addIssue({ code: 'custom', message: 'required', path: [field] })
    if (config.mode === 'listener' && !config['bind-port']) missing('bind-port')
    if (config.mode === 'caller' && !config['dst-ip']) missing('dst-ip')
    if (config.mode === 'caller' && !config['dst-port']) missing('dst-port')
    if ((config.passphrase?.length ?? 0) > PASSPHRASE_MAX) missing('passphrase')
  })
const rtmpBody = { name: ruled(streamName), protocol: z.literal(RTMP), config: rtmpOutput }
const srtBody = { name: ruled(streamName), protocol: z.literal(SRT), config: srtOutput }
shape(listOutputs, sourceList)
shape(addOutput, z.discriminatedUnion('protocol', [z.object(rtmpBody), z.object(srtBody)]))
shape(setOutput, z.discriminatedUnion('protocol', [z.object({ id, ...rtmpBody }), z.object({ id, ...srtBody })]))
shape(deleteOutputs, z.object({ id: ids, force: z.boolean().optional() }))

shape(
  channelDashboard,
  z.object({
    ...page,
    ...parts,
    live: queryNumber(0, 1),
    history: queryNumber(0, 1),
    sort: z.enum(['name']).optional(),
    order,
    since
  })
)
shape(
  queryChannel,
  z.object({ ...parts, id: queryNumber(0, Number.MAX_SAFE_INTEGER) }).refine((value) => value.id !== undefined, {
    path: ['id']
  }) as unknown as z.ZodType<{ id: number }>
)
const keys = z.object({ 'play-key': ruled(wireKey).optional(), 'push-key': ruled(wireKey).optional() }).optional()
shape(addChannel, z.object({ name: ruled(streamName), config: keys }))
shape(setChannel, z.object({ id, name: ruled(streamName), config: keys }))
shape(enableChannel, z.object({ id, enable: z.boolean() }))
shape(deleteChannels, z.object({ id: ids }))
shape(setChannelInput, z.object({ id, input: id }))
const outputs = z.object({ id, outputs: z.array(id).min(1).max(SERVERS_MAX) })
shape(addChannelOutputs, outputs)
shape(deleteChannelOutputs, outputs)

shape(openPreview, z.object({ v: queryNumber(0, Number.MAX_SAFE_INTEGER) }))
const previewIds = z
  .array(z.union([z.string().min(1).max(80), id]))
  .max(1000)
  .optional()
shape(setupPreview, z.object({ id: z.string().min(1).max(64), add: previewIds, del: previewIds }))
shape(clearPreview, z.object({ id: z.string().min(1).max(64) }))

shape(listLog, z.object({ ...page, type: z.enum(['operation', 'system', 'device']), since }))

shape(getSettings, nothing)
shape(
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
        .optional()
    })
    .refine((settings) => Object.values(settings).filter((part) => part !== undefined).length === 1)
)
