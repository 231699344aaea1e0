// Handlers for rules of notifications.
import {
  addRule,
  deleteRule,
  listRules,
  RULES_MAX,
  type RuleOptions,
  setRule,
  testRule
} from '../../../contract/alert/rule.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, TOO_MANY } from '../../../contract/codes.ts'
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
import { compareText } from '../list.ts'
import { type AlertParts, answerText } from './destination.ts'

const DEFAULTS: RuleOptions = {
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

/** @throws CallError 7 with the first field that names an object that does not exist */
function requireObjects({ alertDestinations, tags, channels, devices, matrices }: Store, options: RuleOptions): void {
  const isDestination = (id: number) => alertDestinations.byId(id) !== undefined
  const exist: Readonly<Record<string, boolean>> = {
    destinations: options.destinations.every(isDestination),
    escalation: options.escalation.every((step) => step.destinations.every(isDestination)),
    tags: options.tags.every((id) => tags.byId(id)),
    channels: options.channels.every((id) => channels.byId(id)),
    devices: options.devices.every((sn) => devices.bySerial(sn)),
    actions: options.actions.every((action) =>
      action.type === 'salvo'
        ? matrices.salvos(action.matrix).some(({ id }) => id === action.salvo)
        : channels.byId(action.channel)
    )
  }
  const [field] = Object.entries(exist).find(([, exists]) => !exists) ?? []
  if (field !== undefined) throw new CallError(INVALID_ARG, { field, fault: 'invalid' })
}

/** The fields of a request that are there. */
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

  /** @throws CallError 1003 if another rule has the name */
  function requireFreeName(name: string, id?: number): void {
    const isTaken = alertRules.all().some((each) => each.id !== id && each.name.toLowerCase() === name.toLowerCase())
    if (isTaken) throw new CallError(NAME_EXISTS, { field: 'name' })
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
      requireFreeName(name)
      if (alertRules.all().length >= RULES_MAX) throw new CallError(TOO_MANY, { max: RULES_MAX })
      const options = { ...DEFAULTS, ...givenOptions(request) }
      requireObjects(store, options)
      const id = alertRules.add(name, options)
      context.objects.push(`alert-rule:${id}`)
      announce(context)
      return { id }
    }),
    handleChange(setRule, (context, { id, name, ...request }) => {
      const { id: _, name: before, ...known } = requireRule(context, id)
      context.detail = name === undefined || name === before ? before : `${before} → ${name}`
      if (name !== undefined) requireFreeName(name, id)
      const given = givenOptions(request)
      // Objects that were deleted since may stay in what the request does not change.
      requireObjects(store, { ...DEFAULTS, ...given })
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
