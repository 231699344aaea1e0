// Request schemas of the calls for inputs and outputs.
import * as z from 'zod'
import {
  ALLOW_LIST_MAX,
  CLIENTS_MAX,
  LATENCY_MAX,
  LATENCY_MIN,
  MTU_MAX,
  MTU_MIN,
  OVERHEAD_MAX,
  OVERHEAD_MIN,
  PROGRAM_MAX,
  SEGMENT_MAX,
  SEGMENT_MIN,
  SEGMENTS_MAX,
  SEGMENTS_MIN,
  TTL_MAX
} from '../limits.ts'
import { NDI_TRANSPORT_MAX } from '../ndi/transport.ts'
import { ndiGroups } from '../rules/ndi.ts'
import {
  ipRange,
  loginName,
  multicastAddress,
  networkInterface,
  pathKey,
  rtspKey,
  subnetMask
} from '../rules/network.ts'
import { host, optional, streamId, streamKey, streamName, passphrase as validPassphrase } from '../rules/rules.ts'
import { isNdiUrl, ndiUrl } from '../stream/ndi-url.ts'
import { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from '../stream/protocols.ts'
import {
  addInput,
  addOutput,
  deleteInputs,
  deleteOutputs,
  listInputs,
  listOutputs,
  proposePort,
  setInput,
  setOutput
} from '../stream/source.ts'
import { completeLiveUrl, sourceUrl } from '../stream/source-url.ts'
import {
  defineSchema,
  emptyRequest,
  faultIssue,
  id,
  ids,
  order,
  page,
  port,
  queryNumber,
  text,
  textRule,
  wholeNumber
} from './schema.ts'

const sourceList = z.object({ ...page, key: text.optional(), sort: z.enum(['name']).optional(), order })
const inputUrl = textRule((value) => (isNdiUrl(value) ? ndiUrl(value) : sourceUrl(value)))
const inputConfig = z.object({ type: z.literal(1), url: inputUrl, program: wholeNumber(1, PROGRAM_MAX).optional() })
const inputBody = { name: textRule(streamName), config: inputConfig }
defineSchema(listInputs, sourceList.extend({ protocol: queryNumber(0, NDI) }))
defineSchema(addInput, z.object({ ...inputBody, force: z.boolean().optional() }))
defineSchema(setInput, z.object({ id, ...inputBody, force: z.boolean().optional() }))
defineSchema(deleteInputs, z.object({ id: ids, force: z.boolean().optional() }))

const maxClients = wholeNumber(1, CLIENTS_MAX).optional()
/** Common fields of playback outputs. */
const playbackFields = { 'allow-ip': z.array(textRule(ipRange)).max(ALLOW_LIST_MAX).optional() }
const rtmpOutput = z.object({
  url: textRule(
    (value) => sourceUrl(value) ?? (/^rtmps?:/i.test(completeLiveUrl(value)) ? undefined : { name: 'scheme' })
  ),
  key: textRule(streamKey).optional(),
  'enable-auth': z.boolean().optional(),
  username: text.optional(),
  password: text.optional()
})
const srtOutput = z
  .object({
    ...playbackFields,
    mode: z.enum(['caller', 'listener']),
    'dst-ip': textRule(host).optional(),
    'dst-port': port.optional(),
    'bind-port': port.optional(),
    'max-client-num': maxClients,
    'stream-id': textRule(streamId).optional(),
    latency: wholeNumber(LATENCY_MIN, LATENCY_MAX).optional(),
    bandwidth: wholeNumber(OVERHEAD_MIN, OVERHEAD_MAX).optional(),
    enc: z.enum(['disable', 'aes-128', 'aes-192', 'aes-256']).optional(),
    passphrase: textRule((value) => (value === '' ? undefined : validPassphrase(value))).optional()
  })
  .superRefine((config, context) => {
    const reportMissing = (field: string) => context.addIssue({ ...faultIssue({ name: 'required' }), path: [field] })
    if (config.mode === 'listener' && !config['bind-port']) reportMissing('bind-port')
    if (config.mode === 'caller' && !config['dst-ip']) reportMissing('dst-ip')
    if (config.mode === 'caller' && !config['dst-port']) reportMissing('dst-port')
  })
/** The vendor's console sends it as text. */
const ttl = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value),
  wholeNumber(1, TTL_MAX).optional()
)
const udpOutput = z.object({
  'dst-ip': textRule(host),
  'dst-port': port,
  mtu: wholeNumber(MTU_MIN, MTU_MAX).optional(),
  'mcast-time-to-live': ttl,
  iface: textRule(networkInterface).optional()
})
const rtspOutput = z.object({
  ...playbackFields,
  port,
  key: textRule(rtspKey).optional(),
  'is-sub': z.boolean().optional(),
  'sub-key': textRule(rtspKey).optional(),
  'max-client-num': maxClients,
  'enable-auth': z.boolean().optional(),
  username: textRule(loginName).optional(),
  password: text.optional(),
  type: z.literal(0).optional()
})
const hlsOutput = z.object({
  ...playbackFields,
  key: textRule(pathKey).optional(),
  'seg-count': wholeNumber(SEGMENTS_MIN, SEGMENTS_MAX).optional(),
  'seg-duration': wholeNumber(SEGMENT_MIN, SEGMENT_MAX).optional()
})
export const ndiOutput = z.object({
  group: textRule(optional(ndiGroups)).optional(),
  'transport-mode': wholeNumber(0, NDI_TRANSPORT_MAX).optional(),
  'mcast-ip': textRule(multicastAddress).optional(),
  'mcast-sub-mask': textRule(subnetMask).optional(),
  'mcast-time-to-live': ttl
})
const name = textRule(streamName)
/** One schema per protocol. @param more additional fields of each schema */
const outputSchema = <More extends z.ZodRawShape>(more: More) =>
  z.discriminatedUnion('protocol', [
    z.object({ ...more, name, protocol: z.literal(RTMP), config: rtmpOutput }),
    z.object({ ...more, name, protocol: z.literal(SRT), config: srtOutput }),
    z.object({ ...more, name, protocol: z.literal(UDP), config: udpOutput }),
    z.object({ ...more, name, protocol: z.literal(RTP), config: udpOutput }),
    z.object({ ...more, name, protocol: z.literal(RTSP), config: rtspOutput }),
    z.object({ ...more, name, protocol: z.literal(HTTP), config: hlsOutput }),
    z.object({ ...more, name, protocol: z.literal(NDI), config: ndiOutput })
  ])
defineSchema(listOutputs, sourceList)
defineSchema(proposePort, emptyRequest)
defineSchema(addOutput, outputSchema({}))
defineSchema(setOutput, outputSchema({ id, force: z.boolean().optional() }))
defineSchema(deleteOutputs, z.object({ id: ids, force: z.boolean().optional() }))
