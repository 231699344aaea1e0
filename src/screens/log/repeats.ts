// Collapses entries of a log that repeat each other, such as a program that tries to connect with a wrong key all
// night.
import type { LogEntry } from '../../../contract/log.ts'

export interface RepeatedEntry extends LogEntry {
  /** Number of entries that differ at most in their time and in port numbers. */
  repeats: number
  /** Time of the first of them, in milliseconds since the epoch. */
  since: number
}

/** Entries that strangers cause, several at a time. They repeat each other even with other entries in between. */
const INTERLEAVED = ['caller-refused', 'keys-guessed']

/** A new connection of the same program has another port. */
const PORT = /(?<=[\d\]]):\d{1,5}\b/g

const keyOf = ({ level, event, user, ip, code, text, detail }: LogEntry) =>
  JSON.stringify([level, event, user, ip, code, (text ?? detail).replace(PORT, '')])

/** Collapses repetitions to their newest entry. @param entries newest first */
export function collapseRepeats(entries: readonly LogEntry[]): RepeatedEntry[] {
  const collapsed: RepeatedEntry[] = []
  for (const entry of entries) {
    const key = keyOf(entry)
    const candidates = INTERLEAVED.includes(entry.event) ? collapsed : collapsed.slice(-1)
    const newest = candidates.find((other) => keyOf(other) === key)
    if (newest) {
      newest.repeats++
      newest.since = entry.time
    } else collapsed.push({ ...entry, repeats: 1, since: entry.time })
  }
  return collapsed
}
