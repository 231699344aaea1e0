// Since when verdicts hold, over a restart of the hub. The last verdict on an object is kept until the next one.
import type { Database } from '../database/database.ts'

/** A verdict, with the time since when it holds in milliseconds since the epoch; 0 if that is unknown. */
export interface StoredVerdict {
  verdict: string
  since: number
}

/** The names of objects. The main input of a channel that waits for a publisher has the ID 0. */
export const verdictObject = {
  channel: (id: number) => `channel-${id}`,
  input: (channel: number, id: number) => `input-${channel}-${id}`,
  output: (channel: number, id: number) => `output-${channel}-${id}`,
  device: (sn: string) => `device-${sn}`
} as const

export function verdicts(database: Database) {
  return {
    /** By object. */
    all: (): Map<string, StoredVerdict> =>
      new Map(
        database
          .all<StoredVerdict & { object: string }>('SELECT * FROM verdict')
          .map(({ object, verdict, since }) => [object, { verdict, since }])
      ),
    set(object: string, { verdict, since }: StoredVerdict): void {
      database.run('INSERT OR REPLACE INTO verdict (object, verdict, since) VALUES (?, ?, ?)', object, verdict, since)
    },
    remove(object: string): void {
      database.run('DELETE FROM verdict WHERE object = ?', object)
    }
  }
}

export type VerdictStore = ReturnType<typeof verdicts>
