// The times of a schedule in words.
import type { ScheduleRule } from '../../../contract/stream/schedule.ts'
import { weekday } from '../../text/dates.ts'

/** Days of the week; 0 is Monday. */
export const DAYS = [0, 1, 2, 3, 4, 5, 6]

/** 'Mon Tue 09:00–10:00' of a rule, '2026-11-29 09:30–2026-11-29 10:00' of an event. */
export function slotText({ days = 0, start = '', stop = '' }: Partial<ScheduleRule>): string {
  const names = DAYS.filter((day) => days & (1 << day)).map(weekday)
  return [...names, `${start}–${stop}`.replaceAll('T', ' ')].join(' ')
}
