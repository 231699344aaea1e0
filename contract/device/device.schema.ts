// Schemas of device/device.
import * as z from 'zod'
import { masks, ObjectSecurity, Visibility } from '../access/visibility.schema.ts'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NOT_EXIST, NOT_PERMITTED, STATE_CHANGED, UNSUPPORTED } from '../codes.ts'
import { Envelope } from '../envelope.schema.ts'
import {
  emptyRequest,
  family,
  listOf,
  mark,
  order,
  own,
  page,
  queryNumber,
  serial,
  serials,
  since,
  text,
  vendor,
  wholeNumber
} from '../fields.schema.ts'
import { DeviceHealth } from '../health.schema.ts'
import { BUFFER_MAX, BUFFER_MIN, LATENCY_MAX, LATENCY_MIN } from '../limits.ts'
import { dryRun } from '../off-air.schema.ts'
import { PROTOCOL_DEFAULT, RTMP, SRT } from '../stream/protocols.ts'
import { objectTags } from '../tag.schema.ts'
import { DeviceAddress } from './address.schema.ts'
import { DeviceConfig, GlobalConfig } from './config.schema.ts'
import { DeviceStatus, DeviceUpdate, IngestStatus } from './status.schema.ts'

const globalConfig = { 'global-config': queryNumber(0, 1).describe('non-zero: the response has it') }

const protocol = z.literal([PROTOCOL_DEFAULT, RTMP, SRT])

const latency = wholeNumber(LATENCY_MIN, LATENCY_MAX).optional()

const config: z.ZodType<DeviceConfig> = z.object({
  input: z.object({ protocol, 'stream-index': z.literal([0, 1]), latency }).optional(),
  output: z.object({ protocol, latency, 'buffer-ms': wholeNumber(BUFFER_MIN, BUFFER_MAX).optional() }).optional()
})

