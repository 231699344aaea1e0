// Totals of the SRT statistics of one leg, over consecutive or simultaneous connections. Each connection counts from 0.
import type { LegCounters } from '../interfaces/legs.ts'
import type { SrtStats } from '../interfaces/srt-stats.ts'

type PacketCounts = Omit<LegCounters, 'bytes' | 'rtt' | 'transport'>

/** Milliseconds after which a round-trip time is outdated. */
const RTT_MAX_AGE = 3000

export interface SrtTotals {
  /**
   * Adds the statistics of a connection.
   * @param connection identifies the connection; the round-trip time of the leg is the last one reported
   */
  add(stats: SrtStats, connection: object, now: number): void
  /** All counters except bytes, which the leg counts itself. Empty before the first statistics. */
  counters(now: number): PacketCounts & Pick<LegCounters, 'rtt'>
}

export function createSrtTotals(): SrtTotals {
  /** Highest counts of each connection. */
  const countsOf = new WeakMap<object, PacketCounts>()
  let totals: PacketCounts = {}
  let rtt = 0
  let reportedAt = Number.NEGATIVE_INFINITY
  return {
    add({ packets, lost, dropped, recovered, retransmitted, rtt: newRtt }, connection, now) {
      const counts: PacketCounts = {
        packets,
        lost,
        dropped,
        ...(recovered !== undefined && { recovered }),
        ...(retransmitted !== undefined && { retransmitted })
      }
      const last = countsOf.get(connection) ?? {}
      const next: PacketCounts = { ...totals }
      // A count can decrease, because a packet counted as lost can still arrive. The total then waits until the count
      // exceeds its maximum.
      for (const [name, value] of Object.entries(counts) as [keyof PacketCounts, number][])
        next[name] = (next[name] ?? 0) + Math.max(0, value - (last[name] ?? 0))
      for (const [name, value] of Object.entries(last) as [keyof PacketCounts, number][])
        counts[name] = Math.max(counts[name] ?? 0, value)
      countsOf.set(connection, counts)
      totals = next
      rtt = newRtt
      reportedAt = now
    },
    counters: (now) => (now - reportedAt < RTT_MAX_AGE ? { ...totals, rtt } : totals)
  }
}

/**
 * Reports new statistics of a connection.
 * @param connection its `stats` object is replaced when new statistics arrive
 * @returns a function to call when the port reports a change; it calls the listener if the statistics are new
 */
export function createSrtStatsNotifier(
  connection: { stats?: SrtStats },
  listener: ((stats: SrtStats) => void) | undefined
): () => void {
  let last: SrtStats | undefined
  return () => {
    const { stats } = connection
    if (!stats || stats === last) return
    last = stats
    listener?.(stats)
  }
}
