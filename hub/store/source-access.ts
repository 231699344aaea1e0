// What decides who sees an input or output that no channel uses: the channel that used it last, else the user who
// created it. Triggers of the database record the channel (`hub/database/migrations.ts`). A row outlives its input or
// output, because the log still names it; node IDs are never reused.
import type { Database } from '../database/database.ts'

/** Value of the column `channel_id` of inputs and outputs that no channel has used yet. */
export const NO_CHANNEL = 0

export interface SourceAccessRow {
  source_id: number
  /** The channel that used it last; `NO_CHANNEL`, or -1 if that is not known. */
  channel_id: number
  /** Bit of the user who created it. */
  usr_mask: number
}

/** An input or output, and a channel that uses it. */
interface SourceUse {
  source_id: number
  channel_id: number
}

/** The inputs and outputs that a user may see, in a form that SQL can use. */
export interface VisibleSources {
  /** Whether the user sees the inputs and outputs about which nothing is recorded. */
  byDefault: boolean
  /** IDs for which the opposite applies, including deleted ones. */
  exceptions: readonly number[]
}

const SELECT_USES = `SELECT input_id AS source_id, id AS channel_id FROM channel WHERE input_id IS NOT NULL
  UNION SELECT node_id, channel_id FROM channel_backup UNION SELECT output_id, channel_id FROM channel_output`

export function sourceAccess(database: Database) {
  return {
    all: () => database.all<SourceAccessRow>('SELECT * FROM source_access'),
    /** Which channels use which inputs, devices and outputs. */
    uses: () => database.all<SourceUse>(SELECT_USES),
    /** @param user bit of the user who creates an input or output */
    addCreator(id: number, user: number): void {
      database.run('INSERT INTO source_access (source_id, usr_mask) VALUES (?, ?)', id, user)
    },
    /** Removes a user's bit from all rows. */
    removeUserFromMasks(bit: number): void {
      database.run('UPDATE source_access SET usr_mask = usr_mask & ~?', bit)
    }
  }
}

export type SourceAccess = ReturnType<typeof sourceAccess>
