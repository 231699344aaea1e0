// Adds up what SRT counted over the connections of one leg, one after the other or at the same time: each counts from 0.
import type { Counted } from '../stats/leg-stats.ts'
import type { SrtFigures } from './srt-stats.ts'

/** Packets of a connection and of a leg. */
type Packets = Omit<Counted, 'bytes' | 'rtt'>

/** Milliseconds after which the round trip that was told last says nothing of now. */
const OLD = 3000

export interface SrtTally {
  /** @param connection what tells it from the others of the leg; the newest one's round trip is the leg's */
  heard(figures: SrtFigures, connection: object, now: number): void
  /** All that was counted but bytes, which whoever carries them counts at once; nothing before the first word. */
  counted(now: number): Packets & Pick<Counted, 'rtt'>
}

export function createSrtTally(): SrtTally {
  const before = new WeakMap<object, Packets>()
  let sum: Packets = {}
  let rtt = 0
  let at = Number.NEGATIVE_INFINITY
  return {
    heard({ packets, lost, dropped, recovered, retransmitted, rtt: trip }, connection, now) {
      const told: Packets = {
        ...{ packets, lost, dropped },
        ...(recovered !== undefined && { recovered }),
        ...(retransmitted !== undefined && { retransmitted })
      }
      const known = before.get(connection) ?? {}
      const next: Packets = { ...sum }
      // What was held to be lost may come after all: a count that sinks is waited for.
      for (const [count, value] of Object.entries(told) as [keyof Packets, number][])
        next[count] = (next[count] ?? 0) + Math.max(0, value - (known[count] ?? 0))
      for (const [count, value] of Object.entries(known) as [keyof Packets, number][])
        told[count] = Math.max(told[count] ?? 0, value)
      before.set(connection, told)
      sum = next
      rtt = trip
      at = now
    },
    counted: (now) => (now - at < OLD ? { ...sum, rtt } : sum)
  }
}
