// An alarm: one cause in one rule, from its first message until the time for a return after its recovery has passed.
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
  /** Reason and severity of the problem in the last message that named it. */
  reason: HealthReason
  severity?: FoundProblem['severity']
  since: number
  endedAt?: number
}

export interface Alarm {
  id: string
  rule: number
  /** Key of its cause. */
  key: string
  /** Name of its cause; absent: its only problem is its own cause. */
  name?: Translation
  cause: HealthReason
  severity: FoundProblem['severity']
  since: number
  /** When it was last raised. */
  openedAt: number
  /** When it ended; absent: it is open. */
  closedAt?: number
  /** Whether its cause has come back after a recovery. */
  isFlapping: boolean
  concerns: AlarmConcern[]
  /** IDs of the destinations that got a message about it. */
  recipients: number[]
  /** IDs of the destinations that got no message about it, because other rules had sent them all its problems. */
  otherRecipients: number[]
  /** When the last message was made. */
  sentAt: number
  /** Number of messages that were made. */
  messages: number
  /** Number of messages about problems that have joined or changed. */
  updates: number
  /** Whether problems have joined since the last message. */
  isDirty: boolean
  /** Whether the reason of a problem differs from that in the last message, or its severity has become `bad`. */
  isChanged: boolean
  /** Whether its severity has become `bad` since the last message. */
  isWorse: boolean
  /** When problems last joined or changed. */
  changedAt: number
  /** Number of steps of the escalation that were sent. */
  steps: number
}

/** Milliseconds for which all problems of an alarm have to be absent before it ends. */
export const RECOVERY_HOLD = 10_000
/**
 * Milliseconds. A cause that returns within this time after the end of its alarm raises the same alarm again, which
 * then ends only after this time without problems.
 */
export const FLAPPING_TIME = 900_000
/** Milliseconds from a message to the next one about joined or changed problems. They double up to the longest. */
const FIRST_UPDATE = 60_000
const LONGEST_UPDATE = 3_600_000
/** Milliseconds without a message and without a change, after which the time between messages is the first again. */
const UPDATES_FORGOTTEN = 600_000
/** Maximum number of problems of an alarm whose changes are sent: one problem does not change a larger alarm. */
const CHANGES_MAX = 5

const concernOf = ({ id, kind, reason, severity, since }: FoundProblem): AlarmConcern => ({
  ...{ id, kind, reason, severity, since }
})

const worstOf = (problems: readonly FoundProblem[]) =>
  problems.some(({ severity }) => severity === 'bad') ? 'bad' : 'warn'

/** State of an alarm that is raised, for the first time or again. */
const UNCHANGED = { updates: 0, isDirty: false, isChanged: false, isWorse: false, steps: 0 }

export function openAlarm(rule: number, { key, name, problems }: CauseGroup, now: number): Alarm {
  return {
    id: randomUUID(),
    rule,
    key,
    ...(name && { name }),
    cause: problems[0]?.reason ?? 'failed',
    severity: worstOf(problems),
    since: Math.min(...problems.map(({ since }) => since)),
    openedAt: now,
    isFlapping: false,
    concerns: problems.map(concernOf),
    recipients: [],
    otherRecipients: [],
    sentAt: now,
    changedAt: now,
    messages: 0,
    ...UNCHANGED
  }
}

/** Raises an alarm again whose cause has returned after its end. */
export function reopenAlarm(alarm: Alarm, { problems }: CauseGroup, now: number): void {
  delete alarm.closedAt
  Object.assign(alarm, {
    ...UNCHANGED,
    openedAt: now,
    isFlapping: true,
    severity: worstOf(problems),
    concerns: problems.map(concernOf),
    recipients: [],
    otherRecipients: []
  })
}

/** Whether an alarm ended so long ago that its cause raises a new alarm. True also after the clock was set back. */
export const isForgotten = ({ closedAt }: Alarm, now: number): boolean =>
  closedAt !== undefined && (now < closedAt || now - closedAt >= FLAPPING_TIME)

/** Adds new problems to the alarm about their cause. */
export function joinAlarm(alarm: Alarm, { name, problems }: CauseGroup, now: number): void {
  noteChange(alarm, now)
  alarm.concerns.push(...problems.map(concernOf))
  alarm.isDirty = true
  if (name) alarm.name ??= name
  noteSeverity(alarm, problems)
}

