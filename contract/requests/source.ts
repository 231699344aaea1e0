import * as z from 'zod'
import { LATENCY_MAX, LATENCY_MIN } from '../limits.ts'
import { isNdiUrl, ndiUrl } from '../ndi-url.ts'
import { NDI, RTMP, SRT } from '../protocols.ts'
import { host, streamId, streamKey, streamName, passphrase as validPassphrase } from '../rules.ts'
import {
  addInput,
  addOutput,
  deleteInputs,
  deleteOutputs,
  listInputs,
  listOutputs,
  setInput,
  setOutput
} from '../source.ts'
import { sourceUrl } from '../source-url.ts'
import { id, ids, issueOf, order, page, port, queryNumber, ruled, shape, text, wholeNumber } from './shape.ts'

const sourceList = z.object({ ...page, key: text.optional(), sort: z.enum(['name']).optional(), order })
const inputUrl = ruled((value) => (isNdiUrl(value) ? ndiUrl(value) : sourceUrl(value)))
const inputBody = { name: ruled(streamName), config: z.object({ type: z.literal(1), url: inputUrl }) }
shape(listInputs, sourceList.extend({ protocol: queryNumber(0, NDI) }))
shape(addInput, z.object({ ...inputBody, force: z.boolean().optional() }))
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
    latency: wholeNumber(LATENCY_MIN, LATENCY_MAX).optional(),
    enc: z.enum(['disable', 'aes-128', 'aes-192', 'aes-256']).optional(),
    passphrase: ruled((value) => (value === '' ? undefined : validPassphrase(value))).optional()
  })
  .superRefine((config, context) => {
    const missing = (field: string) => context.addIssue({ ...issueOf({ name: 'required' }), path: [field] })
    if (config.mode === 'listener' && !config['bind-port']) missing('bind-port')
    if (config.mode === 'caller' && !config['dst-ip']) missing('dst-ip')
    if (config.mode === 'caller' && !config['dst-port']) missing('dst-port')
  })
const rtmpBody = { name: ruled(streamName), protocol: z.literal(RTMP), config: rtmpOutput }
const srtBody = { name: ruled(streamName), protocol: z.literal(SRT), config: srtOutput }
shape(listOutputs, sourceList)
shape(addOutput, z.discriminatedUnion('protocol', [z.object(rtmpBody), z.object(srtBody)]))
shape(setOutput, z.discriminatedUnion('protocol', [z.object({ id, ...rtmpBody }), z.object({ id, ...srtBody })]))
shape(deleteOutputs, z.object({ id: ids, force: z.boolean().optional() }))