export const Device = z.object({
  id: z.int().meta(vendor('Node id; also usable as the id of a channel input or output')),
  sn: z.string().meta(vendor('Serial number')),
  name: z.string().meta(vendor('Name of the device')),
  ...objectTags,
  module: z.int().meta(vendor('Number of the product family, see [Families](#families)')),
  'module-name': z.string().meta(vendor('Model name')),
  'api-class': z
    .string()
    .optional()
    .meta(family('Class that the device reports, see [Families](#families); absent if it reports none', 'own: value')),
  'product-id': z.int().meta(vendor('Number of the model, see [Families](#families)')),
  'hardware-ver': z.string().meta(vendor('Hardware version, one letter A-Z')),
  'firmware-ver': z.string().meta(vendor('Firmware version, `major.minor.build`')),
  'reg-state': z.int().meta(vendor('Registration state, see below')),
  'apply-date': z.int().meta(vendor('When it registered, in milliseconds since the epoch')),
  'online-date': z.int().meta(vendor('When it went online, in milliseconds since the epoch; 0 = offline')),
  'offline-date': z
    .int()
    .optional()
    .meta(own('When it went offline, in milliseconds since the epoch; 0 = online, or never online')),
  'start-date': z
    .int()
    .optional()
    .meta(
      own(
        "When the device started, in milliseconds since the epoch, from its uptime and the hub's clock. Changes only when the device restarts"
      )
    ),
  'catalog-id': z.int().meta(vendor('Id of the device group, 0 = none')),
  dir: z.int().meta(vendor('Direction, see below')),
  type: z
    .int()
    .optional()
    .meta(
      own('Node type, see [Inputs and outputs](#inputs-and-outputs): 257, 513 or 769 by `dir`; absent with `dir` 0')
    ),
  'dev-warns': z.number().meta(vendor('Mask of warnings, see below')),
  health: DeviceHealth.optional().meta(own('[Health](#health) of the device')),
  'is-favorite': z.number().meta(vendor("The caller's user id if the caller marked the device, else 0")),
  'is-inherit': z
    .number()
    .optional()
    .meta(
      vendor(
        '1: inherits the [visibility](#visibility) of its group, else of the global default; 0: has masks of its own. For callers with DEVICE_SECURITY'
      )
    ),
  'group-mask': z.int().optional().meta(vendor('[Visibility](#visibility); for callers with DEVICE_SECURITY')),
  'usr-mask': z.int().optional().meta(vendor('[Visibility](#visibility); for callers with DEVICE_SECURITY')),
  'preview-id': z
    .string()
    .optional()
    .meta(vendor('Id of its [preview](#previews), `DEV-<sn>`; absent if the device has none')),
  'no-picture': z
    .string()
    .optional()
    .meta(own('For a device at an address that is online: why there is no picture of it (sentence)')),
  'connect-ip': z.string().optional().meta(own('IP address from which the device is connected, or was connected last')),
  'link-encrypted': z
    .boolean()
    .optional()
    .meta(
      own('Whether the device link is over TLS. Absent while the device is offline, and for devices at an address')
    ),
  'owner-i': z
    .array(z.string())
    .optional()
    .meta(vendor('Names of the channels that use the device as an input. For callers with CHANNEL_VIEW')),
  'owner-i-d': z.array(z.number()).optional().meta(vendor('Ids of the channels in `owner-i`, in the same order')),
  'owner-o': z
    .string()
    .optional()
    .meta(vendor('Name of the channel that the device plays. For callers with CHANNEL_VIEW')),
  'owner-o-d': z.number().optional().meta(vendor('Id of the channel in `owner-o`')),
  'owner-hidden': z
    .literal(true)
    .optional()
    .meta(own('`true`: a channel that the caller may not see uses or plays it')),
  'pro-feature': z
    .object({
      input: z.string().optional()
    })
    .optional()
    .meta(vendor('`input`: input signal as text, such as `1920x1080p, 60.00 Hz`')),
  config: DeviceConfig.optional().meta(
    vendor('Connection configuration of the device; absent: the global one applies')
  ),
  stream: IngestStatus.optional().meta(
    own(
      "While a running channel uses it as an input: `conn-state`, `kbps` (not in lists), `reason` (sentence). The verdict on it is that of the channel's input"
    )
  ),
  'sends-over': z
    .enum(['SRT', 'RTMP', 'NDI'])
    .optional()
    .meta(
      own(
        'How a device that was added by address sends its stream to the hub, if its connection configuration does not say it'
      )
    ),
  'serves-streams': z
    .literal(true)
    .optional()
    .meta(own('`true`: inputs can be made of its streams, see `GET /device/stream/list`')),
  'plays-before': z
    .string()
    .optional()
    .meta(
      own(
        'While a device that was added by address plays a channel: the name of the source that it played before and plays again afterwards; empty = none'
      )
    ),
  at: DeviceAddress.optional().meta(
    own(
      'For a device that was added by address: `address`, `port`, `https`, `cert-sha256`, `trouble`, `new-cert-sha256`. For callers with DEVICE_ADV_CONTROL'
    )
  ),
  update: DeviceUpdate.optional().meta(
    own('Firmware update: `state`, `progress` (percent), `reason` (result code), `tone`, `text`')
  ),
  'firmware-update': z
    .string()
    .optional()
    .meta(
      own(
        'Version of the newest firmware file on the hub that fits the device and is newer than `firmware-ver`, without test builds. For callers with FIRMWARE_VIEW'
      )
    ),
  'is-upload-file': z.number().optional().meta(family('1 while the hub uploads a firmware file to it')),
  'upload-file-pos': z
    .number()
    .optional()
    .meta(family('With `is-upload-file`: percent of the file that is uploaded, 0-100')),
  status: DeviceStatus.optional().meta(vendor('Last status report, see below'))
})
export const GlobalConfigResponse = z.object({
  'global-config': GlobalConfig.optional().meta(
    vendor('`device`: the global connection configuration, with `global-config` in the request')
  )
})
/** `of`, `max` and `used` only with 1006. */
export const SerialResult = z.object({
  sn: z.string(),
  ...Envelope.pick({ result: true, of: true, max: true, used: true }).shape
})
export const SerialResults = z.object({
  details: z.array(SerialResult)
})
/** Defaults for all devices. `security` applies to devices that inherit and to devices that are not accepted. */
export const GlobalDeviceSettings = z.object({
  security: Visibility,
  config: DeviceConfig
})

export type Device = z.infer<typeof Device>
export type GlobalConfigResponse = z.infer<typeof GlobalConfigResponse>
export type SerialResult = z.infer<typeof SerialResult>
export type SerialResults = z.infer<typeof SerialResults>
export type GlobalDeviceSettings = z.infer<typeof GlobalDeviceSettings>

