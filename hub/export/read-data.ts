// Reads the data of an export, which may come from an older hub: its rows are stored in a database of that version in
// memory, which then makes the same migrations as any database.
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { migrate } from '../database/open.ts'
import { ExportError } from './archive.ts'
import type { ExportData } from './collect.ts'
import { emptyTables, partOf, type Row, specOf, TABLE_NAMES, type TableName } from './tables.ts'

/** Rows of a table: more than any hub has, and so few that an import does not stall the hub. */
export const ROWS_MAX = 20_000

const row = z.record(z.string().max(64), z.union([z.string(), z.int(), z.null()]))
const schema = z.object({
  tables: z.record(z.string(), z.array(row)),
  withheld: z.record(z.string(), z.array(z.string().max(512)))
})

function parse(text: string): z.infer<typeof schema> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new ExportError('damaged')
  }
  requireFewRows(json)
  const { data } = schema.safeParse(json)
  if (!data) throw new ExportError('value', 'data.json')
  return data
}

/** Checks the numbers of rows before each of them is checked. @throws ExportError */
function requireFewRows(json: unknown): void {
  const { tables, withheld } = (json ?? {}) as Record<string, unknown>
  for (const lists of [tables, withheld])
    for (const [table, rows] of Object.entries(lists ?? {}))
      if (Array.isArray(rows) && rows.length > ROWS_MAX) throw new ExportError('value', table)
}

function describeRow(table: string, { name, sn, id }: Row): string {
  return `${table} ${name ?? sn ?? id ?? ''}`.trim()
}

/**
 * Inserts the rows of a table. @throws ExportError if the table does not have a column, or a value has another type or
 * must be unique
 */
function insertRows(connection: DatabaseSync, table: string, rows: readonly Row[]): void {
  const info = connection.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]
  const columns = new Set(info.map(({ name }) => name))
  for (const each of rows) {
    const names = Object.keys(each)
    if (names.length === 0 || !names.every((name) => columns.has(name)))
      throw new ExportError('value', describeRow(table, each))
    const places = names.map(() => '?').join(', ')
    try {
      connection.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`).run(...Object.values(each))
    } catch (error) {
      const isConflict = /UNIQUE|PRIMARY KEY/.test((error as Error).message)
      throw new ExportError(isConflict ? 'inconsistent' : 'value', describeRow(table, each))
    }
  }
}

/** Adds the node of each device, input and output. @throws ExportError if two have the same ID */
function insertNodes(connection: DatabaseSync): void {
  try {
    connection.exec(
      'INSERT INTO node (id) SELECT id FROM device UNION ALL SELECT id FROM input UNION ALL SELECT id FROM output'
    )
  } catch {
    throw new ExportError('inconsistent')
  }
}

/**
 * Reads the tables as this hub has them. Tables and settings that no export contains are refused or ignored.
 * @param version of the database's schema in the hub that made it
 * @throws ExportError
 */
export function readData(text: string, version: number): ExportData {
  const { tables: source, withheld } = parse(text)
  const connection = new DatabaseSync(':memory:')
  try {
    connection.exec('PRAGMA foreign_keys=OFF')
    migrate(connection, 0, version)
    for (const [table, rows] of Object.entries(source)) {
      if (!TABLE_NAMES.includes(table as TableName)) throw new ExportError('value', table)
      insertRows(connection, table, rows)
    }
    insertNodes(connection)
    const [broken] = connection.prepare('PRAGMA foreign_key_check').all() as { table: string }[]
    if (broken) throw new ExportError('inconsistent', broken.table)
    migrate(connection, version)
    const tables = emptyTables()
    for (const table of TABLE_NAMES) {
      const rows = connection.prepare(`SELECT * FROM ${table} ORDER BY ${specOf(table).key.join(', ')}`).all() as Row[]
      tables[table] = rows.filter((each) => partOf(table, each) !== undefined).map((each) => ({ ...each }))
    }
    return { tables, withheld }
  } finally {
    connection.close()
  }
}
