// Compares the problems of the hub with the rules of notifications, and makes messages. Alarms and messages are stored
// together, so that a restart of the hub neither loses nor repeats a message.
import type { RuleAction } from '../../contract/alert/rule.ts'
import { cachedClock, type WallClock } from '../../contract/stream/schedule-periods.ts'
import { logger } from '../../process-log/logger.ts'
import type { FoundProblem, ProblemMonitor } from '../health/problem-monitor.ts'
import { StorageFaultError } from '../storage-fault/storage-fault.ts'
import type { StoredRule } from '../store/alert-rules.ts'
import type { Store } from '../store/store.ts'
import {
  type Alarm,
  activeConcerns,
  followConcerns,
  fromStoredAlarm,
  hasEnded,
  isForgotten,
  isUpdateDue,
  joinAlarm,
  noteNamed,
  openAlarm,
  reopenAlarm,
  toStoredAlarm
} from './alarm.ts'
import { CauseFinder, type CauseGroup, groupByCause, limitGroups, MANY, networkKey, type Origin } from './cause.ts'
import type { Delivery, DeliveryQueue } from './delivery-queue.ts'
import type { MessageComposer } from './message-text.ts'
import { isAbout, isMaintained, isSending, objectsOf, type ProblemObjects } from './rule-filter.ts'

/** Milliseconds in which problems are collected before they are grouped: one fault causes many problems. */
const COLLECT = 5000
/** Maximum number of alarms that a rule raises within `STORM` milliseconds, besides that of all further problems. */
const ALARMS_MAX = 3
const STORM = 600_000

interface AlertEngineOptions {
  store: Store
  monitor: Pick<ProblemMonitor, 'checked' | 'stored'>
  queue: DeliveryQueue
  composer: MessageComposer
  /** Time zone of the hub. */
  zone(): string
  /** Runs an action of a rule. */
  runAction(action: RuleAction, rule: StoredRule): void
  now?: (() => number) | undefined
}

/** The problems of one check of all rules, and its results. */
interface Check {
  now: number
  /** Local time, as if that were UTC. */
  local: number
  problems: readonly FoundProblem[]
  current: ReadonlyMap<string, FoundProblem>
  /** Whether the hub has just started, so that a missing problem has not ended. */
  isSettling: boolean
  objects(problem: FoundProblem): ProblemObjects
  isMaintained(problem: FoundProblem): boolean
  origin(problem: FoundProblem): Origin
  /** Results, which are stored at the end of the check. */
  deliveries: Delivery[]
  changed: Set<Alarm>
  removed: Set<Alarm>
  actions: (() => void)[]
}

/** Makes a function that computes a value once for each problem. */
function oncePerProblem<Value>(compute: (problem: FoundProblem) => Value): (problem: FoundProblem) => Value {
  const values = new Map<string, Value>()
  return (problem) => {
    const value = values.get(problem.id) ?? compute(problem)
    values.set(problem.id, value)
    return value
  }
}

export class AlertEngine {
  readonly #options: AlertEngineOptions
  readonly #now: () => number
  readonly #causes: CauseFinder
  readonly #alarms: Set<Alarm>
  /** When each rule began to collect problems. */
  readonly #collecting = new Map<number, number>()
  #clock: { zone: string; local: WallClock } | undefined

  constructor(options: AlertEngineOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#causes = new CauseFinder(options.store)
    this.#alarms = new Set(options.store.alertRules.alarms().map(fromStoredAlarm))
    options.monitor.checked.on((problems, isSettling) => {
      try {
        this.check(problems, isSettling)
      } catch (error) {
        // The hub and its streams do not depend on notifications.
        logger.error('The rules of notifications could not be checked', error)
      }
    })
  }

