// Schemas of stream/channel.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import {
  INVALID_ARG,
  LICENSE_LIMIT,
  NAME_EXISTS,
  NOT_EXIST,
  OBJECT_BUSY,
  PLAY_KEY_EXISTS,
  PUSH_KEY_EXISTS,
  TOO_MANY,
  WRONG_STATE
} from '../codes.ts'
import {
  id,
  ids,
  listOf,
  order,
  own,
  page,
  queryId,
  queryNumber,
  since,
  textRule,
  trashed,
  vendor
} from '../fields.schema.ts'
import { ChannelHealth } from '../health.schema.ts'
import { CHANNEL_LEVELS_MAX, CHANNEL_OUTPUTS_MAX } from '../limits.ts'
import { dryRun } from '../off-air.schema.ts'
import { ChannelRecording } from '../recording/recording.schema.ts'
import { channelName } from '../rules/rules.ts'
import { requestShape, shapeOf } from '../setting.schema.ts'
import { objectTags } from '../tag.schema.ts'
import { CHANNEL_SETTINGS } from './channel-settings.schema.ts'
import { ChannelInput, ChannelOutput, OnAir } from './leg.schema.ts'

/** Channel ids, separated by commas. */
export const LEVEL_IDS = /^\d{1,15}(?:,\d{1,15})*$/

const sublistPages = {
  'output-start': queryNumber(0, 1e6),
  'output-count': queryNumber(0, 1000).describe('10 by default'),
  'client-start': queryNumber(0, 1e6),
  'client-count': queryNumber(0, 1000).describe('10 by default')
}

const config = z.object(requestShape(CHANNEL_SETTINGS)).optional()

const force = z.boolean().optional()

const outputs = {
  id,
  outputs: z.array(id).min(1).max(CHANNEL_OUTPUTS_MAX).describe('node ids of outputs, and of devices that can play')
}

