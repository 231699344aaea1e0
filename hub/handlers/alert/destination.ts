// Handlers for destinations of notifications and the delivery log.
import * as z from 'zod'
import {
  type AlertDelivery,
  type AlertDestination,
  addDestination,
  DESTINATIONS_MAX,
  deleteDestination,
  listDeliveries,
  listDestinations,
  setDestination,
  testDestination
} from '../../../contract/alert/destination.ts'
import { DESTINATION_KINDS, type DestinationKind } from '../../../contract/alert/destination-kinds.schema.ts'
import { INVALID_ARG, NO_RESPONSE, NOT_EXIST, TOO_MANY } from '../../../contract/codes.ts'
import { describeIssues } from '../../../contract/fields.schema.ts'
import type { Translation } from '../../../contract/text/language.ts'
import type { Notifications } from '../../alerts/notifications.ts'
import type { SendError } from '../../alerts/sender.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handleChange,
  handlePreparedChange
} from '../../http/handler.ts'
import { type Language, translate } from '../../messages/language.ts'
import type { Answer, StoredDelivery } from '../../store/alert-deliveries.ts'
import type { JsonObject, StoredDestination } from '../../store/alert-destinations.ts'
import type { Store } from '../../store/store.ts'
import { requireFreeName } from '../free-name.ts'
import { compareText } from '../list.ts'

export interface AlertParts {
  store: Store
  notifications: Notifications
}

const DELETED: Translation = ['Given up: the destination was deleted.', '已放弃：目的地已删除。']
const PAGE_DEFAULT = 100

/** A row of the table of kinds, for a configuration that the schema of the row has checked. */
interface KindRow {
  config: z.ZodObject
  secrets: readonly string[]
  target(config: JsonObject): string
}

const kindOf = (type: string) => DESTINATION_KINDS[type as DestinationKind] as unknown as KindRow

/**
 * Checks a configuration, and separates its secret fields. Fields with an empty text are removed.
 * @throws CallError 7 with the field
 */
function splitConfig(type: string, config: JsonObject): { config: JsonObject; secrets: JsonObject } {
  const { config: schema, secrets } = kindOf(type)
  /** Whether a field has a value. An empty text is a value of few fields. */
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== '' || (!secrets.includes(name) && schema.shape[name]?.safeParse('').success)
  const given = Object.fromEntries(Object.entries(config).filter(isGiven))
  const parsed = z.object({ config: schema }).safeParse({ config: given })
  if (!parsed.success) throw new CallError(INVALID_ARG, describeIssues(parsed.error.issues, { config: given }))
  const fields = Object.entries(parsed.data.config)
  return {
    config: Object.fromEntries(fields.filter(([name]) => !secrets.includes(name))),
    secrets: Object.fromEntries(fields.filter(([name]) => secrets.includes(name)))
  }
}

export const answerText = (language: Language, answer: Answer): string =>
  typeof answer === 'string' ? answer : translate(language, answer)

/** The answer of an attempt, for a response. */
function answerOf(language: Language, { answer }: StoredDelivery): { answer?: string } {
  const text = answerText(language, JSON.parse(answer))
  return text ? { answer: text } : {}
}

function serializeDelivery(language: Language, row: StoredDelivery): AlertDelivery {
  const { id, title } = JSON.parse(row.message)
  return {
    id: row.id,
    'message-id': id,
    destination: row.destination,
    rule: row.rule,
    title,
    created: row.created,
    state: row.state,
    attempts: row.attempts,
    ...(row.time > 0 && { time: row.time }),
    ...(row.state === 'waiting' && { next: row.next }),
    ...answerOf(language, row)
  }
}

class DestinationHandlers {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** @throws CallError 16 */
  require(context: Context, id: number): StoredDestination {
    context.objects.push(`alert-destination:${id}`)
    const destination = this.#store.alertDestinations.byId(id)
    if (!destination) throw new CallError(NOT_EXIST)
    return destination
  }

