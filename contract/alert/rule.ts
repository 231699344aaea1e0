// Rules of notifications: which problems are sent to which destinations, and when (docs/wire.md, "Notifications").
import { declareCall } from '../call.ts'
import type { RuleOptions } from './rule.schema.ts'

export type { AlertPeriod, AlertRule, RuleAction, RuleOptions } from './rule.schema.ts'

/** Maximum numbers: rules of a hub, destinations of a rule or step, objects of a filter, steps, actions. */
export const RULES_MAX = 100
export const RULE_DESTINATIONS_MAX = 20
export const RULE_OBJECTS_MAX = 500
export const RULE_STEPS_MAX = 5
export const RULE_ACTIONS_MAX = 10

/** Limits in seconds: for the time that a problem must last before it is sent, and for the time between reminders. */
export const RULE_AFTER_MAX = 86_400
export const REPEAT_MIN = 60
export const REPEAT_MAX = 86_400

/** `warning`: every problem; `critical`: a channel is off air, or a device or a part of the hub does not work. */
export const RULE_SEVERITIES = ['warning', 'critical'] as const

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Options that a request leaves out. */
export const RULE_DEFAULTS: RuleOptions = {
  enable: true,
  severity: 'warning',
  destinations: [],
  'after-s': 0,
  kinds: [],
  tags: [],
  channels: [],
  devices: [],
  when: {},
  quiet: {},
  'repeat-s': 0,
  escalation: [],
  recovery: true,
  actions: []
}

export const listRules = declareCall('GET /alert/rule/list', 'admin')

export const addRule = declareCall('POST /alert/rule/add', 'admin')

export const setRule = declareCall('POST /alert/rule/set', 'admin')

export const deleteRule = declareCall('POST /alert/rule/del', 'admin')

/** Sends a test message to all destinations of a rule at once. */
export const testRule = declareCall('POST /alert/rule/test', 'admin')
