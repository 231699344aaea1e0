// The log of an organisation. Its lines are only added.
import type { Insertable } from 'kysely'
import type { Scope } from './scope.ts'
import type { Tables } from './tables.ts'

/** Characters of a detail. */
const DETAIL_MAX = 1000

export type LogEntry = Omit<Insertable<Tables['log_entries']>, 'organisation' | 'id'>

export async function addLogEntry(scope: Scope, entry: LogEntry): Promise<void> {
  await scope.insert('log_entries', { ...entry, detail: entry.detail.slice(0, DETAIL_MAX) }).execute()
}
