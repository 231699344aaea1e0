// Handlers for rules of notifications.
import { isDeepStrictEqual } from 'node:util'
import {
  addRule,
  deleteRule,
  listRules,
  RULE_DEFAULTS,
  RULES_MAX,
  type RuleAction,
  type RuleOptions,
  setRule,
  testRule
} from '../../../contract/alert/rule.ts'
import { INVALID_ARG, NOT_EXIST, TOO_MANY } from '../../../contract/codes.ts'
import type { SendError } from '../../alerts/sender.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handleChange,
  handlePreparedChange
} from '../../http/handler.ts'
import type { Answer } from '../../store/alert-deliveries.ts'
import type { StoredRule } from '../../store/alert-rules.ts'
import type { Store } from '../../store/store.ts'
import { hasInput } from '../channel/switch.ts'
import { requireFreeName } from '../free-name.ts'
import { compareText } from '../list.ts'
import { type AlertParts, answerText } from './destination.ts'

/** Whether the hub has what an action acts on. */
function isPossible(store: Store, action: RuleAction): boolean {
  if (action.type === 'salvo') return store.matrices.salvos(action.matrix).some(({ id }) => id === action.salvo)
  const row = store.channels.byId(action.channel)
  if (!row || action.type === 'record' || typeof action.input !== 'number') return row !== undefined
  return hasInput(store, row, action.input)
}

/**
 * Checks the objects that a request adds to a rule. Objects that the rule had before may have been deleted: a rule that
 * lost its last channel would match all problems, and a channel that is restored from the trash is in its rules again.
 * @throws CallError 7 with the first field that names an object that does not exist
 */
function requireObjects(store: Store, options: RuleOptions, known: RuleOptions): void {
  const { alertDestinations, tags, channels, devices } = store
  const isDestination = (id: number) => alertDestinations.byId(id) !== undefined
  const allExist = <Value>(given: readonly Value[], before: readonly Value[], exists: (value: Value) => boolean) =>
    given.every((value) => before.some((each) => isDeepStrictEqual(each, value)) || exists(value))
  const targets = ({ escalation }: RuleOptions) => escalation.flatMap(({ destinations }) => destinations)
  const exist: Readonly<Record<string, boolean>> = {
    destinations: allExist(options.destinations, known.destinations, isDestination),
    escalation: allExist(targets(options), targets(known), isDestination),
    tags: allExist(options.tags, known.tags, (id) => tags.byId(id) !== undefined),
    channels: allExist(options.channels, known.channels, (id) => channels.byId(id) !== undefined),
    devices: allExist(options.devices, known.devices, (sn) => devices.bySerial(sn) !== undefined),
    actions: allExist(options.actions, known.actions, (action) => isPossible(store, action))
  }
  const [field] = Object.entries(exist).find(([, exists]) => !exists) ?? []
  if (field !== undefined) throw new CallError(INVALID_ARG, { field, fault: 'invalid' })
}

/** The options that a request has. */
const givenOptions = (options: { [Name in keyof RuleOptions]?: RuleOptions[Name] | undefined }): Partial<RuleOptions> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

export function ruleHandlers({ store, notifications }: AlertParts): Handler[] {
  const { alertRules } = store
  const announce = (context: Context) => context.afterCommit(() => store.changes.markChanged('alert'))

  /** @throws CallError 16 */
  function requireRule(context: Context, id: number): StoredRule {
    context.objects.push(`alert-rule:${id}`)
    const rule = alertRules.all().find((each) => each.id === id)
    if (!rule) throw new CallError(NOT_EXIST)
    return rule
  }

  return [
    handle(listRules, () => {
      const nameOf = (id: number) => store.alertDestinations.byId(id)?.name ?? []
      const list = alertRules
        .all()
        .map((rule) => ({ ...rule, 'destination-names': rule.destinations.flatMap(nameOf) }))
        .sort((a, b) => compareText(a.name, b.name))
      return { start: 0, total: list.length, list }
    }),
    handleChange(addRule, (context, { name, ...request }) => {
      context.detail = name
      requireFreeName(alertRules.all(), name)
      if (alertRules.all().length >= RULES_MAX) throw new CallError(TOO_MANY, { max: RULES_MAX })
      const options = { ...RULE_DEFAULTS, ...givenOptions(request) }
      requireObjects(store, options, RULE_DEFAULTS)
      const id = alertRules.add(name, options)
      context.objects.push(`alert-rule:${id}`)
      announce(context)
      return { id }
    }),
    handleChange(setRule, (context, { id, name, ...request }) => {
      const { id: _, name: before, ...known } = requireRule(context, id)
      context.detail = name === undefined || name === before ? before : `${before} → ${name}`
      if (name !== undefined) requireFreeName(alertRules.all(), name, id)
      const given = givenOptions(request)
      requireObjects(store, { ...RULE_DEFAULTS, ...given }, known)
      alertRules.set(id, name ?? before, { ...known, ...given })
      announce(context)
      return {}
    }),
    handleChange(deleteRule, (context, { id }) => {
      context.detail = requireRule(context, id).name
      alertRules.remove(id)
      announce(context)
      return {}
    }),
    handlePreparedChange(
      testRule,
      async (context, { id }) => {
        const rule = requireRule(context, id)
        context.detail = rule.name
        const ids = new Set([rule, ...rule.escalation].flatMap(({ destinations }) => destinations))
        const results = [...ids].flatMap((each) => {
          const destination = store.alertDestinations.byId(each)
          if (!destination) return []
          const result = (sent: boolean, answer: Answer) => ({
            destination: destination.name,
            sent,
            answer: answerText(context.language, answer)
          })
          return notifications.sendTest(destination, rule.name).then(
            (answer) => result(true, answer),
            ({ text }: SendError) => result(false, text)
          )
        })
        return { results: await Promise.all(results), problems: notifications.countMatching(rule) }
      },
      (_context, _request, result) => result
    )
  ]
}
