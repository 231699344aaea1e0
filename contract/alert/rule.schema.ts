// Schemas of alert/rule.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, TOO_MANY } from '../codes.ts'
import { emptyRequest, id, listOf, own, serial, textRule, wholeNumber } from '../fields.schema.ts'
import { PROBLEM_KINDS } from '../problem.ts'
import { labelName } from '../rules/label.ts'
import { optional } from '../rules/rules.ts'
import { scheduleTime } from '../rules/schedule.ts'
import {
  REPEAT_MAX,
  REPEAT_MIN,
  RULE_ACTIONS_MAX,
  RULE_AFTER_MAX,
  RULE_DESTINATIONS_MAX,
  RULE_OBJECTS_MAX,
  RULE_SEVERITIES,
  RULE_STEPS_MAX,
  RULES_MAX,
  WEEKDAYS
} from './rule.ts'

const timeOfDay = textRule(optional(scheduleTime)).meta({ example: '18:00' })

/** A part of the week, in the time zone of the hub. */
export const AlertPeriod = z.object({
  days: z.array(z.enum(WEEKDAYS)).max(7).optional().describe('`mon` ... `sun`; absent or empty: every day'),
  from: timeOfDay.optional().describe('`HH:MM`; absent or empty: from midnight'),
  to: timeOfDay.optional().describe('`HH:MM`, on the next day if it is not after `from`; absent or empty: to midnight')
})

const destinations = z.array(id).max(RULE_DESTINATIONS_MAX)
const objects = z.array(id).max(RULE_OBJECTS_MAX)

export const RuleAction = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('switch').describe('Puts an input or the slate of a channel on air'),
    channel: id,
    input: z.union([id, z.literal('slate'), z.literal('auto')]).describe('Id of an input, `slate`, or `auto`')
  }),
  z.object({ type: z.literal('salvo').describe('Takes a salvo of a matrix'), matrix: id, salvo: id }),
  z.object({ type: z.literal('record').describe('Starts a recording of a channel, which a user stops'), channel: id })
])

/** Options of a rule. A stored rule has all of them; a request can leave out all but the destinations. */
const options = {
  enable: z.boolean().describe('`false`: the rule does nothing. Default `true`'),
  severity: z
    .enum(RULE_SEVERITIES)
    .describe('`warning` (default): every problem; `critical`: only those of severity `bad`'),
  destinations: destinations.describe(`Ids of destinations, at most ${RULE_DESTINATIONS_MAX}`),
  'after-s': wholeNumber(0, RULE_AFTER_MAX).describe('Seconds for which a problem has to last, 0-86400. Default 0'),
  kinds: z.array(z.enum(PROBLEM_KINDS)).max(PROBLEM_KINDS.length).describe('Kinds of problems; empty (default): all'),
  tags: objects.describe('Ids of tags: problems of the channels and devices that have one of them'),
  channels: objects.describe('Ids of channels, with their outputs'),
  devices: z
    .array(serial)
    .max(RULE_OBJECTS_MAX)
    .describe('Serial numbers of devices. Without tags, channels and devices: all problems, also those of the hub'),
  when: AlertPeriod.describe(
    'Times of the week at which the rule sends: `days`, `from`, `to`, in the time zone of the hub. A problem that begins at another time is sent at the next of them if it still lasts'
  ),
  quiet: AlertPeriod.describe(
    'Times of the week at which the rule does not send. Without `days`, `from` and `to`: none'
  ),
  'repeat-s': z
    .union([z.literal(0), wholeNumber(REPEAT_MIN, REPEAT_MAX)])
    .describe('Seconds between reminders until somebody acknowledges the problem, 60-86400. Default 0: none'),
  escalation: z
    .array(z.object({ 'after-s': wholeNumber(1, RULE_AFTER_MAX), destinations }))
    .max(RULE_STEPS_MAX)
    .describe(
      'Further destinations, each `after-s` seconds after the first message, unless somebody has acknowledged it'
    ),
  recovery: z.boolean().describe('Whether the rule also sends a message when a problem has ended. Default `true`'),
  actions: z
    .array(RuleAction)
    .max(RULE_ACTIONS_MAX)
    .describe(
      'What the hub does when an alarm is raised: `switch` (`channel`, `input`), `salvo` (`matrix`, `salvo`), `record` (`channel`)'
    )
}

