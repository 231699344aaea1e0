// The filters of a rule: the problems that it is about, and the times of the week at which it sends.
import { type AlertPeriod, WEEKDAYS } from '../../contract/alert/rule.ts'
import { DAY, weekdayOf } from '../../contract/stream/schedule-periods.ts'
import type { FoundProblem } from '../health/problem-monitor.ts'
import type { MaintenanceRow, StoredRule } from '../store/alert-rules.ts'
import type { Store } from '../store/store.ts'

const MINUTE = 60_000

/** The objects that a problem is about. */
export interface ProblemObjects {
  channel?: number | undefined
  /** The device of the problem; of a channel, its main input if that is a device; of an output, the device. */
  sn?: string | undefined
  tags: readonly number[]
}

type ObjectStore = Pick<Store, 'channels' | 'devices' | 'tags'>

export function objectsOf({ channels, devices, tags }: ObjectStore, problem: FoundProblem): ProblemObjects {
  const { channel, output } = problem
  const row = channel === undefined ? undefined : channels.byId(channel)
  const node = output ?? row?.input_id ?? undefined
  const device = problem.sn === undefined ? node !== undefined && devices.byId(node) : devices.bySerial(problem.sn)
  return {
    channel,
    sn: device ? device.sn : problem.sn,
    tags: [
      ...(channel === undefined ? [] : tags.idsOf('channel', channel)),
      ...(output === undefined ? [] : tags.idsOf('source', output)),
      ...(device ? tags.idsOf('device', device.id) : [])
    ]
  }
}

/** Whether a problem matches the filters of a rule. The duration of the problem is not checked. */
export function isAbout(rule: StoredRule, problem: FoundProblem, objects: () => ProblemObjects): boolean {
  const { severity, kinds, tags, channels, devices } = rule
  if (severity === 'critical' && problem.severity !== 'bad') return false
  if (kinds.length > 0 && !kinds.includes(problem.kind)) return false
  if (tags.length + channels.length + devices.length === 0) return true
  const { channel, sn, tags: found } = objects()
  return (
    (channel !== undefined && channels.includes(channel)) ||
    (sn !== undefined && devices.includes(sn)) ||
    found.some((tag) => tags.includes(tag))
  )
}

/** Whether one of the objects of a problem is in maintenance. */
export const isMaintained = (rows: readonly MaintenanceRow[], { channel, sn, tags }: ProblemObjects): boolean =>
  rows.some(
    ({ kind, object }) =>
      (kind === 'channel' && object === String(channel)) ||
      (kind === 'device' && object === sn) ||
      (kind === 'tag' && tags.includes(Number(object)))
  )

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/**
 * Whether a time is within a part of the week. A period that ends on the next day belongs to the day of its beginning.
 * @param local the local time, as if that were UTC
 */
export function isWithin({ days = [], from, to }: AlertPeriod, local: number): boolean {
  const minute = Math.floor((local % DAY) / MINUTE)
  const isDay = (day: number) => days.length === 0 || days.includes(WEEKDAYS[(day + 7) % 7] ?? 'mon')
  const today = weekdayOf(local)
  const [begin, end] = [from ? minutesOf(from) : 0, to ? minutesOf(to) : 24 * 60]
  if (begin < end) return isDay(today) && begin <= minute && minute < end
  return (isDay(today) && minute >= begin) || (isDay(today - 1) && minute < end)
}

const isSet = ({ days = [], from, to }: AlertPeriod) => days.length > 0 || Boolean(from) || Boolean(to)

/** Whether a rule sends at a local time. */
export const isSending = ({ when, quiet }: StoredRule, local: number): boolean =>
  isWithin(when, local) && !(isSet(quiet) && isWithin(quiet, local))
