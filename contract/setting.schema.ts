// Declarations of settings. A table has one row for each setting of an object; store, responses, wanted state, export,
// import and the operation log read the row.
import type * as z from 'zod'
import { hasAnyBit } from './access/permissions.ts'
import type { Translation } from './text/language.ts'

/**
 * Column of a setting, and the form of its value there: the value itself, 0 or 1 for a boolean (`bit`), JSON, or a
 * member of a JSON object that several settings share. Empty JSON means that nothing is stored. For a new setting the
 * form is `added`: JSON in a column that is added when the database is opened (hub/database/setting-columns.ts).
 */
export type Stored = readonly [column: string, form: 'text' | 'number' | 'bit' | 'json' | 'member' | 'added']

export interface Setting {
  /** The value in requests and responses. */
  schema: z.ZodType
  /** Absent: the setting has a table of its own. */
  stored?: Stored
  /** Value while nothing is stored. Absent: the setting is then absent, too. */
  default?: unknown
  /** The permission that shows it in responses. Absent: all callers that may see the object. */
  visibleTo?: number | 'nobody'
  /** Part of a login or key: left out of presets, and of exports without secrets. */
  private?: true
  /**
   * A key that is unique in the hub. An export without secrets does not contain it, and a duplicate gets a new one.
   * - `prefix` of generated keys
   * - `withheld`: word of the placeholder in an export without secrets
   */
  key?: { prefix: string; withheld: string }
  /** A request may leave out members of the object; they are not changed. */
  partial?: true
  /**
   * Where the stream engine gets it, under its wire name: in the wanted channel or input itself, or in the `access` of
   * a channel.
   */
  engine?: 'own' | 'access'
  /** Whether an import that changes it restarts a stream that is on air. */
  interrupts?: boolean
  /** Name in the operation log. */
  label?: Translation
}

export type SettingTable = Readonly<Record<string, Setting>>

type ValueOf<Row> = Row extends { schema: infer Schema extends z.ZodType } ? z.output<Schema> : never
type RequestOf<Row> = Row extends { partial: true } ? Partial<ValueOf<Row>> : ValueOf<Row>
/** Names of the rows that have all properties of `Mark`. */
type NamesWith<Table, Mark> = { [Name in keyof Table]: Table[Name] extends Mark ? Name : never }[keyof Table]
/** Names of the stored settings that always have a value. */
type NamesWithValue<Table> =
  | NamesWith<Table, { stored: unknown; default: unknown }>
  | NamesWith<Table, { stored: readonly [string, 'text'] }>

/** The values of a table, by wire name. */
export type SettingValues<Table> = { -readonly [Name in keyof Table]: ValueOf<Table[Name]> }
/** The values that are stored in a row. */
export type StoredSettings<Table> = Pick<SettingValues<Table>, NamesWithValue<Table>> &
  Partial<Pick<SettingValues<Table>, NamesWith<Table, { stored: unknown }>>>
/** The values that the stream engine gets in one place. */
export type EngineSettings<Table, Place extends 'own' | 'access'> = Pick<
  SettingValues<Table>,
  NamesWith<Table, { engine: Place }>
>

/** Columns of a table with the types of their values. */
export type SettingColumns<Table> = {
  -readonly [Name in keyof Table as Table[Name] extends { stored: readonly [infer Column extends string, unknown] }
    ? Column
    : never]: Table[Name] extends { stored: readonly [string, 'number'] }
    ? number | null
    : Table[Name] extends { stored: readonly [string, 'bit'] }
      ? number
      : string
}

/** The schemas of a table. */
export function shapeOf<const Table extends SettingTable>(table: Table) {
  const schemas = Object.entries(table).map(([name, { schema }]) => [name, schema])
  return Object.fromEntries(schemas) as { -readonly [Name in keyof Table]: Table[Name]['schema'] }
}

type RequestShape<Table extends SettingTable> = {
  [Name in keyof Table]: z.ZodOptional<z.ZodType<RequestOf<Table[Name]>>>
}

/** Schemas of the settings in a request, each of them optional. */
export function requestShape<Table extends SettingTable>(table: Table): RequestShape<Table> {
  const fields = Object.entries(table).map(([name, { schema, partial }]) => [
    name,
    (partial ? (schema as z.ZodObject).partial() : schema).optional()
  ])
  return Object.fromEntries(fields) as RequestShape<Table>
}

/** The settings that a caller may see, in the order of the table. @param permission of the caller */
export function visibleSettings<Values extends object>(
  table: SettingTable,
  values: Values,
  permission: number
): Partial<Values> {
  const isVisible = (row: Setting | undefined) =>
    row?.visibleTo === undefined || (row.visibleTo !== 'nobody' && hasAnyBit(permission, row.visibleTo))
  const names = Object.keys(table).filter((name) => Object.hasOwn(values, name) && isVisible(table[name]))
  return Object.fromEntries(names.map((name) => [name, values[name as keyof Values]])) as Partial<Values>
}

/** Names of the settings whose value differs. */
export function changedSettings(
  table: SettingTable,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>
): string[] {
  return Object.keys(table).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]))
}

/** The settings of a request, and the previous ones where it has none. */
export function mergeSettings<Values extends object>(table: SettingTable, previous: Values, request: object): Values {
  const values = { ...previous } as Record<string, unknown>
  for (const [name, value] of Object.entries(request))
    if (value !== undefined) values[name] = table[name]?.partial ? { ...(values[name] as object), ...value } : value
  return values as Values
}

/** The settings that the stream engine gets in one place. */
export function engineSettings<const Table extends SettingTable, Place extends 'own' | 'access'>(
  table: Table,
  place: Place,
  values: object
): EngineSettings<Table, Place> {
  const entries = Object.entries(values).filter(([name]) => table[name]?.engine === place)
  return Object.fromEntries(entries) as EngineSettings<Table, Place>
}

/** What the stream engine gets, without the settings that interrupt no stream. */
export function interruptingSettings(table: SettingTable, values: object): object {
  const isQuiet = (row: Setting | undefined) => row?.engine !== undefined && !row.interrupts
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isQuiet(table[name])))
}