/** Notes a change of an alarm. The first change after a time without changes is sent after the shortest time. */
function noteChange(alarm: Alarm, now: number): void {
  if (now - Math.max(alarm.sentAt, alarm.changedAt) >= UPDATES_FORGOTTEN) alarm.updates = 0
  alarm.changedAt = now
}

/** Notes that an alarm has become worse. @returns whether it has */
function noteSeverity(alarm: Alarm, problems: readonly FoundProblem[]): boolean {
  if (alarm.severity === 'bad' || !problems.some(({ severity }) => severity === 'bad')) return false
  alarm.severity = 'bad'
  alarm.isWorse = true
  return true
}

/** Notes that a message names the problems with their present reasons and severities. */
export function noteNamed(alarm: Alarm, current: ReadonlyMap<string, FoundProblem>): void {
  const problems = alarm.concerns.flatMap((concern) => {
    const problem = current.get(concern.id)
    if (problem) Object.assign(concern, { reason: problem.reason, severity: problem.severity })
    return problem ?? []
  })
  const worst = problems.find(({ severity }) => severity === 'bad') ?? problems[0]
  if (worst) Object.assign(alarm, { cause: worst.reason, severity: worst.severity })
  Object.assign(alarm, { isDirty: false, isChanged: false, isWorse: false })
}

/** Whether the last message names another reason of a problem, or the problem has become worse since. */
const hasChangedSince = ({ reason, severity }: AlarmConcern, problem: FoundProblem): boolean =>
  reason !== problem.reason || (severity === 'warn' && problem.severity === 'bad')

/**
 * Notes which problems of an alarm have ended, have begun again, or have changed.
 * @param current the problems by ID
 * @returns whether something has changed
 */
export function followConcerns(alarm: Alarm, current: ReadonlyMap<string, FoundProblem>, now: number): boolean {
  let hasChanged = false
  const isSmall = activeConcerns(alarm).length <= CHANGES_MAX
  let isChanged = false
  for (const concern of alarm.concerns) {
    const problem = current.get(concern.id)
    isChanged ||= isSmall && problem !== undefined && hasChangedSince(concern, problem)
    if (problem ? concern.endedAt === undefined : concern.endedAt !== undefined) continue
    hasChanged = true
    if (problem) delete concern.endedAt
    else concern.endedAt = now
  }
  if (isChanged !== alarm.isChanged) {
    if (isChanged) noteChange(alarm, now)
    alarm.isChanged = isChanged
    hasChanged = true
  }
  const problems = alarm.concerns.flatMap(({ id }) => current.get(id) ?? [])
  return noteSeverity(alarm, problems) || hasChanged
}

/** The problems that have not ended. */
export const activeConcerns = ({ concerns }: Alarm): AlarmConcern[] =>
  concerns.filter(({ endedAt }) => endedAt === undefined)

/** When the last problem of an alarm ended. */
export const endOf = ({ concerns }: Alarm): number => Math.max(...concerns.map(({ endedAt = 0 }) => endedAt))

/** Whether all problems ended so long ago that the alarm ends. */
export const hasEnded = (alarm: Alarm, now: number): boolean =>
  activeConcerns(alarm).length === 0 && now - endOf(alarm) >= (alarm.isFlapping ? FLAPPING_TIME : RECOVERY_HOLD)

/** Whether a message about joined or changed problems is due. It is due at once if the alarm has become worse. */
export const isUpdateDue = ({ isDirty, isChanged, isWorse, sentAt, updates }: Alarm, now: number): boolean =>
  isWorse ||
  ((isDirty || isChanged) && now - sentAt >= Math.min(LONGEST_UPDATE, FIRST_UPDATE * 2 ** Math.min(updates, 20)))

export const toStoredAlarm = ({ id, rule, ...state }: Alarm): StoredAlarm => ({
  id,
  rule,
  state: JSON.stringify(state)
})

export const fromStoredAlarm = ({ id, rule, state }: StoredAlarm): Alarm => ({
  ...{ id, rule, isFlapping: false, isChanged: false, changedAt: 0, recipients: [], otherRecipients: [] },
  ...JSON.parse(state)
})