  /** Compares all rules with the present problems. */
  check(problems: readonly FoundProblem[], isSettling: boolean): void {
    const rules = this.#options.store.alertRules.all()
    if (rules.length === 0 && this.#alarms.size === 0) return
    const check = this.#begin(problems, isSettling)
    for (const alarm of this.#alarms) {
      const rule = rules.find(({ id }) => id === alarm.rule)
      if (!rule?.enable || isForgotten(alarm, check.now)) check.removed.add(alarm)
    }
    for (const rule of rules) if (rule.enable) this.#checkRule(rule, check)
    this.#store(check)
  }

  /** The problems that match the filters of a rule. */
  matching(rule: StoredRule, problems: readonly FoundProblem[]): FoundProblem[] {
    const { store } = this.#options
    return problems.filter((problem) => isAbout(rule, problem, () => objectsOf(store, problem)))
  }

  #begin(problems: readonly FoundProblem[], isSettling: boolean): Check {
    const { store } = this.#options
    const now = this.#now()
    const maintained = store.alertRules.maintained(now)
    const objects = oncePerProblem((problem) => objectsOf(store, problem))
    return {
      now,
      local: this.#localTime(now),
      problems,
      current: new Map(problems.map((problem) => [problem.id, problem])),
      isSettling,
      objects,
      isMaintained: (problem) => maintained.length > 0 && isMaintained(maintained, objects(problem)),
      origin: oncePerProblem((problem) => this.#causes.originOf(problem)),
      deliveries: [],
      changed: new Set(),
      removed: new Set(),
      actions: []
    }
  }

  #localTime(now: number): number {
    const zone = this.#options.zone()
    if (this.#clock?.zone !== zone) this.#clock = { zone, local: cachedClock(zone) }
    return this.#clock.local(now)
  }

  #checkRule(rule: StoredRule, check: Check): void {
    const { now, problems, current, isSettling } = check
    const own = [...this.#alarms].filter((alarm) => alarm.rule === rule.id && !check.removed.has(alarm))
    const alarms = own.filter(({ closedAt }) => closedAt === undefined)
    // While the hub starts, a missing problem has not ended.
    if (!isSettling) for (const alarm of alarms) if (followConcerns(alarm, current, now)) check.changed.add(alarm)
    if (!isSending(rule, check.local)) {
      this.#collecting.delete(rule.id)
      return
    }
    for (const alarm of alarms) this.#followAlarm(rule, alarm, check)
    const known = new Set(alarms.flatMap(({ concerns }) => concerns.map(({ id }) => id)))
    const due = problems.filter(
      (problem) =>
        !known.has(problem.id) &&
        now - problem.since >= rule['after-s'] * 1000 &&
        isAbout(rule, problem, () => check.objects(problem)) &&
        !check.isMaintained(problem)
    )
    if (due.length === 0) {
      this.#collecting.delete(rule.id)
      return
    }
    const since = this.#collecting.get(rule.id) ?? now
    this.#collecting.set(rule.id, since)
    // If the clock was set back, the rule does not wait any longer.
    if (now >= since && now - since < COLLECT) return
    this.#collecting.delete(rule.id)
    this.#raise(rule, due, own, check)
  }

  /**
   * Raises alarms for new problems, or adds the problems to the alarms about their cause.
   * @param alarms all alarms of the rule, also those that have ended
   */
  #raise(rule: StoredRule, due: readonly FoundProblem[], alarms: readonly Alarm[], check: Check): void {
    const known = new Map(alarms.map((alarm) => [alarm.key, alarm]))
    const isOpen = (key: string) => known.get(key)?.closedAt === undefined && known.has(key)
    const groups = groupByCause(due, (problem) => {
      const origin = check.origin(problem)
      const network = origin.network && networkKey(origin.network)
      return { ...origin, ...(network && isOpen(network) && { key: network }) }
    })
    const isNew = ({ key }: CauseGroup) => !known.has(key)
    const recent = alarms.filter(({ key, openedAt }) => key !== MANY && check.now - openedAt < STORM).length
    const free = Math.max(0, ALARMS_MAX - recent)
    for (const group of [...groups.filter((each) => !isNew(each)), ...limitGroups(groups.filter(isNew), free)]) {
      const alarm = known.get(group.key)
      if (!alarm) this.#open(rule, openAlarm(rule.id, group, check.now), check)
      else if (alarm.closedAt !== undefined) {
        reopenAlarm(alarm, group, check.now)
        this.#open(rule, alarm, check)
      } else {
        joinAlarm(alarm, group, check.now)
        check.changed.add(alarm)
      }
    }
  }

