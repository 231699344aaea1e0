// Which channels are to be recorded, and who has started each recording. What was recorded is on disk
// (hub/recordings/library.ts).
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

/**
 * Why a channel is recorded: by hand, by its rule, or to have the seconds before an alarm; `alarm`: the part of such a
 * ring that is kept.
 */
export type RecordingKind = 'manual' | 'rule' | 'ring' | 'alarm'

export interface RecordingRow {
  /** When it was started, in milliseconds since the epoch; unique. */
  id: number
  channel_id: number
  /** Name of the user; empty: the hub. */
  started_by: string
  /** When it was stopped; null: it goes on. */
  ended: number | null
  kind: RecordingKind
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
    /** The recording that the engine makes of a channel. */
    running: (channel: number): RecordingRow | undefined =>
      [...all().values()].find(
        ({ channel_id, ended, kind }) => channel_id === channel && ended === null && kind !== 'alarm'
      ),
    /** Those of a channel, oldest first. */
    ofChannel: (channel: number): RecordingRow[] =>
      [...all().values()].filter(({ channel_id }) => channel_id === channel),
    /** @returns its ID */
    start(channel: number, kind: RecordingKind, user: string, now: number): number {
      const last = [...all().keys()].at(-1) ?? 0
      const id = Math.max(now, last + 1)
      const row = [id, channel, kind, user] as const
      database.run('INSERT INTO recording (id, channel_id, kind, started_by) VALUES (?, ?, ?, ?)', ...row)
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