export const deviceSchemas = {
  'GET /device/list': {
    summary: 'Lists devices by registration state, group, family, direction, warnings or text.',
    request: z.object({
      ...page,
      'reg-state': z
        .enum(['accepted', 'rejected', 'waiting'])
        .optional()
        .describe('`accepted` by default, `rejected`, `waiting`'),
      catalog: queryNumber(0, 1e9).describe('accepted devices only'),
      module: queryNumber(0, 4294967295),
      dir: z.enum(['none', 'input', 'output']).optional().describe('`none`, `input`, `output`'),
      status: z
        .string()
        .regex(/^(dev-warns|offline|warns|online)(,(dev-warns|offline|warns|online)){0,3}$/)
        .optional()
        .describe('comma-separated: `dev-warns`, `warns`, `offline`, `online`; one match is enough'),
      'is-favorite': queryNumber(0, 1).describe('0 or 1'),
      key: text.optional().describe('substring of serial number or name, or initials of a Chinese name in pinyin'),
      tag: queryNumber(0, Number.MAX_SAFE_INTEGER).describe('id of a tag'),
      firmware: queryNumber(0, 1e9).describe('id of a firmware file: compatible devices only'),
      update: queryNumber(0, 1).describe('1: devices with a `firmware-update` only'),
      sort: z
        .enum(['online-state', 'sn', 'name', 'time', 'module', 'connect-ip', 'firmware-ver'])
        .optional()
        .describe('`online-state`, `sn`, `name`, `time`, `module`, `connect-ip`, `firmware-ver`'),
      order: order.describe('`ascending`, `descending`'),
      since,
      mark,
      ...globalConfig
    }),
    response: z.object({ ...listOf(Device).shape, ...GlobalConfigResponse.shape }),
    responseNote: 'list of devices without samples, `global-config`',
    errors: { [INVALID_ARG]: '', [NOT_PERMITTED]: '`update` without FIRMWARE_VIEW' },
    source:
      'vendor; own: `tag`, `firmware`, `update`, `since`, `mark`, `global-config`, `online`, the last three of `sort`',
    examples: [
      {},
      {
        start: 0,
        count: 10000,
        'reg-state': 'waiting',
        catalog: 0,
        module: 4294967295,
        dir: 'input',
        status: 'dev-warns,offline,warns,online',
        'is-favorite': 1,
        key: 'hall',
        update: 1,
        sort: 'connect-ip',
        order: 'descending',
        mark: 'a-_9',
        since: 9007199254740991
      }
    ]
  },
  'POST /device/list': {
    summary:
      'Returns devices by their serial numbers. Requires either of two permissions. The response always includes the global configuration.',
    request: serials,
    response: z.object({ list: z.array(Device), ...GlobalConfigResponse.shape }),
    responseNote: '`list` of the visible ones of these devices, `global-config`',
    errors: { [INVALID_ARG]: '' },
    source: 'vendor',
    examples: [{ sn: ['B313210600123'] }]
  },
  'GET /device/query': {
    summary: 'Returns one device.',
    request: z.object({ sn: serial, ...globalConfig }),
    response: z.object({ dev: Device, ...GlobalConfigResponse.shape }),
    errors: { [NOT_EXIST]: '' },
    source: 'vendor',
    examples: [{ sn: 'B313210600123' }, { sn: 'B313210600123', 'global-config': 1 }]
  },
  'POST /device/accept': {
    summary:
      'Accepts pending or rejected devices. Per device: 1004 if another user has already accepted or rejected it; 16 unknown device. When accepting also 1006: the licence allows no more devices, and the device keeps waiting.',
    operation: ['Accept devices', '接受设备'],
    request: serials,
    response: SerialResults,
    errors: { [STATE_CHANGED]: 'per device: neither pending nor rejected, 16' },
    source: 'vendor; own: `details`',
    examples: [{ sn: ['B313210600123'] }]
  },
  'POST /device/reject': {
    summary: 'Rejects pending devices.',
    operation: ['Reject devices', '拒绝设备'],
    request: serials.extend(dryRun),
    response: SerialResults,
    errors: { [STATE_CHANGED]: 'per device: not pending, 16' },
    source: 'own',
    examples: [{ sn: ['B313210600123'] }]
  },
  'POST /device/del': {
    summary: 'Deletes devices.',
    operation: ['Delete devices', '删除设备'],
    request: serials.extend(dryRun),
    requestNote: 'in any registration state',
    response: SerialResults,
    errors: { [NOT_EXIST]: 'per device' },
    source: 'vendor; own: `details`, `dry-run`',
    examples: [{ sn: ['B313210600123'] }]
  },
  'POST /device/security/set': {
    summary:
      'Sets who sees devices. Takes one serial number or several. A device that is not accepted keeps the masks until it is.',
    operation: ['Set access to devices', '设置设备可见范围'],
    request: z.object({
      sn: z.union([serial, z.array(serial).min(1).max(1000)]).describe('text, or up to 1000 in an array'),
      security: ObjectSecurity.describe('`is-inherit`, `group-mask`, `usr-mask`')
    }),
    response: SerialResults,
    errors: { [INVALID_ARG]: 'unknown bit', [NOT_EXIST]: 'per device' },
    source: 'vendor; own: `details`',
    examples: [
      { sn: 'B313210600123', security: { 'is-inherit': 1 } },
      {
        sn: ['B313210600123', 'a-_9'.repeat(16)],
        security: { 'is-inherit': false, 'group-mask': 4294967295, 'usr-mask': 0 }
      }
    ]
  },
  'GET /device/global/get': {
    summary:
      'Returns the defaults of all devices. Who sets the visibility of devices or device groups has to know the default that they inherit.',
    request: emptyRequest,
    response: GlobalDeviceSettings,
    responseNote:
      '`security` (`group-mask`, `usr-mask`), `config` (global [connection configuration](#connection-configuration))',

    source: 'vendor; own: `config`',
    examples: [{}]
  },
  'POST /device/global/set': {
    summary:
      'Changes the defaults of all devices. An absent field is not changed. An absent half of `config` is cleared.',
    operation: ['Set device defaults', '设置设备默认值'],
    request: z
      .object({
        security: z.object(masks).optional().describe('`group-mask`, `usr-mask`'),
        config: config
          .optional()
          .describe('`input`, `output`, with `protocol`, `stream-index`, `latency`, `buffer-ms`'),
        ...dryRun
      })
      .refine((request) => request.security ?? request.config, { path: ['security'] }),
    requestNote: 'at least one. An absent half of `config` is cleared',
    errors: { [INVALID_ARG]: '', [NOT_PERMITTED]: 'only the Admin group sets `security`' },
    source: 'vendor; own: `config`, `dry-run`',
    examples: [
      { security: { 'group-mask': 4294967295, 'usr-mask': 0 } },
      { config: {} },
      {
        security: { 'group-mask': 4294967295, 'usr-mask': 0 },
        config: {
          input: { protocol: 2, 'stream-index': 1, latency: 8000 },
          output: { protocol: 1, latency: 20, 'buffer-ms': 2000 }
        }
      }
    ]
  },
  'POST /device/config': {
    summary:
      'Sets both halves of the connection configuration; an absent half is cleared. A running stream restarts: over SRT to a port opened for the device, over RTMP to the shared RTMP port. Of the output half, the hub applies latency and buffer; streams to a device are always SRT.',
    operation: ['Configure devices', '配置设备'],
    request: serials.extend({
      config: config.describe('`input`, `output`, with `protocol`, `stream-index`, `latency`, `buffer-ms`'),
      ...dryRun
    }),
    response: SerialResults,
    errors: { [NOT_EXIST]: 'per device', [UNSUPPORTED]: 'without a connection configuration, or without a direction' },
    source: 'vendor; own: `details`, `dry-run`',
    examples: [
      { sn: ['B313210600123'], config: {} },
      {
        sn: ['B313210600123'],
        config: {
          input: { protocol: 2, 'stream-index': 1, latency: 8000 },
          output: { protocol: 1, latency: 20, 'buffer-ms': 2000 }
        }
      },
      { sn: ['B313210600123'], config: { input: { protocol: 0, 'stream-index': 0 } } }
    ]
  },
  'POST /device/favorite/set': {
    summary: "Adds devices to the caller's favorites, or removes them.",
    operation: ['Change favorites', '更改收藏'],
    request: serials.extend({ favorite: z.boolean().describe('boolean') }),
    response: SerialResults,
    errors: { [NOT_EXIST]: 'per device' },
    source: 'own',
    examples: [{ sn: ['B313210600123'], favorite: false }]
  }
} satisfies CallSchemas
