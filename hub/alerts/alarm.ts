// An alarm: what one rule says about one cause, from its first message until the cause has stayed away after the
// recovery.
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
  /** Its reason and severity in the last message that named it. */
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
  /** Name of its cause; absent: it has one problem, which is its own cause. */
  name?: Translation
  cause: HealthReason
  severity: FoundProblem['severity']
  since: number
  /** When it was raised, the last time. */
  openedAt: number
  /** When it ended; absent: it is open. */
  closedAt?: number
  /** Whether its cause has come back after a recovery. */
  isFlapping: boolean
  concerns: AlarmConcern[]
  /** IDs of the destinations that got a message about it. */
  told: number[]
  /** IDs of the destinations that got none, because they knew its problems from other rules. */
  informed: number[]
  /** When the last message was made, and how many. */
  sentAt: number
  messages: number
  /** Messages about problems that have joined. */
  updates: number
  /** Whether problems have joined since the last message. */
  isDirty: boolean
  /** Whether the reason of a problem differs from that in the last message, or its severity has become `bad`. */
  isChanged: boolean
  /** Whether its severity has become `bad` since the last message. */
  isWorse: boolean
  /** When problems have joined or changed, the last time. */
  changedAt: number
  /** Steps of the escalation that were made. */
  steps: number
}

/** Milliseconds for which all problems of an alarm have to be absent before it ends. */
export const RECOVERY_HOLD = 10_000
/**
 * Milliseconds after the end of an alarm within which its cause comes back into it, and for which an alarm whose cause
 * has done so must be without problems before it ends again.
 */
export const FLAPPING_TIME = 900_000
/** Milliseconds between a message and the next one about problems that have joined. It doubles up to the longest. */
const FIRST_UPDATE = 60_000
const LONGEST_UPDATE = 3_600_000
/** Milliseconds without a message and a change after which the time between two of them begins anew. */
const UPDATES_FORGOTTEN = 600_000
/** Problems of an alarm, at most, whose changes are sent: those of a larger one have a cause that stays the same. */
const CHANGES_MAX = 5

const concernOf = ({ id, kind, reason, severity, since }: FoundProblem): AlarmConcern => ({
  ...{ id, kind, reason, severity, since }
})

const worstOf = (problems: readonly FoundProblem[]) =>
  problems.some(({ severity }) => severity === 'bad') ? 'bad' : 'warn'

/** What an alarm has at its beginning, and again when its cause comes back. */
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
    told: [],
    informed: [],
    sentAt: now,
    changedAt: now,
    messages: 0,
    ...UNCHANGED
  }
}

/** The cause of an alarm that has ended is back. */
export function reopenAlarm(alarm: Alarm, { problems }: CauseGroup, now: number): void {
  delete alarm.closedAt
  Object.assign(alarm, {
    ...UNCHANGED,
    openedAt: now,
    isFlapping: true,
    severity: worstOf(problems),
    concerns: problems.map(concernOf),
    told: [],
    informed: []
  })
}

/** Whether an alarm ended so long ago that its cause raises a new one. Also when the clock was set back. */
export const isForgotten = ({ closedAt }: Alarm, now: number): boolean =>
  closedAt !== undefined && (now < closedAt || now - closedAt >= FLAPPING_TIME)

/** Problems with the cause of an alarm have begun. */
export function joinAlarm(alarm: Alarm, { name, problems }: CauseGroup, now: number): void {
  noteChange(alarm, now)
  alarm.concerns.push(...problems.map(concernOf))
  alarm.isDirty = true
  if (name) alarm.name ??= name
  noteSeverity(alarm, problems)
}

/** The first change after a quiet time is sent soon. */
function noteChange(alarm: Alarm, now: number): void {
  if (now - Math.max(alarm.sentAt, alarm.changedAt) >= UPDATES_FORGOTTEN) alarm.updates = 0
  alarm.changedAt = now
}

function noteSeverity(alarm: Alarm, problems: readonly FoundProblem[]): boolean {
  if (alarm.severity === 'bad' || !problems.some(({ severity }) => severity === 'bad')) return false
  alarm.severity = 'bad'
  alarm.isWorse = true
  return true
}

/** A message names the problems as they are now. */
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

/** Whether a problem is another one than the last message says: it has another reason, or has become worse. */
const hasChangedSince = ({ reason, severity }: AlarmConcern, problem: FoundProblem): boolean =>
  reason !== problem.reason || (severity === 'warn' && problem.severity === 'bad')

/**
 * Notes which problems of an alarm have ended, which are there again, and which have changed.
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

/** Whether all problems have ended, and for long enough. */
export const hasEnded = (alarm: Alarm, now: number): boolean =>
  activeConcerns(alarm).length === 0 && now - endOf(alarm) >= (alarm.isFlapping ? FLAPPING_TIME : RECOVERY_HOLD)

/** Whether it is time for a message about problems that have joined or changed: at once if the alarm is worse. */
export const isUpdateDue = ({ isDirty, isChanged, isWorse, sentAt, updates }: Alarm, now: number): boolean =>
  isWorse ||
  ((isDirty || isChanged) && now - sentAt >= Math.min(LONGEST_UPDATE, FIRST_UPDATE * 2 ** Math.min(updates, 20)))

export const toStoredAlarm = ({ id, rule, ...state }: Alarm): StoredAlarm => ({
  id,
  rule,
  state: JSON.stringify(state)
})

export const fromStoredAlarm = ({ id, rule, state }: StoredAlarm): Alarm => ({
  ...{ id, rule, isFlapping: false, isChanged: false, changedAt: 0, informed: [] },
  ...JSON.parse(state)
})
