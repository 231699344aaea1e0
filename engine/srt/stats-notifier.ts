import type { SrtStats } from '../interfaces/srt-stats.ts'

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