  #open(rule: StoredRule, alarm: Alarm, check: Check): void {
    this.#alarms.add(alarm)
    const recipients = this.#newRecipients(rule.destinations, alarm)
    alarm.otherRecipients = rule.destinations.filter((id) => !recipients.includes(id))
    this.#send(rule, alarm, 'problem', recipients, check)
    check.actions.push(...rule.actions.map((action) => () => this.#options.runAction(action, rule)))
  }

  /** The destinations to which other rules have not sent all problems of an alarm. */
  #newRecipients(destinations: readonly number[], { concerns, rule }: Alarm): number[] {
    const others = [...this.#alarms].filter((alarm) => alarm.rule !== rule)
    return destinations.filter((destination) => {
      const known = others
        .filter(({ recipients }) => recipients.includes(destination))
        .flatMap((alarm) => activeConcerns(alarm))
      const ids = new Set(known.map(({ id }) => id))
      return concerns.some(({ id }) => !ids.has(id))
    })
  }

  /**
   * The destinations that get the recovery of an alarm: those that got a message about it, and those to which other
   * rules have sent its problems, unless other rules also send them the recovery of all these problems.
   */
  #recoveryDestinations({ recipients, otherRecipients, concerns, rule }: Alarm): number[] {
    const rules = this.#options.store.alertRules.all()
    const others = [...this.#alarms].filter(
      (alarm) => alarm.rule !== rule && rules.some((each) => each.id === alarm.rule && each.enable && each.recovery)
    )
    const isUncovered = (destination: number) => {
      const covered = others
        .filter((alarm) => alarm.recipients.includes(destination))
        .flatMap((alarm) => alarm.concerns)
      const ids = new Set(covered.map(({ id }) => id))
      return concerns.some(({ id }) => !ids.has(id))
    }
    return [...recipients, ...otherRecipients.filter(isUncovered)]
  }

  /** Sends the messages of an open alarm that are due: its recovery, joined problems, escalation and reminders. */
  #followAlarm(rule: StoredRule, alarm: Alarm, check: Check): void {
    const { now } = check
    const active = activeConcerns(alarm)
    if (active.length === 0) {
      if (!hasEnded(alarm, now)) return
      if (rule.recovery) this.#send(rule, alarm, 'recovered', this.#recoveryDestinations(alarm), check)
      alarm.closedAt = now
      check.changed.add(alarm)
      return
    }
    const stored = this.#options.monitor.stored()
    const problems = active.flatMap(({ id }) => check.current.get(id) ?? [])
    if (problems.every(check.isMaintained)) return
    // Acknowledgements do not cover problems that have become worse since.
    if (!alarm.isWorse && active.every(({ id }) => stored.get(id)?.ack !== undefined)) return
    if (isUpdateDue(alarm, now)) {
      alarm.updates++
      this.#send(rule, alarm, 'problem', [...alarm.recipients, ...rule.destinations], check)
    }
    for (const step of rule.escalation.slice(alarm.steps)) {
      if (now - alarm.openedAt < step['after-s'] * 1000) break
      alarm.steps++
      // The message names joined and changed problems too, so the other recipients also get it.
      const others = alarm.isDirty || alarm.isChanged ? alarm.recipients : []
      this.#send(rule, alarm, 'problem', [...others, ...step.destinations], check)
    }
    const repeat = rule['repeat-s'] * 1000
    if (repeat > 0 && now - alarm.sentAt >= repeat)
      this.#send(rule, alarm, 'reminder', [...alarm.recipients, ...rule.destinations], check)
  }

  #send(
    rule: StoredRule,
    alarm: Alarm,
    state: 'problem' | 'reminder' | 'recovered',
    destinations: readonly number[],
    { now, problems, current, deliveries, changed }: Check
  ): void {
    const { store, composer } = this.#options
    if (state !== 'recovered') noteNamed(alarm, current)
    alarm.messages++
    alarm.sentAt = now
    for (const id of new Set(destinations)) {
      const destination = store.alertDestinations.byId(id)
      if (!destination) continue
      const message = composer.alarm(destination.language, alarm, state, problems)
      deliveries.push({ destination, rule: rule.name, message })
      if (!alarm.recipients.includes(id)) alarm.recipients.push(id)
    }
    changed.add(alarm)
  }

  /** Stores the alarms that a check has changed, together with its messages. */
  #store({ deliveries, changed, removed, actions }: Check): void {
    const { store, queue } = this.#options
    for (const alarm of removed) this.#alarms.delete(alarm)
    if (changed.size + removed.size === 0) return
    const write = () => {
      for (const alarm of changed) if (!removed.has(alarm)) store.alertRules.putAlarm(toStoredAlarm(alarm))
      for (const { id } of removed) store.alertRules.removeAlarm(id)
    }
    try {
      store.database.essentialTransaction(() => {
        write()
        queue.add(deliveries)
      })
    } catch (error) {
      if (!(error instanceof StorageFaultError)) throw error
      // A message about the disk must not need the disk.
      store.database.transactionOrLater(write)
      queue.addUnstored(deliveries)
    }
    queue.wake()
    for (const action of actions) action()
    store.changes.markChanged('alert')
  }
}