  serialize(language: Language, destination: StoredDestination): AlertDestination {
    const { alertDestinations, alertDeliveries } = this.#store
    const { id, type, config } = destination
    const secrets = alertDestinations.secrets(id)
    const last = alertDeliveries.lastAttempt(id)
    return {
      ...destination,
      type: type as DestinationKind,
      config: config as AlertDestination['config'],
      secrets: Object.fromEntries(Object.keys(secrets).map((name) => [name, true])),
      target: kindOf(type).target({ ...config, ...secrets }),
      waiting: alertDeliveries.countWaiting(id),
      ...(last && { last: { state: last.state, time: last.time, ...answerOf(language, last) } })
    }
  }

  /** Removes a destination from all rules. */
  removeFromRules(id: number): void {
    const { alertRules } = this.#store
    const without = (ids: readonly number[]) => ids.filter((each) => each !== id)
    for (const { id: rule, name, ...options } of alertRules.all())
      alertRules.set(rule, name, {
        ...options,
        destinations: without(options.destinations),
        escalation: options.escalation.map((step) => ({ ...step, destinations: without(step.destinations) }))
      })
  }
}

export function destinationHandlers({ store, notifications }: AlertParts): Handler[] {
  const { alertDestinations, alertDeliveries } = store
  const shared = new DestinationHandlers(store)
  const announce = (context: Context) =>
    context.afterCommit(() => {
      store.changes.markChanged('alert')
      notifications.queue.followDestinations()
    })
  return [
    handle(listDestinations, ({ language }) => {
      const list = alertDestinations
        .all()
        .map((destination) => shared.serialize(language, destination))
        .sort((a, b) => compareText(a.name, b.name))
      return { start: 0, total: list.length, list }
    }),
    handleChange(addDestination, (context, { name, type, config, language = 'en', enable = true }) => {
      context.detail = name
      requireFreeName(alertDestinations.all(), name)
      if (alertDestinations.all().length >= DESTINATIONS_MAX) throw new CallError(TOO_MANY, { max: DESTINATIONS_MAX })
      notifications.prepare(type)
      const id = alertDestinations.add({ name, type, enable, language, ...splitConfig(type, config) })
      context.objects.push(`alert-destination:${id}`)
      announce(context)
      return { id }
    }),
    handleChange(setDestination, (context, { id, name, config = {}, language, enable }) => {
      const before = shared.require(context, id)
      context.detail = name === undefined || name === before.name ? before.name : `${before.name} → ${name}`
      if (name !== undefined) requireFreeName(alertDestinations.all(), name, id)
      alertDestinations.set(id, {
        ...before,
        name: name ?? before.name,
        enable: enable ?? before.enable,
        language: language ?? before.language,
        ...splitConfig(before.type, { ...before.config, ...alertDestinations.secrets(id), ...config })
      })
      alertDeliveries.makeDue(id, Date.now())
      announce(context)
      return {}
    }),
    handleChange(deleteDestination, (context, { id }) => {
      context.detail = shared.require(context, id).name
      shared.removeFromRules(id)
      alertDeliveries.giveUp(id, DELETED, { keep: 0, now: Date.now() })
      alertDestinations.remove(id)
      announce(context)
      return {}
    }),
    handlePreparedChange(
      testDestination,
      async (context, { id }) => {
        const destination = shared.require(context, id)
        context.detail = destination.name
        const answer = await notifications.sendTest(destination, '').catch((error: SendError) => {
          throw new CallError(NO_RESPONSE, { message: translate(context.language, error.text) })
        })
        return { answer }
      },
      (_context, _request, result) => result
    ),
    handle(listDeliveries, ({ language }, { start = 0, count = PAGE_DEFAULT, destination }) => {
      const { total, list } = alertDeliveries.page(destination, start, count)
      return { start, total, list: list.map((row) => serializeDelivery(language, row)) }
    })
  ]
}
