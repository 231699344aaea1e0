// What the rule of a channel asks for now: to record it, not to, or to keep its last seconds for an alarm.
import type { RecordingRule } from '../../contract/stream/channel-settings.schema.ts'
import { evaluateSchedule } from '../channels/schedule.ts'
import type { RecordingKind, RecordingRow } from '../store/recordings.ts'

/** Milliseconds that are kept before and after an alarm. */
export const ALARM_MARGIN = 30_000

/**
 * The recording that a rule asks for; undefined: none.
 * @param rows recordings of the channel
 * @param now milliseconds since the epoch
 */
export function recordingByRule(
  { mode, schedule }: RecordingRule,
  rows: readonly RecordingRow[],
  now: number
): Extract<RecordingKind, 'rule' | 'ring'> | undefined {
  if (mode === 'always') return 'rule'
  if (mode === 'alarm') return 'ring'
  const state = mode === 'schedule' && schedule ? evaluateSchedule(schedule, now) : undefined
  if (!state?.enable) return undefined
  // One that was stopped by hand is not started again in the same period.
  const { last = 0 } = state
  const wasStopped = rows.some(({ id, kind, ended }) => kind === 'rule' && ended !== null && id >= last)
  return wasStopped ? undefined : 'rule'
}

/** Whether a change of the running recording is needed, and to what. A recording by hand goes on. */
export function isChangeNeeded(running: RecordingRow | undefined, wanted: RecordingKind | undefined): boolean {
  if (running?.kind === 'manual') return false
  return running?.kind !== wanted
}
