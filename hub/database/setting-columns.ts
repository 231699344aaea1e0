// Columns of settings that no migration creates.
import type { DatabaseSync } from 'node:sqlite'
import type { SettingTable } from '../../contract/setting.schema.ts'
import { CHANNEL_SETTINGS } from '../../contract/stream/channel-settings.schema.ts'
import { INPUT_SETTINGS } from '../../contract/stream/input-settings.schema.ts'

const SETTING_TABLES: Readonly<Record<string, SettingTable>> = { channel: CHANNEL_SETTINGS, input: INPUT_SETTINGS }

/**
 * Adds the columns that the declarations of settings name. A new setting thus needs no migration, and the version of
 * the schema stays the same: a hub that goes back to its earlier version opens the database, and does not read the
 * column. One column for the JSON of all settings would lose the values that the earlier version does not know, with
 * the first change of the object.
 */
export function addSettingColumns(connection: DatabaseSync, tables = SETTING_TABLES): void {
  for (const [name, settings] of Object.entries(tables)) {
    const columns = connection.prepare(`PRAGMA table_info(${name})`).all() as { name: string }[]
    const present = new Set(columns.map((column) => column.name))
    for (const { stored: [column, form] = [] } of Object.values(settings))
      if (column && form === 'added' && !present.has(column))
        connection.exec(`ALTER TABLE ${name} ADD COLUMN ${column} TEXT NOT NULL DEFAULT ''`)
  }
}
