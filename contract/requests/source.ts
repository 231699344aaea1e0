import * as z from 'zod'
import {
  ALLOWED_MAX,
  CLIENTS_MAX,
  LATENCY_MAX,
  LATENCY_MIN,
  MTU_MAX,
  MTU_MIN,
  OVERHEAD_MAX,
  OVERHEAD_MIN,
  SEGMENT_MAX,
  SEGMENT_MIN,
  SEGMENTS_MAX,
  SEGMENTS_MIN,
  TTL_MAX
} from '../limits.ts'
import { ipRange, loginName, multicastAddress, networkInterface, pathKey, subnetMask } from '../rules/network.ts'
import { host, streamId, streamKey, streamName, passphrase as validPassphrase } from '../rules/rules.ts'
import { isNdiUrl, ndiUrl } from '../stream/ndi-url.ts'
import { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from '../stream/protocols.ts'
import {
  addInput,
  addOutput,
  deleteInputs,
  deleteOutputs,
  listInputs,
  listOutputs,
  setInput,
  setOutput
} from '../stream/source.ts'
import { sourceUrl } from '../stream/source-url.ts'
import { id, ids, issueOf, order, page, port, queryNumber, ruled, shape, text, wholeNumber } from './shape.ts'

const sourceList = z.object({ ...page, key: text.optional(), sort: z.enum(['name']).optional(), order })
const inputUrl = ruled((value) => (isNdiUrl(value) ? ndiUrl(value) : sourceUrl(value)))
const inputBody = { name: ruled(streamName), config: z.object({ type: z.literal(1), url: inputUrl }) }
shape(listInputs, sourceList.extend({ protocol: queryNumber(0, NDI) }))
shape(addInput, z.object({ ...inputBody, force: z.boolean().optional() }))
shape(setInput, z.object({ id, ...inputBody }))
shape(deleteInputs, z.object({ id: ids, force: z.boolean().optional() }))

const clients = wholeNumber(1, CLIENTS_MAX).optional()
/** Of what players come to. */
const played = { 'allow-ip': z.array(ruled(ipRange)).max(ALLOWED_MAX).optional() }
const rtmpOutput = z.object({
  url: ruled((value) => sourceUrl(value) ?? (/^rtmps?:/i.test(value) ? undefined : { name: 'scheme' })),
  key: ruled(streamKey).optional(),
  'enable-auth': z.boolean().optional(),
  username: text.optional(),
  password: text.optional()
})
const srtOutput = z
  .object({
    ...played,
    mode: z.enum(['caller', 'listener']),
    'dst-ip': ruled(host).optional(),
    'dst-port': port.optional(),
    'bind-port': port.optional(),
    'max-client-num': clients,
    'stream-id': ruled(streamId).optional(),
    latency: wholeNumber(LATENCY_MIN, LATENCY_MAX).optional(),
    bandwidth: wholeNumber(OVERHEAD_MIN, OVERHEAD_MAX).optional(),
    enc: z.enum(['disable', 'aes-128', 'aes-192', 'aes-256']).optional(),
    passphrase: ruled((value) => (value === '' ? undefined : validPassphrase(value))).optional()
  })
  .superRefine((config, context) => {
    const missing = (field: string) => context.addIssue({ ...issueOf({ name: 'required' }), path: [field] })
    if (config.mode === 'listener' && !config['bind-port']) missing('bind-port')
    if (config.mode === 'caller' && !config['dst-ip']) missing('dst-ip')
    if (config.mode === 'caller' && !config['dst-port']) missing('dst-port')
  })
/** The vendor's pages have it as text (reference 8, point 5). */
const ttl = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value),
  wholeNumber(1, TTL_MAX).optional()
)
const udpOutput = z.object({
  'dst-ip': ruled(host),
  'dst-port': port,
  mtu: wholeNumber(MTU_MIN, MTU_MAX).optional(),
  'mcast-time-to-live': ttl,
  iface: ruled(networkInterface).optional()
})
const rtspOutput = z.object({
  ...played,
  port,
  key: ruled(pathKey).optional(),
  'max-client-num': clients,
  'enable-auth': z.boolean().optional(),
  username: ruled(loginName).optional(),
  password: text.optional(),
  type: z.literal(0).optional()
})
const hlsOutput = z.object({
  ...played,
  key: ruled(pathKey).optional(),
  'seg-count': wholeNumber(SEGMENTS_MIN, SEGMENTS_MAX).optional(),
  'seg-duration': wholeNumber(SEGMENT_MIN, SEGMENT_MAX).optional()
})
export const ndiOutput = z.object({
  group: text.optional(),
  'transport-mode': z.int().min(0).max(3).optional(),
  'mcast-ip': ruled(multicastAddress).optional(),
  'mcast-sub-mask': ruled(subnetMask).optional(),
  'mcast-time-to-live': ttl
})
const name = ruled(streamName)
/** A body for each protocol; `more` is what stands beside its fields. */
const bodies = <More extends z.ZodRawShape>(more: More) =>
  z.discriminatedUnion('protocol', [
    z.object({ ...more, name, protocol: z.literal(RTMP), config: rtmpOutput }),
    z.object({ ...more, name, protocol: z.literal(SRT), config: srtOutput }),
    z.object({ ...more, name, protocol: z.literal(UDP), config: udpOutput }),
    z.object({ ...more, name, protocol: z.literal(RTP), config: udpOutput }),
    z.object({ ...more, name, protocol: z.literal(RTSP), config: rtspOutput }),
    z.object({ ...more, name, protocol: z.literal(HTTP), config: hlsOutput }),
    z.object({ ...more, name, protocol: z.literal(NDI), config: ndiOutput })
  ])
shape(listOutputs, sourceList)
shape(addOutput, bodies({}))
shape(setOutput, bodies({ id }))
shape(deleteOutputs, z.object({ id: ids, force: z.boolean().optional() }))
