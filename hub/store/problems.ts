// Problems over a restart of the hub: since when each lasts, and its acknowledgement. A row is removed when the problem
// ends.
import type { Acknowledgement } from '../../contract/problem.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

interface ProblemRow {
  id: string
  /** Milliseconds since the epoch, as all times. */
  since: number
  /** Name of the user; empty: not acknowledged. */
  ack_by: string
  ack_at: number
  ack_note: string
}

export interface StoredProblem {
  since: number
  ack?: Acknowledgement
}

export function problems(database: Database) {
  const all = createQueryCache(
    database,
    ['problem'],
    (_all: 'all'): ReadonlyMap<string, StoredProblem> =>
      new Map(
        database
          .all<ProblemRow>('SELECT * FROM problem')
          .map(({ id, since, ack_by: by, ack_at: at, ack_note: note }) => [
            id,
            { since, ...(by && { ack: { by, at, note } }) }
          ])
      )
  )
  return {
    /** By ID. */
    all: (): ReadonlyMap<string, StoredProblem> => all('all') ?? new Map(),
    add(id: string, since: number): void {
      database.run('INSERT OR IGNORE INTO problem (id, since) VALUES (?, ?)', id, since)
    },
    /** @param ack undefined withdraws the acknowledgement */
    acknowledge(id: string, since: number, ack: Acknowledgement | undefined): void {
      const { by, at, note } = ack ?? { by: '', at: 0, note: '' }
      database.run(
        `INSERT INTO problem (id, since, ack_by, ack_at, ack_note) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET ack_by = excluded.ack_by, ack_at = excluded.ack_at, ack_note = excluded.ack_note`,
        id,
        since,
        by,
        at,
        note
      )
    },
    remove(id: string): void {
      database.run('DELETE FROM problem WHERE id = ?', id)
    }
  }
}

export type ProblemStore = ReturnType<typeof problems>
