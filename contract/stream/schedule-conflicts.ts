// Conflicts between the schedules of channels: a source or a decoder that several channels use at the same time.
import { mergePeriods, type Period } from './schedule-periods.ts'

/** What a channel uses, and when. */
export interface ChannelUse {
  channel: number
  /** Keys of sources and decoders. */
  resources: readonly string[]
  periods: readonly Period[]
}

export interface ScheduleConflict extends Period {
  resource: string
  /** The channels that use it in this period, in the order of their ids; not all of them need to all the time. */
  channels: number[]
}

/** The periods in which two or more channels use the same resource, in the order of their starts. */
export function findConflicts(uses: readonly ChannelUse[]): ScheduleConflict[] {
  const usesOf = new Map<string, ChannelUse[]>()
  for (const use of uses)
    for (const resource of new Set(use.resources)) usesOf.set(resource, [...(usesOf.get(resource) ?? []), use])
  return [...usesOf]
    .flatMap(([resource, ofResource]) => conflictsOf(resource, ofResource))
    .sort((a, b) => a.from - b.from || a.to - b.to)
}

function conflictsOf(resource: string, uses: readonly ChannelUse[]): ScheduleConflict[] {
  const edges = uses.flatMap(({ channel, periods }) =>
    mergePeriods(periods).flatMap(({ from, to }) => [
      { time: from, channel, isStart: true },
      { time: to, channel, isStart: false }
    ])
  )
  // At the same time, a channel stops before the next one starts.
  edges.sort((a, b) => a.time - b.time || Number(a.isStart) - Number(b.isStart))
  const conflicts: ScheduleConflict[] = []
  const running = new Set<number>()
  let current: { from: number; channels: Set<number> } | undefined
  for (const { time, channel, isStart } of edges) {
    if (isStart) running.add(channel)
    else running.delete(channel)
    if (running.size > 1) {
      current ??= { from: time, channels: new Set(running) }
      current.channels.add(channel)
    } else if (current) {
      const { from, channels } = current
      conflicts.push({ resource, from, to: time, channels: [...channels].sort((a, b) => a - b) })
      current = undefined
    }
  }
  return conflicts
}
