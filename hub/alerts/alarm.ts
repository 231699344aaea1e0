// An alarm: what one rule says about one cause, from its first message to its recovery.
import { randomUUID } from 'node:crypto'
import type { HealthReason } from '../../contract/health.ts'
import type { Translation } from '../../contract/text/language.ts'
import type { FoundProblem } from '../health/problem-monitor.ts'
import type { StoredAlarm } from '../store/alert-rules.ts'
import type { CauseGroup } from './cause.ts'

/** A problem of an alarm. All times are in milliseconds since the epoch. */
export interface AlarmConcern {
  /** ID of the problem. */
  id: string
  kind: FoundProblem['kind']
  reason: HealthReason
  since: number
  endedAt?: number
}

export interface Alarm {
  id: string
  rule: number
  /** Key of its cause. */
  key: string
  /** Name of its cause; absent: it has one problem, which is its own cause. */
  name?: Translation
  cause: HealthReason
  severity: FoundProblem['severity']
  since: number
  openedAt: number
  concerns: AlarmConcern[]
  /** IDs of the destinations that got a message about it. */
  told: number[]
  /** When the last message was made, and how many. */
  sentAt: number
  messages: number
  /** Messages about problems that have joined. */
  updates: number
  /** Whether problems have joined since the last message. */
  isDirty: boolean
  /** Whether its severity has become `bad` since the last message. */
  isWorse: boolean
  /** Steps of the escalation that were made. */
  steps: number
}

/** Milliseconds for which all problems of an alarm have to be absent before it ends: flapping is no recovery. */
export const RECOVERY_HOLD = 10_000
/** Milliseconds between a message and the next one about problems that have joined. It doubles up to the longest. */
const FIRST_UPDATE = 60_000
const LONGEST_UPDATE = 3_600_000
/** Milliseconds without a message after which the time between two of them begins anew. */
const UPDATES_FORGOTTEN = 600_000

const concernOf = ({ id, kind, reason, since }: FoundProblem): AlarmConcern => ({ id, kind, reason, since })

export function openAlarm(rule: number, { key, name, problems }: CauseGroup, now: number): Alarm {
  return {
    id: randomUUID(),
    rule,
    key,
    ...(name && { name }),
    cause: problems[0]?.reason ?? 'failed',
    severity: problems.some(({ severity }) => severity === 'bad') ? 'bad' : 'warn',
    since: Math.min(...problems.map(({ since }) => since)),
    openedAt: now,
    concerns: problems.map(concernOf),
    told: [],
    sentAt: now,
    messages: 0,
    updates: 0,
    isDirty: false,
    isWorse: false,
    steps: 0
  }
}

/** Problems with the cause of an alarm have begun. */
export function joinAlarm(alarm: Alarm, { name, problems }: CauseGroup, now: number): void {
  if (now - alarm.sentAt >= UPDATES_FORGOTTEN) alarm.updates = 0
  alarm.concerns.push(...problems.map(concernOf))
  alarm.isDirty = true
  if (name) alarm.name ??= name
  noteSeverity(alarm, problems)
}

function noteSeverity(alarm: Alarm, problems: readonly FoundProblem[]): boolean {
  if (alarm.severity === 'bad' || !problems.some(({ severity }) => severity === 'bad')) return false
  alarm.severity = 'bad'
  alarm.isWorse = true
  return true
}

/**
 * Notes which problems of an alarm have ended, and which are there again.
 * @param current the problems by ID
 * @returns whether something has changed
 */
export function followConcerns(alarm: Alarm, current: ReadonlyMap<string, FoundProblem>, now: number): boolean {
  let hasChanged = false
  for (const concern of alarm.concerns) {
    const problem = current.get(concern.id)
    if (problem ? concern.endedAt === undefined : concern.endedAt !== undefined) continue
    hasChanged = true
    if (problem) delete concern.endedAt
    else concern.endedAt = now
  }
  const problems = alarm.concerns.flatMap(({ id }) => current.get(id) ?? [])
  return noteSeverity(alarm, problems) || hasChanged
}

/** The problems that have not ended. */
export const activeConcerns = ({ concerns }: Alarm): AlarmConcern[] =>
  concerns.filter(({ endedAt }) => endedAt === undefined)

/** When the last problem of an alarm ended. */
export const endOf = ({ concerns }: Alarm): number => Math.max(...concerns.map(({ endedAt = 0 }) => endedAt))

/** Whether all problems have ended, and for long enough. */
export const hasEnded = (alarm: Alarm, now: number): boolean =>
  activeConcerns(alarm).length === 0 && now - endOf(alarm) >= RECOVERY_HOLD

/** Whether it is time for a message about the problems that have joined: at once if they are worse. */
export const isUpdateDue = ({ isDirty, isWorse, sentAt, updates }: Alarm, now: number): boolean =>
  isWorse || (isDirty && now - sentAt >= Math.min(LONGEST_UPDATE, FIRST_UPDATE * 2 ** Math.min(updates, 20)))

export const toStoredAlarm = ({ id, rule, ...state }: Alarm): StoredAlarm => ({
  id,
  rule,
  state: JSON.stringify(state)
})

export const fromStoredAlarm = ({ id, rule, state }: StoredAlarm): Alarm => ({ id, rule, ...JSON.parse(state) })