/** The settings, and whether the channel is started. */
export const ChannelConfig = z.object({
  enable: z.boolean().meta(vendor('In responses: whether the channel is started')),
  ...z.object(shapeOf(CHANNEL_SETTINGS)).partial().shape
})
/** A client that is connected to a shared port or to a playback output. */
export const ChannelClient = z.object({
  id: z.int().meta(own('Id of the client, for `POST /api/channel/client/drop`')),
  type: z.int().meta(own('260 publisher or 516 player')),
  protocol: z.int().meta(own('Protocol bit, see [Inputs and outputs](#inputs-and-outputs)')),
  addr: z.string().meta(own('Address of the client')),
  output: z.number().optional().meta(own('Id of the output; absent for the shared ports')),
  'living-time-s': z.number().meta(own('Seconds since it connected')),
  kbps: z.number().meta(own('Bit rate in kbit/s'))
})
export const Channel = z.object({
  id: z.int().meta(vendor('Id of the channel')),
  name: z.string().meta(vendor('Name of the channel')),
  ...objectTags,
  health: ChannelHealth.optional().meta(own('[Health](#health) of the channel')),
  config: ChannelConfig.meta(vendor('Settings of the channel, see above')),
  'is-inherit': z
    .number()
    .optional()
    .meta(
      own(
        '1: inherits the [visibility](#visibility) of the global default; 0: has masks of its own. For the Admin group only'
      )
    ),
  'group-mask': z.int().optional().meta(own('[Visibility](#visibility); for the Admin group only')),
  'usr-mask': z.int().optional().meta(own('[Visibility](#visibility); for the Admin group only')),
  input: ChannelInput.nullable().meta(
    vendor(
      'The input, a leg; `null` if there is none. A running channel without a configured input has an input of type 260 with id 0, whose name is the address of the publisher'
    )
  ),
  backups: z.array(ChannelInput).optional().meta(own('Legs of the backup inputs')),
  'on-air': OnAir.optional().meta(
    own(
      '`input` (node id or `null`), `slate`, `why` (sentence), `manual` (`true`: held by an operator, see below). Absent while the channel is stopped'
    )
  ),
  'next-edge': z
    .object({
      at: z.int(),
      enable: z.boolean()
    })
    .optional()
    .meta(own('Next start or stop by the schedule: `at` (seconds since the epoch), `enable`')),
  outputs: z
    .object({
      start: z.int(),
      total: z.int(),
      list: z.array(ChannelOutput)
    })
    .meta(vendor('A page of the outputs, which are legs: `start`, `total`, `list`')),
  'preview-id': z
    .string()
    .optional()
    .meta(
      own(
        '`CHANNEL-<id>`: preview of what the outputs receive. Absent if the channel is stopped, or waits for a publisher, or if the caller may not see one of its devices'
      )
    ),
  clients: z
    .object({
      start: z.int(),
      total: z.int(),
      list: z.array(ChannelClient)
    })
    .meta(own('A page of the connected clients, oldest first: `start`, `total`, `list`')),
  watchers: z.number().optional().meta(own('Number of pages that play the channel; absent if there are none')),
  recording: ChannelRecording.optional().meta(
    own('The [recording](#recordings) of the channel that goes on: `id`, `since` (ms), `bytes`, `fault`')
  ),
  state: z
    .int()
    .meta(
      own(
        'State of the input on air, else of the first input; `SOURCE_STATE.initializing` if the channel is stopped or has no input'
      )
    ),
  kbps: z.number().meta(own('Bit rate of the input on air in kbit/s, else of the first input')),
  'living-time-s': z
    .number()
    .meta(
      own(
        'Seconds for which the channel has been on air, also degraded, without interruption. An input may have had media longer'
      )
    ),
  'conn-num': z.int().meta(own('Number of outputs with media'))
})
export const ChannelDashboard = z.object({
  ...listOf(Channel).shape,
  'enable-num': z.int().describe('Number of started channels that the caller may see'),
  'live-num': z.int().describe('Number of live channels that the caller may see'),
  'limit-num': z.int().describe('Licence limit for started channels; 0 = no limit'),
  'limit-create-num': z.int().describe('Licence limit for channels; 0 = no limit'),
  'used-num': z.int().describe('Number of channels that the caller may see'),
  'output-num': z
    .int()
    .optional()
    .describe('Number of enabled outputs of started channels; absent if the caller may not see all channels'),
  'limit-output-num': z.int().optional().describe('Licence limit for `output-num`; 0 = no limit'),
  'srt-num': z
    .int()
    .optional()
    .describe('Number of SRT listeners of started channels; absent if the caller may not see all channels'),
  'limit-srt-num': z.int().optional().describe('Licence limit for `srt-num`; 0 = no limit'),
  'mbps-s': z
    .array(z.number())
    .optional()
    .describe(
      'With `history` in the request, for callers that may see all channels: their traffic in Mbps, one value per second, oldest first'
    ),
  'mbps-m': z.array(z.number()).optional().describe('As `mbps-s`, one value per minute')
})
export const ChannelLevel = z.object({
  id: z.int().describe('Id of the channel'),
  level: z
    .array(z.number())
    .optional()
    .describe(
      'Peak level of each audio channel in the last half second, in dBFS; -120 is silence. Absent while there is no audio, or no measurement yet'
    )
})

export type ChannelConfig = z.infer<typeof ChannelConfig>
export type ChannelClient = z.infer<typeof ChannelClient>
export type Channel = z.infer<typeof Channel>
export type ChannelDashboard = z.infer<typeof ChannelDashboard>
export type ChannelLevel = z.infer<typeof ChannelLevel>

const channelErrors = {
  [PLAY_KEY_EXISTS]: '',
  [PUSH_KEY_EXISTS]: '',
  [NAME_EXISTS]: '',
  [NOT_EXIST]: 'unknown backup',
  [INVALID_ARG]: '',
  [LICENSE_LIMIT]: ''
}

