// Schemas of alert/destination.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NAME_EXISTS, NO_RESPONSE, NOT_EXIST, TOO_MANY } from '../codes.ts'
import { emptyRequest, id, listOf, own, page, queryId, textRule } from '../fields.schema.ts'
import { labelName } from '../rules/label.ts'
import { DELIVERY_STATES, DESTINATIONS_MAX } from './destination.ts'
import { DESTINATION_KINDS, type DestinationKind } from './destination-kinds.schema.ts'

const KINDS = Object.keys(DESTINATION_KINDS) as [DestinationKind, ...DestinationKind[]]

export const DeliveryState = z.enum(DELIVERY_STATES)

const value = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** Without nested objects, so that the time to check a request does not depend on the depth of its JSON. */
const config = z
  .record(z.string().max(64), z.union([value, z.array(value)]))
  .describe('Configuration of the kind ([Kinds of destinations](#kinds-of-destinations))')

export const AlertDestination = z.object({
  id: z.int().meta(own('Id of the destination')),
  name: z.string().meta(own('Name, 1-64 characters; unique, upper and lower case are the same')),
  type: z.enum(KINDS).meta(own(`Kind: ${KINDS.map((kind) => `\`${kind}\``).join(', ')}`)),
  enable: z.boolean().meta(own('`false`: its messages stay in the queue')),
  language: z.enum(['en', 'zh']).meta(own('Language of its messages')),
  config: z
    .record(z.string(), z.json())
    .meta({ ...own('Configuration, without secrets'), example: { template: 'json' } }),
  secrets: z
    .record(z.string(), z.literal(true))
    .meta({ ...own('`true` for each secret field of `config` that is stored'), example: { secret: true } }),
  target: z.string().meta(own('Address to which messages are sent, without secrets')),
  waiting: z.int().meta(own('Number of messages that are not yet delivered')),
  last: z
    .object({ state: DeliveryState, time: z.int(), answer: z.string().optional() })
    .optional()
    .meta(own('Last attempt: `state`, `time` (ms), `answer` of the other end'))
})

export const AlertDelivery = z.object({
  id: z.int().meta(own('Id of the line')),
  'message-id': z.string().meta(own('Id of the message, the same for every attempt')),
  destination: z.string().meta(own('Name of the destination')),
  rule: z.string().meta(own('Name of the rule; empty for a test of the destination')),
  title: z.string().meta(own('First line of the message')),
  created: z.int().meta(own('When the hub made the message, in milliseconds since the epoch')),
  state: DeliveryState.meta(own('`waiting`, `sent`, `failed`')),
  attempts: z.int().meta(own('Number of attempts')),
  time: z.int().optional().meta(own('When the last attempt ended')),
  next: z.int().optional().meta(own('`waiting`: when the next attempt is made, at the earliest')),
  answer: z.string().optional().meta(own('Answer of the other end, or the reason why the hub did not reach it'))
})

export type DeliveryState = z.infer<typeof DeliveryState>
export type AlertDestination = z.infer<typeof AlertDestination>
export type AlertDelivery = z.infer<typeof AlertDelivery>

const fields = {
  name: textRule(labelName),
  config,
  language: z.enum(['en', 'zh']).optional().describe('`en` (default), `zh`: language of its messages'),
  enable: z.boolean().optional().describe('`true` (default); `false`: its messages stay in the queue')
}

export const destinationSchemas = {
  'GET /alert/destination/list': {
    summary: 'Lists the destinations of notifications, by name, without their secrets.',
    request: emptyRequest,
    response: listOf(AlertDestination),
    responseNote: 'list of destinations',
    source: 'own',
    examples: [{}]
  },
  'POST /alert/destination/add': {
    summary: 'Adds a destination of notifications. Returns its id.',
    operation: ['Add notification destination', '添加通知目的地'],
    request: z.object({ ...fields, type: z.enum(KINDS) }),
    response: z.object({ id: z.int().meta(own('Id of the destination')) }),
    errors: { [INVALID_ARG]: '', [NAME_EXISTS]: '', [TOO_MANY]: `${DESTINATIONS_MAX} destinations` },
    source: 'own',
    examples: [
      { name: 'Duty desk', type: 'webhook', config: { url: 'https://hooks.example.com/headend' } },
      {
        name: 'Duty desk',
        type: 'webhook',
        config: { url: 'https://hooks.example.com/headend', secret: 'signs every message', template: 'json' },
        language: 'en',
        enable: true
      }
    ]
  },
  'POST /alert/destination/set': {
    summary:
      'Changes a destination. Absent fields, also those of `config`, stay as they are; an empty text removes one.',
    operation: ['Edit notification destination', '编辑通知目的地'],
    request: z.object({ id, ...z.object(fields).partial().shape }),
    errors: { [INVALID_ARG]: '', [NOT_EXIST]: '', [NAME_EXISTS]: '' },
    source: 'own',
    examples: [{ id: 1 }, { id: 1, name: 'Night desk', config: { template: 'slack' }, language: 'zh', enable: false }]
  },
  'POST /alert/destination/del': {
    summary: 'Deletes a destination, removes it from all rules, and gives up its waiting messages.',
    operation: ['Delete notification destination', '删除通知目的地'],
    request: z.object({ id }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /alert/destination/test': {
    summary: 'Sends a test message to a destination at once, and returns the answer of the other end.',
    operation: ['Test notification destination', '测试通知目的地'],
    request: z.object({ id }),
    response: z.object({ answer: z.string().meta(own('Answer of the other end')) }),
    errors: { [NOT_EXIST]: '', [NO_RESPONSE]: 'with `message`: the message was not delivered' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'GET /alert/log': {
    summary: 'The delivery log: messages to destinations, the newest first.',
    request: z.object({ ...page, destination: queryId.optional().describe('id of a destination; absent: all') }),
    response: listOf(AlertDelivery),
    responseNote: 'list of messages',
    source: 'own',
    examples: [{}, { start: 0, count: 50, destination: 1 }]
  }
} satisfies CallSchemas
