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

/** All rows, oldest first. */
interface Rows {
  byId: ReadonlyMap<number, RecordingRow>
  byChannel: ReadonlyMap<number, readonly RecordingRow[]>
}

const NO_ROWS: Rows = { byId: new Map(), byChannel: new Map() }

export function recordings(database: Database) {
  const read = createQueryCache(database, ['recording'], (_all: 'all'): Rows => {
    const rows = database.all<RecordingRow>('SELECT * FROM recording ORDER BY id')
    return {
      byId: new Map(rows.map((row) => [row.id, row])),
      byChannel: Map.groupBy(rows, ({ channel_id: channel }) => channel)
    }
  })
  const rows = () => read('all') ?? NO_ROWS
  const ofChannel = (channel: number): readonly RecordingRow[] => rows().byChannel.get(channel) ?? []
  return {
    /** By ID. */
    all: (): ReadonlyMap<number, RecordingRow> => rows().byId,
    /** The recording that the engine makes of a channel. */
    running: (channel: number): RecordingRow | undefined =>
      ofChannel(channel).find(({ ended, kind }) => ended === null && kind !== 'alarm'),
    /** Those of a channel, oldest first. */
    ofChannel,
    /** @returns its ID */
    start(channel: number, kind: RecordingKind, user: string, now: number): number {
      const last = [...rows().byId.keys()].at(-1) ?? 0
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