export const channelSchemas = {
  'GET /channel/dashboard': {
    summary: 'Lists channels with their legs and clients.',
    request: z.object({
      ...page,
      ...sublistPages,
      live: queryNumber(0, 1).describe('1: live channels only'),
      history: queryNumber(0, 1).describe('1'),
      sort: z.enum(['name']).optional().describe('`name`'),
      order: order.describe('an error without `sort`'),
      since
    }),
    response: ChannelDashboard,
    responseNote:
      'list of channels, `enable-num`, `live-num`, `limit-num`, `limit-create-num`, `used-num`, `output-num`, `limit-output-num`, `srt-num`, `limit-srt-num`; with `history` `mbps-s`, `mbps-m`',
    errors: { [INVALID_ARG]: '' },
    source: 'vendor; own: `since`, the four fields of outputs and SRT',
    examples: [
      {},
      {
        start: 0,
        count: 10000,
        'output-start': 0,
        'output-count': 1000,
        'client-start': 0,
        'client-count': 1000,
        live: 1,
        history: 1,
        sort: 'name',
        order: 'ascending',
        since: 0
      }
    ]
  },
  'GET /channel/query': {
    summary: 'Returns one channel with the statistics of its legs.',
    request: z.object({ id: queryId, ...sublistPages, level: queryNumber(0, 1).describe('1: with audio levels') }),
    response: z.object({
      channel: Channel
    }),
    responseNote: '`channel`, whose legs have a `report`',
    errors: { [NOT_EXIST]: '' },
    source: 'vendor; own: `level`, `report` in part',
    examples: [
      { id: 100001 },
      { id: 100001, level: 1, 'output-start': 0, 'output-count': 1000, 'client-start': 0, 'client-count': 1000 }
    ]
  },
  'GET /channel/levels': {
    summary:
      'Audio levels of the inputs on air. `ids` are channel ids, separated by commas; unknown ones are left out. The hub measures a channel while it is requested every few seconds.',
    request: z.object({
      ids: z
        .string()
        .refine((text) => LEVEL_IDS.test(text) && text.split(',').length <= CHANNEL_LEVELS_MAX)
        .describe('at most 100 channel ids, separated by commas')
    }),
    response: z.object({
      list: z.array(ChannelLevel)
    }),
    responseNote:
      '`list` of `id` and `level` (peak of each audio channel in the last half second in dBFS; absent without audio). The hub measures while it is requested every few seconds',
    errors: { [INVALID_ARG]: '' },
    source: 'own',
    examples: [{ ids: '100001' }, { ids: '1,2' }]
  },
  'POST /channel/add': {
    summary: 'Adds a channel. Returns the id.',
    operation: ['Add channel', '添加频道'],
    request: z.object({ name: textRule(channelName), config: config.describe('see below') }),
    response: z.object({
      id: z.int()
    }),
    errors: channelErrors,
    source: 'vendor; own: `id`',
    examples: [
      { name: 'Hall' },
      { name: '演播室', config: {} },
      { name: 'Hall', config: { 'play-key': 'k'.repeat(63), 'push-key': 'p' } }
    ]
  },
  'POST /channel/set': {
    summary: 'Changes name and settings of a channel.',
    operation: ['Edit channel', '编辑频道'],
    request: z.object({
      id,
      name: textRule(channelName),
      config: config.describe(
        'Absent or empty keys are generated: PULL-<UUID> and PUSH-<UUID>. With `setChannel` an absent field is not changed. A new schedule starts or stops the channel at once'
      ),
      force,
      ...dryRun
    }),
    requestNote: 'Absent fields of `config` are not changed',
    errors: { ...channelErrors, [OBJECT_BUSY]: 'with `same-host`' },
    source: 'vendor; own: `force`, `dry-run`',
    examples: [
      { id: 1, name: 'Hall' },
      { id: 1, name: 'Hall', 'dry-run': true }
    ]
  },
  'POST /channel/enable': {
    summary: 'Starts or stops a channel.',
    operation: ['Start or stop channel', '启停频道'],
    request: z.object({ id, enable: z.boolean(), ...dryRun }),
    errors: { [NOT_EXIST]: '', [LICENSE_LIMIT]: '' },
    source: 'vendor; own: `dry-run`',
    examples: [
      { id: 1, enable: true },
      { id: 1, enable: false, 'dry-run': true }
    ]
  },
  'POST /channel/client/drop': {
    summary: 'Disconnects publishers and players. They may reconnect, over HLS after a minute.',
    operation: ['Disconnect clients of channel', '断开频道客户端'],
    request: z.object({ id, clients: z.array(id).min(1).max(1000).describe('ids'), ...dryRun }),
    errors: { [NOT_EXIST]: 'unknown client: none is disconnected' },
    source: 'own',
    examples: [{ id: 1, clients: [7] }]
  },
  'POST /channel/del': {
    summary: 'Deletes channels.',
    operation: ['Delete channels', '删除频道'],
    request: z.object({ id: ids.describe('one or several'), ...dryRun }),
    response: trashed,
    responseNote: '`trash`: ids of the entries in the [trash](#trash)',
    errors: { [NOT_EXIST]: '' },
    source: 'vendor; own: `dry-run`, `trash`',
    examples: [{ id: 1 }, { id: [1, 2], 'dry-run': true }]
  },
  'POST /channel/input/set': {
    summary: 'Sets the input of a channel. `input` is the node id of a device or an input source; 0 = none.',
    operation: ['Change input of channel', '更改频道输入'],
    request: z.object({ id, input: id.describe('node id; 0 = none'), force, ...dryRun }),
    errors: { [NOT_EXIST]: 'unknown channel or input', [LICENSE_LIMIT]: '', [OBJECT_BUSY]: 'with `same-host`' },
    source: 'vendor; own: 0, `force`, `dry-run`',
    examples: [
      { id: 1, input: 0 },
      { id: 1, input: 1001 }
    ]
  },
  'POST /channel/input/replace': {
    summary:
      'Takes another input instead of one, in all channels that use it as their main input or as a backup and that the caller sees.',
    operation: ['Replace input', '更换输入'],
    request: z.object({
      from: id.describe('node id of the input that is replaced'),
      input: id.describe('node id of the other one'),
      force,
      ...dryRun
    }),
    response: z.object({ channels: z.int().meta(own('Number of changed channels')) }),
    errors: {
      [NOT_EXIST]: 'unknown input; with `from`: no channel uses it',
      [LICENSE_LIMIT]: '',
      [OBJECT_BUSY]: 'with `same-host`'
    },
    source: 'own',
    examples: [{ from: 1, input: 1001 }]
  },
  'POST /channel/output/add': {
    summary: 'Adds outputs to a channel. `outputs` are node ids of outputs and of devices that can play.',
    operation: ['Add outputs to channel', '为频道添加输出'],
    request: z.object({ ...outputs, force }),
    errors: {
      [NOT_EXIST]: '',
      [WRONG_STATE]: 'belongs to a channel already',
      [TOO_MANY]: '16 outputs',
      [LICENSE_LIMIT]: '',
      [OBJECT_BUSY]: 'with `same-host`'
    },
    source: 'own',
    examples: [
      { id: 1, outputs: [1001] },
      { id: 1, outputs: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] }
    ]
  },
  'POST /channel/output/del': {
    summary: 'Removes outputs from a channel.',
    operation: ['Remove outputs from channel', '移除频道输出'],
    request: z.object({ ...outputs, ...dryRun }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [
      { id: 1, outputs: [1001] },
      { id: 1, outputs: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] }
    ]
  },
  'POST /channel/output/enable': {
    summary: 'Enables or disables the listed outputs.',
    operation: ['Start or stop outputs of channel', '启停频道输出'],
    request: z.object({ ...outputs, enable: z.boolean(), ...dryRun }),
    errors: { [NOT_EXIST]: '', [LICENSE_LIMIT]: '' },
    source: 'own',
    examples: [
      { id: 1, outputs: [1001], enable: true },
      { id: 1, outputs: [1001, 1002], enable: false }
    ]
  }
} satisfies CallSchemas
