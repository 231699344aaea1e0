// Settings in the columns of a row, as their tables declare (contract/setting.schema.ts).
import type { SQLInputValue } from 'node:sqlite'
import type { SettingTable, StoredSettings } from '../../contract/setting.schema.ts'

/** Converts JSON text of a column. */
export type ParseJson = (text: string) => unknown

/** Column names in a statement, with a parameter for each. */
export const assignments = (columns: object): string =>
  Object.keys(columns)
    .map((column) => `${column} = ?`)
    .join(', ')

/** The value that is stored; undefined if there is none. */
function storedValue(table: SettingTable, name: string, row: object, parse: ParseJson): unknown {
  const [column = '', form] = table[name]?.stored ?? []
  const value = (row as Record<string, unknown>)[column]
  if (form === 'bit') return value === 1
  if (form === 'text') return value
  if (form === 'number') return value ?? undefined
  // Empty text, and the column of an older export, have no value.
  const json = value ? parse(String(value)) : undefined
  return form === 'member' ? (json as Record<string, unknown> | undefined)?.[name] : json
}

/** The value of a setting, or its default. */
export function readSetting<Table extends SettingTable, Name extends keyof StoredSettings<Table> & string>(
  table: Table,
  name: Name,
  row: object
): StoredSettings<Table>[Name] {
  return (storedValue(table, name, row, JSON.parse) ?? table[name]?.default) as StoredSettings<Table>[Name]
}

/** The settings of a row with their defaults. Those without a value are absent. */
export function readSettings<Table extends SettingTable>(table: Table, row: object): StoredSettings<Table> {
  return { ...valuesOf(table, (name) => readSetting(table, name as never, row)) } as StoredSettings<Table>
}

/** The settings of a row without defaults. */
export const storedSettings = (table: SettingTable, row: object, parse: ParseJson): Record<string, unknown> =>
  valuesOf(table, (name) => storedValue(table, name, row, parse))

function valuesOf(table: SettingTable, read: (name: string) => unknown): Record<string, unknown> {
  const names = Object.keys(table).filter((name) => table[name]?.stored)
  return Object.fromEntries(names.map((name) => [name, read(name)]).filter(([, value]) => value !== undefined))
}

/**
 * The columns that store values, by name. An undefined value removes the stored one.
 * @param row the present columns, with the values of settings that share a column with one of `values`
 */
export function toColumns(
  table: SettingTable,
  values: Readonly<Record<string, unknown>>,
  row: object = {}
): Record<string, SQLInputValue> {
  const written = new Set(Object.keys(values).map((name) => table[name]?.stored?.[0]))
  const columns: Record<string, SQLInputValue> = {}
  const members: Record<string, Record<string, unknown>> = {}
  for (const [name, { stored }] of Object.entries(table)) {
    if (!stored || !written.has(stored[0])) continue
    const [column, form] = stored
    const value = Object.hasOwn(values, name) ? values[name] : readSetting(table, name as never, row)
    if (form === 'member') {
      if (value !== undefined) members[column] = { ...members[column], [name]: value }
      columns[column] = toJson(members[column])
    } else if (form === 'bit') columns[column] = value ? 1 : 0
    else if (form === 'json' || form === 'added') columns[column] = toJson(value)
    else columns[column] = (value ?? null) as SQLInputValue
  }
  return columns
}

const toJson = (value: unknown) => (value === undefined ? '' : JSON.stringify(value))
