// The log of an organisation. The program only adds lines; the oldest ones are removed by the rule of a hub's operation
// log with its default settings.
import type { Insertable } from 'kysely'
import { LOG_LINES } from '../../contract/limits.ts'
import type { Scope } from './scope.ts'
import type { Tables } from './tables.ts'

/** Characters of a detail. */
const DETAIL_MAX = 1000

/** The log is trimmed once for so many lines of all organisations: a hundredth of what one keeps. */
const TRIM_INTERVAL = LOG_LINES.default / 100

export type LogEntry = Omit<Insertable<Tables['log_entries']>, 'organisation' | 'id'>

export async function addLogEntry(scope: Scope, entry: LogEntry): Promise<void> {
  const { id } = await scope
    .insert('log_entries', { ...entry, detail: entry.detail.slice(0, DETAIL_MAX) })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (id % TRIM_INTERVAL === 0) await scope.trimLog()
}
