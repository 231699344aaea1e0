// What an export contains: tables and settings of the database, by part. Everything else belongs to this hub, its
// machine or its history.
import type { ExportPart } from '../../contract/backup/export.ts'
import { exportPartOf } from '../store/settings.ts'

export type Value = string | number | null
/** A row by column. JSON columns are text. */
export type Row = Record<string, Value>
/** Rows by table. */
export type Tables = Record<TableName, Row[]>

interface TableSpec {
  part: ExportPart
  /** Columns of the primary key. */
  key: readonly string[]
  /**
   * Unique columns, whose values can be swapped. Other tables refer to the rows, so a row that changed is updated and
   * not replaced.
   */
  uniqueColumns?: readonly string[]
  /** The table of which its rows are children, and the column with the ID: both are one item of the difference. */
  parent?: readonly [table: string, column: string]
  /** SQL: the rows that an export contains; all by default. */
  where?: string
  /** Contains only credentials: left out of an export without secrets. */
  secret?: true
}

/** SQL: rows about inputs and outputs that exist. Those about deleted ones belong to the log of this hub. */
const EXISTING_SOURCES = 'source_id IN (SELECT id FROM input UNION SELECT id FROM output)'

/** Parents come before the tables that refer to them. */
export const EXPORT_TABLES = {
  user_group: { part: 'users', key: ['id'], uniqueColumns: ['name'] },
  user: { part: 'users', key: ['id'], uniqueColumns: ['name'] },
  recovery_code: { part: 'users', key: ['user_id', 'hash'], parent: ['user', 'user_id'], secret: true },
  saved_view: { part: 'users', key: ['id'], parent: ['user', 'user_id'] },
  token: { part: 'users', key: ['id'], secret: true },
  catalog: { part: 'devices', key: ['id'] },
  device: { part: 'devices', key: ['id'], uniqueColumns: ['sn'] },
  device_config: { part: 'devices', key: ['device_id'], parent: ['device', 'device_id'] },
  device_address: { part: 'devices', key: ['device_id'], parent: ['device', 'device_id'] },
  input: { part: 'streams', key: ['id'], uniqueColumns: ['name'] },
  output: { part: 'streams', key: ['id'], uniqueColumns: ['name'] },
  channel: { part: 'streams', key: ['id'], uniqueColumns: ['name', 'play_key', 'push_key'] },
  channel_output: { part: 'streams', key: ['output_id'], parent: ['channel', 'channel_id'] },
  channel_backup: { part: 'streams', key: ['channel_id', 'place'], parent: ['channel', 'channel_id'] },
  channel_device: { part: 'streams', key: ['device_id'], parent: ['channel', 'channel_id'] },
  source_access: { part: 'streams', key: ['source_id'], where: EXISTING_SOURCES },
  channel_visibility: { part: 'streams', key: ['channel_id'], parent: ['channel', 'channel_id'] },
  tag: { part: 'streams', key: ['id'], uniqueColumns: ['name'] },
  tag_channel: { part: 'streams', key: ['tag_id', 'channel_id'], parent: ['channel', 'channel_id'] },
  tag_source: { part: 'streams', key: ['tag_id', 'source_id'] },
  tag_device: { part: 'devices', key: ['tag_id', 'device_id'], parent: ['device', 'device_id'] },
  ndi_matrix: { part: 'ndi', key: ['id'], uniqueColumns: [] },
  ndi_matrix_source: { part: 'ndi', key: ['matrix_id', 'position'], parent: ['ndi_matrix', 'matrix_id'] },
  ndi_matrix_destination: { part: 'ndi', key: ['matrix_id', 'position'], parent: ['ndi_matrix', 'matrix_id'] },
  ndi_salvo: { part: 'ndi', key: ['id'], parent: ['ndi_matrix', 'matrix_id'] },
  ndi_scheduled_take: { part: 'ndi', key: ['id'], parent: ['ndi_matrix', 'matrix_id'] },
  setting: { part: 'settings', key: ['name'] }
} as const satisfies Record<string, TableSpec>

export type TableName = keyof typeof EXPORT_TABLES
export const TABLE_NAMES = Object.keys(EXPORT_TABLES) as TableName[]
export const specOf = (table: TableName): TableSpec => EXPORT_TABLES[table]

/**
 * Tables that no export contains: sessions and one-time codes, history, and what the hub measures or keeps as files.
 */
export const HUB_TABLES: readonly string[] = [
  'device_stream',
  'node',
  'session',
  'display_code',
  'operation_log',
  'operation_log_head',
  'event_log',
  'log_day',
  'problem',
  'recording',
  'recording_share',
  'timeline',
  'timeline_removed',
  'hub_alive',
  'verdict',
  'firmware',
  'rollout',
  'rollout_device',
  'trash',
  // Where this hub sends notifications.
  'alert_destination',
  'alert_rule',
  'alert_alarm',
  'alert_delivery',
  'alert_maintenance',
  'push_browser'
]

/** The part of a row; undefined if exports do not contain it. */
export function partOf(table: TableName, row: Row): ExportPart | undefined {
  return table === 'setting' ? exportPartOf(String(row.name)) : EXPORT_TABLES[table].part
}

export const emptyTables = (): Tables => Object.fromEntries(TABLE_NAMES.map((table) => [table, [] as Row[]])) as Tables

/** The primary key of a row as text. */
export const keyOf = (table: TableName, row: Row): string =>
  EXPORT_TABLES[table].key.map((column) => row[column]).join(' ')