export const RuleOptions = z.object(options)

export const AlertRule = z.object({
  id: z.int().meta(own('Id of the rule')),
  name: z.string().meta(own('Name, 1-64 characters; unique, upper and lower case are the same')),
  ...options,
  'destination-names': z.array(z.string()).meta(own('Names of its destinations'))
})

export type AlertPeriod = z.infer<typeof AlertPeriod>
export type RuleAction = z.infer<typeof RuleAction>
export type RuleOptions = z.infer<typeof RuleOptions>
export type AlertRule = z.infer<typeof AlertRule>

const name = textRule(labelName)
const optionalFields = z.object(options).partial().shape

export const ruleSchemas = {
  'GET /alert/rule/list': {
    summary: 'Lists the rules of notifications, by name.',
    request: emptyRequest,
    response: listOf(AlertRule),
    responseNote: 'list of rules',
    source: 'own',
    examples: [{}]
  },
  'POST /alert/rule/add': {
    summary: 'Adds a rule of notifications. Returns its id.',
    operation: ['Add notification rule', '添加通知规则'],
    request: z.object({ name, ...optionalFields, destinations: options.destinations }),
    response: z.object({ id: z.int().meta(own('Id of the rule')) }),
    errors: {
      [INVALID_ARG]: 'also with a destination, tag, channel, device, salvo or input of an action that does not exist',
      [NAME_EXISTS]: '',
      [TOO_MANY]: `${RULES_MAX} rules`
    },
    source: 'own',
    examples: [
      { name: 'Everything', destinations: [] },
      {
        name: 'Night',
        destinations: [],
        severity: 'warning',
        'after-s': 30,
        kinds: ['channel', 'device'],
        tags: [],
        channels: [],
        devices: [],
        when: { days: ['mon', 'fri'], from: '18:00', to: '06:00' },
        quiet: { from: '23:00', to: '05:00' },
        'repeat-s': 600,
        escalation: [{ 'after-s': 900, destinations: [] }],
        recovery: true,
        actions: [],
        enable: true
      }
    ]
  },
  'POST /alert/rule/set': {
    summary: 'Changes a rule. Absent fields stay as they are.',
    operation: ['Edit notification rule', '编辑通知规则'],
    request: z.object({ id, name: name.optional(), ...optionalFields }),
    errors: {
      [INVALID_ARG]:
        'also with an object that does not exist and that the rule did not have before; deleted objects may stay',
      [NOT_EXIST]: '',
      [NAME_EXISTS]: ''
    },
    source: 'own',
    examples: [{ id: 1 }, { id: 1, name: 'Day', severity: 'critical', 'after-s': 10 }]
  },
  'POST /alert/rule/del': {
    summary: 'Deletes a rule. Its messages in the queue are still delivered; its recoveries are not sent any more.',
    operation: ['Delete notification rule', '删除通知规则'],
    request: z.object({ id }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /alert/rule/test': {
    summary: 'Sends a test message to all destinations of a rule at once, also those of its escalation.',
    operation: ['Test notification rule', '测试通知规则'],
    request: z.object({ id }),
    response: z.object({
      results: z
        .array(z.object({ destination: z.string(), sent: z.boolean(), answer: z.string() }))
        .meta(
          own(
            'By destination: `destination` (name), `sent`, `answer` of the other end or the reason why the hub did not reach it'
          )
        ),
      problems: z.int().meta(own('Number of present problems that match the rule'))
    }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  }
} satisfies CallSchemas
