// The tables with rows of organisations, for tests that read all rows.
import type { TableName } from '../../../cloud/store/tables.ts'

/** A table that is missing here does not compile. */
const TABLES: Readonly<Record<TableName, true>> = {
  organisations: true,
  user_groups: true,
  users: true,
  sessions: true,
  hubs: true,
  digests: true,
  hub_sessions: true,
  catalogs: true,
  settings: true,
  tokens: true,
  recovery_codes: true,
  rollouts: true,
  rollout_hubs: true,
  log_entries: true
}

export const TABLE_NAMES = Object.keys(TABLES) as TableName[]
