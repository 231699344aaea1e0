// Schemas of stream/source.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import {
  ALREADY_EXISTS,
  BAD_ADDRESS,
  INVALID_ARG,
  LICENSE_LIMIT,
  NAME_EXISTS,
  NOT_EXIST,
  OBJECT_BUSY,
  PLAY_KEY_EXISTS,
  PORT_OCCUPIED
} from '../codes.ts'
import {
  emptyRequest,
  id,
  ids,
  listOf,
  order,
  own,
  page,
  queryNumber,
  text,
  textRule,
  trashed,
  vendor
} from '../fields.schema.ts'
import { dryRun } from '../off-air.schema.ts'
import { streamName } from '../rules/rules.ts'
import { objectTags } from '../tag.schema.ts'
import { InputConfigRequest } from './input-settings.schema.ts'
import { OUTPUT_CONFIGS } from './output-settings.schema.ts'
import { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from './protocols.ts'

const sourceList = z.object({
  ...page,
  key: text.optional().describe('substring of the name, or initials of a Chinese name in pinyin'),
  sort: z.enum(['name']).optional().describe('`name`; ignored with `key`'),
  order: order.describe('an error without `sort`')
})

const inputBody = {
  name: textRule(streamName),
  config: InputConfigRequest.describe('`type` 1, `url`, `program`, `certificate-check`, `trusted-certificates`')
}

export const name = textRule(streamName)

/** One schema per protocol. @param more additional fields of each schema */
const outputSchema = <More extends z.ZodRawShape>(more: More) =>
  z.discriminatedUnion('protocol', [
    z.object({ ...more, name, protocol: z.literal(RTMP), config: OUTPUT_CONFIGS[RTMP] }),
    z.object({ ...more, name, protocol: z.literal(SRT), config: OUTPUT_CONFIGS[SRT] }),
    z.object({ ...more, name, protocol: z.literal(UDP), config: OUTPUT_CONFIGS[UDP] }),
    z.object({ ...more, name, protocol: z.literal(RTP), config: OUTPUT_CONFIGS[RTP] }),
    z.object({ ...more, name, protocol: z.literal(RTSP), config: OUTPUT_CONFIGS[RTSP] }),
    z.object({ ...more, name, protocol: z.literal(HTTP), config: OUTPUT_CONFIGS[HTTP] }),
    z.object({ ...more, name, protocol: z.literal(NDI), config: OUTPUT_CONFIGS[NDI] })
  ])

/** The configuration of an input. Its URL can be masked. */
export const InputConfig = z.object({
  ...InputConfigRequest.shape,
  url: z.string(),
  'trusted-certificates': z.string().optional()
})
/** A program of an MPEG-TS. */
export const InputProgram = z.object({
  number: z.number(),
  codecs: z.array(z.string()).describe('Names of the codecs of its tracks; empty until they are known')
})
export const InputSource = z.object({
  id: z.int().meta(vendor('Node id')),
  name: z.string().meta(vendor('Name of the input source')),
  ...objectTags,
  dir: z.int().meta(vendor('Direction: 256')),
  type: z.int().meta(vendor('Node type: 258')),
  protocol: z.int().meta(vendor('Protocol bit')),
  config: InputConfig.meta(
    vendor(
      '`type` 1; `url`, masked for callers without INPUT_OUTPUT_EDIT; `program`: number of the program to receive (1-65535) from MPEG-TS with several over SRT, UDP or RTP, absent: all programs; `certificate-check` and `trusted-certificates` as those of outputs over RTMP, for RTMPS, HTTPS, and HTTP, whose servers can redirect to HTTPS',
      'own: `program`, `certificate-check`, `trusted-certificates`'
    )
  ),
  programs: z
    .array(InputProgram)
    .optional()
    .meta(
      own(
        'The programs that a running channel currently receives from it, if there are several: `number`, `codecs` (names)'
      )
    ),
  camera: z.string().optional().meta(own('Serial number of the camera at its address, if the caller may see it')),
  'masked-url': z.string().meta(own('URL with `****` for password, passphrase, stream ID, path and query values')),
  'owner-i': z
    .array(z.string())
    .optional()
    .meta(vendor('Names of the channels that use it. For callers with CHANNEL_VIEW')),
  'owner-i-d': z.array(z.number()).optional().meta(vendor('Ids of the channels in `owner-i`, in the same order')),
  'owner-hidden': z.literal(true).optional().meta(own('`true`: a channel that the caller may not see uses it'))
})
/** The configuration of an output by protocol, as in requests, without the secrets that the caller may not see. */
export const OutputConfig = z.union([
  OUTPUT_CONFIGS[RTMP],
  OUTPUT_CONFIGS[SRT],
  OUTPUT_CONFIGS[UDP],
  OUTPUT_CONFIGS[RTSP],
  OUTPUT_CONFIGS[HTTP],
  OUTPUT_CONFIGS[NDI]
])
export const Output = z.object({
  id: z.int().meta(vendor('Node id')),
  name: z.string().meta(vendor('Name of the output')),
  ...objectTags,
  dir: z.int().meta(vendor('Direction: 512')),
  type: z.int().meta(vendor('Node type: 514')),
  protocol: z.int().meta(vendor('Protocol bit; determines the type of `config`')),
  config: OutputConfig.meta(vendor('Configuration, whose fields depend on the protocol, see below')),
  addr: z.string().meta(own('Address of the target, or address for players, without secrets')),
  'owner-o': z
    .string()
    .optional()
    .meta(vendor('Name of its channel; an output belongs to at most one. For callers with CHANNEL_VIEW')),
  'owner-o-d': z.number().optional().meta(vendor('Id of the channel in `owner-o`')),
  'owner-hidden': z.literal(true).optional().meta(own('`true`: it belongs to a channel that the caller may not see'))
})

export type InputConfig = z.infer<typeof InputConfig>
export type InputProgram = z.infer<typeof InputProgram>
export type InputSource = z.infer<typeof InputSource>
export type OutputConfig = z.infer<typeof OutputConfig>
export type Output = z.infer<typeof Output>

const outputErrors = {
  [NAME_EXISTS]: '',
  [INVALID_ARG]: '',
  [BAD_ADDRESS]: '',
  [PORT_OCCUPIED]: '',
  [PLAY_KEY_EXISTS]: '',
  [ALREADY_EXISTS]: 'with `exists` set to `server`: another output has the same target'
}

export const sourceSchemas = {
  'GET /input/source/list': {
    summary: 'Lists the saved input sources (presets).',
    request: sourceList.extend({ protocol: queryNumber(0, NDI).describe('protocol bit') }),
    response: listOf(InputSource),
    responseNote: 'list of input sources',
    errors: { [INVALID_ARG]: '' },
    source: 'vendor; own: `protocol`',
    examples: [{}, { start: 0, count: 10000, key: '', sort: 'name', order: 'ascending' }]
  },
  'POST /input/source/add': {
    summary: 'Saves an input source, and returns its node id.',
    operation: ['Add input', '添加输入'],
    request: z.object({
      ...inputBody,
      force: z.boolean().optional().describe('overwrites the source with this name and keeps its id'),
      ...dryRun
    }),
    response: z.object({
      id: z.int()
    }),
    errors: {
      [NAME_EXISTS]: 'with `owner-i`',
      [INVALID_ARG]: '',
      [BAD_ADDRESS]: 'with `forbidden`',
      [PORT_OCCUPIED]: '',
      [LICENSE_LIMIT]: ''
    },
    source: 'vendor; own: `id`, `force`, `program`, `dry-run`',
    examples: [{ name: 'Cam 1', config: { type: 1, url: 'srt://10.0.0.1:9000' } }]
  },
  'POST /input/source/set': {
    summary: 'Changes an input source.',
    operation: ['Edit input', '编辑输入'],
    request: z.object({ id, ...inputBody, force: z.boolean().optional(), ...dryRun }),
    errors: {
      [NOT_EXIST]: '',
      [NAME_EXISTS]: '',
      [INVALID_ARG]: '',
      [BAD_ADDRESS]: '',
      [PORT_OCCUPIED]: '',
      [LICENSE_LIMIT]: '',
      [OBJECT_BUSY]: 'with `same-host`'
    },
    source: 'vendor; own: `program`, `force`, `dry-run`',
    examples: [
      { id: 1001, name: 'Cam 1', config: { type: 1, url: 'srt://10.0.0.1:9000' } },
      { id: 1001, name: 'Mux', config: { type: 1, url: 'srt://10.0.0.1:9000', program: 65535 } }
    ]
  },
  'POST /input/source/del': {
    summary: 'Deletes input sources.',
    operation: ['Delete inputs', '删除输入'],
    request: z.object({ id: ids.describe('one or several'), force: z.boolean().optional(), ...dryRun }),
    response: trashed,
    responseNote: '`trash`: ids of the entries in the [trash](#trash)',
    errors: { [NOT_EXIST]: '', [OBJECT_BUSY]: 'with `owner-i`' },
    source: 'vendor; own: `dry-run`, `trash`',
    examples: [{ id: 1001 }, { id: [1001, 1002], force: true }]
  },
  'GET /output/list': {
    summary: 'Lists the saved outputs.',
    request: sourceList,
    response: listOf(Output),
    responseNote: 'list of outputs',
    errors: { [INVALID_ARG]: '' },
    source: 'vendor',
    examples: [{}, { start: 0, count: 10000, key: '', sort: 'name', order: 'ascending' }]
  },
  'GET /output/free-port': {
    summary: 'Proposes a port for a new output that waits for players.',
    request: emptyRequest,
    response: z.object({
      port: z.int().describe('for a new SRT listener, the first from 9001 on that nothing on the machine uses')
    }),
    errors: { [PORT_OCCUPIED]: '' },
    source: 'own',
    examples: [{}]
  },
  'POST /output/add': {
    summary: 'Adds an output.',
    operation: ['Add output', '添加输出'],
    request: outputSchema(dryRun),
    response: z.object({
      id: z.int()
    }),
    errors: outputErrors,
    source: 'own',
    examples: [
      { name: 'Live', protocol: 1, config: { url: 'rtmp://a.example/live' } },
      {
        name: 'Live',
        protocol: 1,
        config: { url: 'rtmp://a.example/live', key: 'k', 'enable-auth': true, username: 'me', password: 'secret' }
      },
      { name: 'Out', protocol: 2, config: { mode: 'listener', 'bind-port': 9000 } },
      {
        name: 'Out',
        protocol: 2,
        config: {
          mode: 'caller',
          'dst-ip': 'a.example',
          'dst-port': 9000,
          'stream-id': 'live/a',
          latency: 8000,
          enc: 'aes-256',
          passphrase: 'p'.repeat(79)
        }
      },
      {
        name: 'Out',
        protocol: 2,
        config: { mode: 'listener', 'bind-port': 9000, bandwidth: 100, 'max-client-num': 1, 'allow-ip': ['10.0.0.0/8'] }
      },
      { name: 'UDP', protocol: 4, config: { 'dst-ip': '239.1.2.3', 'dst-port': 5000 } },
      {
        name: 'RTP',
        protocol: 8,
        config: { 'dst-ip': '239.1.2.3', 'dst-port': 5000, mtu: 228, 'mcast-time-to-live': 255, iface: 'eth0' }
      },
      { name: 'RTSP', protocol: 16, config: { port: 554 } },
      {
        name: 'RTSP 2',
        protocol: 16,
        config: {
          port: 8554,
          key: 'a_b-C9',
          'max-client-num': 64,
          'enable-auth': true,
          username: 'me',
          password: 'secret',
          type: 0,
          'allow-ip': ['192.168.1.7']
        }
      },
      { name: 'HLS', protocol: 32, config: {} },
      { name: 'HLS 2', protocol: 32, config: { key: 'k', 'seg-count': 20, 'seg-duration': 1, 'allow-ip': [] } },
      { name: 'NDI', protocol: 64, config: {} },
      {
        name: 'NDI 2',
        protocol: 64,
        config: {
          group: 'public',
          'transport-mode': 5,
          'mcast-ip': '239.1.0.0',
          'mcast-sub-mask': '255.255.0.0',
          'mcast-time-to-live': 1
        }
      },
      {
        name: 'Out',
        protocol: 2,
        config: {
          mode: 'caller',
          'dst-ip': 'a.example',
          'dst-port': 9000,
          'stream-id': 'live/a',
          latency: 8000,
          enc: 'aes-256',
          passphrase: ''
        }
      }
    ]
  },
  'POST /output/set': {
    summary: 'Changes an output.',
    operation: ['Edit output', '编辑输出'],
    request: outputSchema({ id, force: z.boolean().optional(), ...dryRun }),
    errors: { ...outputErrors, [NOT_EXIST]: '', [LICENSE_LIMIT]: '', [OBJECT_BUSY]: 'with `same-host`' },
    source: 'own',
    examples: [
      { id: 1001, name: 'Live', protocol: 1, config: { url: 'rtmp://a.example/live' } },
      {
        id: 1001,
        name: 'Live',
        protocol: 1,
        config: { url: 'rtmp://a.example/live', key: 'k', 'enable-auth': true, username: 'me', password: 'secret' }
      },
      { id: 1001, name: 'Out', protocol: 2, config: { mode: 'listener', 'bind-port': 9000 } },
      {
        id: 1001,
        name: 'Out',
        protocol: 2,
        config: {
          mode: 'caller',
          'dst-ip': 'a.example',
          'dst-port': 9000,
          'stream-id': 'live/a',
          latency: 8000,
          enc: 'aes-256',
          passphrase: 'p'.repeat(79)
        }
      },
      {
        id: 1001,
        name: 'Out',
        protocol: 2,
        config: { mode: 'listener', 'bind-port': 9000, bandwidth: 100, 'max-client-num': 1, 'allow-ip': ['10.0.0.0/8'] }
      },
      { id: 1001, name: 'UDP', protocol: 4, config: { 'dst-ip': '239.1.2.3', 'dst-port': 5000 } },
      {
        id: 1001,
        name: 'RTP',
        protocol: 8,
        config: { 'dst-ip': '239.1.2.3', 'dst-port': 5000, mtu: 228, 'mcast-time-to-live': 255, iface: 'eth0' }
      },
      { id: 1001, name: 'RTSP', protocol: 16, config: { port: 554 } },
      {
        id: 1001,
        name: 'RTSP 2',
        protocol: 16,
        config: {
          port: 8554,
          key: 'a_b-C9',
          'max-client-num': 64,
          'enable-auth': true,
          username: 'me',
          password: 'secret',
          type: 0,
          'allow-ip': ['192.168.1.7']
        }
      },
      { id: 1001, name: 'HLS', protocol: 32, config: {} },
      {
        id: 1001,
        name: 'HLS 2',
        protocol: 32,
        config: { key: 'k', 'seg-count': 20, 'seg-duration': 1, 'allow-ip': [] }
      },
      { id: 1001, name: 'NDI', protocol: 64, config: {} },
      {
        id: 1001,
        name: 'NDI 2',
        protocol: 64,
        config: {
          group: 'public',
          'transport-mode': 5,
          'mcast-ip': '239.1.0.0',
          'mcast-sub-mask': '255.255.0.0',
          'mcast-time-to-live': 1
        }
      }
    ]
  },
  'POST /output/del': {
    summary: 'Deletes outputs.',
    operation: ['Delete outputs', '删除输出'],
    request: z.object({ id: ids.describe('one or several'), force: z.boolean().optional(), ...dryRun }),
    response: trashed,
    responseNote: '`trash`: ids of the entries in the [trash](#trash)',
    errors: { [NOT_EXIST]: '', [OBJECT_BUSY]: 'with `owner-o`' },
    source: 'own',
    examples: [{ id: 1001 }, { id: [1001, 1002], force: true }]
  }
} satisfies CallSchemas
