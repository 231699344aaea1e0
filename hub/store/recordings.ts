// Which channels are to be recorded, and who has started each recording. What was recorded is on disk
// (hub/recordings/library.ts).
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

export interface RecordingRow {
  /** When it was started, in milliseconds since the epoch; unique. */
  id: number
  channel_id: number
  /** Name of the user; empty: the hub. */
  started_by: string
  /** When it was stopped; null: it goes on. */
  ended: number | null
}

export function recordings(database: Database) {
  const byId = createQueryCache(
    database,
    ['recording'],
    (_all: 'all'): ReadonlyMap<number, RecordingRow> =>
      new Map(database.all<RecordingRow>('SELECT * FROM recording ORDER BY id').map((row) => [row.id, row]))
  )
  const all = (): ReadonlyMap<number, RecordingRow> => byId('all') ?? new Map()
  return {
    /** By ID. */
    all,
    /** The recording of a channel that goes on. */
    running: (channel: number): RecordingRow | undefined =>
      [...all().values()].find(({ channel_id, ended }) => channel_id === channel && ended === null),
    /** @returns its ID */
    start(channel: number, user: string, now: number): number {
      const id = Math.max(now, Math.max(...all().keys(), 0) + 1)
      database.run('INSERT INTO recording (id, channel_id, started_by) VALUES (?, ?, ?)', id, channel, user)
      return id
    },
    end(id: number, now: number): void {
      database.run('UPDATE recording SET ended = ? WHERE id = ?', now, id)
    },
    remove(id: number): void {
      database.run('DELETE FROM recording WHERE id = ?', id)
    }
  }
}

export type RecordingStore = ReturnType<typeof recordings>
