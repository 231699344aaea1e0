// Writes the configuration after an import into the database: only rows that differ, within the transaction of the
// caller.
import { randomUUID } from 'node:crypto'
import type { Store } from '../store/store.ts'
import { encryptRow } from './collect.ts'
import { keyOf, type Row, specOf, TABLE_NAMES, type TableName, type Tables } from './tables.ts'

export const sameRow = (row: Row, other: Row | undefined): boolean =>
  other !== undefined && Object.keys(row).every((column) => row[column] === other[column])

const sameRows = (table: TableName, rows: readonly Row[], others: readonly Row[]) => {
  const known = byKey(table, others)
  return rows.length === others.length && rows.every((row) => sameRow(row, known.get(keyOf(table, row))))
}

/** An import of these can give the IDs and names that entries of the trash refer to, to other objects and users. */
const TRASHED_TABLES: readonly TableName[] = ['user_group', 'user', 'device', 'catalog', 'input', 'output', 'channel']

const byKey = (table: TableName, rows: readonly Row[]) => new Map(rows.map((row) => [keyOf(table, row), row]))

/** @param importer name of the user who imports: this user's sessions go on */
export function applyTables(store: Store, before: Tables, after: Tables, importer: string): void {
  const { database } = store
  // References are checked at the end of the transaction, so the order of rows does not matter.
  database.run('PRAGMA defer_foreign_keys=ON')
  endChangedSessions(store, before, after, importer)
  for (const table of TABLE_NAMES.toReversed()) removeRows(store, table, before[table], after[table])
  addNodes(store, after)
  for (const table of TABLE_NAMES) writeRows(store, table, before[table], after[table])
  writeSourceAccess(store, after)
  if (TRASHED_TABLES.some((table) => !sameRows(table, before[table], after[table]))) store.trash.clear()
  else if (!sameRows('tag', before.tag, after.tag)) store.trash.forgetTags()
  database.run(`DELETE FROM node WHERE id NOT IN
    (SELECT id FROM device UNION ALL SELECT id FROM input UNION ALL SELECT id FROM output)`)
}

/** Replaces what the triggers have recorded while the channels were written. */
function writeSourceAccess({ database }: Store, { input, output, source_access: rows }: Tables): void {
  database.run(`DELETE FROM source_access WHERE ${specOf('source_access').where}`)
  const ids = new Set([...input, ...output].map(({ id }) => id))
  for (const { source_id: id = 0, channel_id: channel = 0, usr_mask: users = 0 } of rows)
    if (ids.has(id)) database.run('INSERT INTO source_access VALUES (?, ?, ?)', id, channel, users)
}

/** Ends the sessions of users whose ID, name or password changes; the importer's sessions move to the new ID. */
function endChangedSessions({ database }: Store, before: Tables, after: Tables, importer: string): void {
  const own = before.user.find(({ name }) => name === importer)
  const moved = after.user.find(({ name }) => name === importer)
  const stays = (user: Row) =>
    after.user.some(({ id, name, password }) => id === user.id && name === user.name && password === user.password)
  for (const user of before.user.filter((row) => row !== own && !stays(row))) {
    database.run('DELETE FROM session WHERE user_id = ?', user.id as number)
    database.run('DELETE FROM display_code WHERE user_id = ?', user.id as number)
  }
  if (!own || !moved || own.id === moved.id) return
  for (const table of ['session', 'display_code'])
    database.run(`UPDATE ${table} SET user_id = ? WHERE user_id = ?`, moved.id as number, own.id as number)
}

function removeRows({ database }: Store, table: TableName, before: readonly Row[], after: readonly Row[]): void {
  const { key, uniqueColumns } = specOf(table)
  const kept = byKey(table, after)
  const where = key.map((column) => `${column} = ?`).join(' AND ')
  for (const row of before) {
    const next = kept.get(keyOf(table, row))
    if (next && (uniqueColumns || sameRow(next, row))) continue
    database.run(`DELETE FROM ${table} WHERE ${where}`, ...key.map((column) => row[column] as string))
  }
}

function addNodes({ database }: Store, { device, input, output }: Tables): void {
  for (const { id } of [...device, ...input, ...output])
    database.run('INSERT OR IGNORE INTO node (id) VALUES (?)', id as number)
}

function writeRows(store: Store, table: TableName, before: readonly Row[], after: readonly Row[]): void {
  const { database, encryption } = store
  const { key, uniqueColumns = [] } = specOf(table)
  const previous = byKey(table, before)
  const changed = after.filter((row) => !sameRow(row, previous.get(keyOf(table, row))))
  // Values that must be unique can change places, so rows that are updated give theirs up first.
  for (const row of changed.filter((each) => previous.has(keyOf(table, each))))
    for (const column of uniqueColumns)
      database.run(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, `import ${randomUUID()}`, row.id as number)
  for (const row of changed) {
    const columns = Object.keys(row)
    const values = columns.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`)
    database.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
        ON CONFLICT (${key.join(', ')}) DO ${values.length > 0 ? `UPDATE SET ${values.join(', ')}` : 'NOTHING'}`,
      ...Object.values(encryptRow(encryption, table, row))
    )
  }
}
