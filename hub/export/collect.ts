// Reads what an export contains from the database, and writes rows back. Secrets that are stored encrypted are plain in
// between, because another hub has another key.

import type { Encryption } from '../../data-files/encryption.ts'
import { loginOwner } from '../store/device-addresses.ts'
import { secretOwner } from '../store/second-factors.ts'
import type { Store } from '../store/store.ts'
import { redactRow } from './redact.ts'
import { emptyTables, keyOf, partOf, type Row, specOf, TABLE_NAMES, type TableName, type Tables } from './tables.ts'

/** The contents of an export. */
export interface ExportData {
  tables: Tables
  /** Keys of the rows from which secrets were removed, by table. */
  withheld: Partial<Record<TableName, string[]>>
}

/** The encrypted column of a table, and the owner of its value. */
const ENCRYPTED: Partial<Record<TableName, { column: string; owner(row: Row): string }>> = {
  user: { column: 'second_factor', owner: ({ id }) => secretOwner({ id: Number(id) }) },
  device_address: { column: 'secret', owner: ({ device_id: id }) => loginOwner(Number(id)) }
}

function decryptRow(encryption: Encryption, table: TableName, row: Row): Row {
  const encrypted = ENCRYPTED[table]
  const value = encrypted && row[encrypted.column]
  if (!encrypted || !value) return row
  return { ...row, [encrypted.column]: encryption.decrypt(String(value), encrypted.owner(row)) ?? '' }
}

/** The row as this hub stores it. */
export function encryptRow(encryption: Encryption, table: TableName, row: Row): Row {
  const encrypted = ENCRYPTED[table]
  const value = encrypted && row[encrypted.column]
  if (!encrypted || !value) return row
  return { ...row, [encrypted.column]: encryption.encrypt(String(value), encrypted.owner(row)) }
}

/** Reads the tables with their secrets. */
export function collectTables({ database, encryption }: Pick<Store, 'database' | 'encryption'>): Tables {
  const tables = emptyTables()
  for (const table of TABLE_NAMES) {
    const { key, where = '1' } = specOf(table)
    const rows = database.all<Row>(`SELECT * FROM ${table} WHERE ${where} ORDER BY ${key.join(', ')}`)
    tables[table] = rows
      .filter((row) => partOf(table, row) !== undefined)
      .map((row) => decryptRow(encryption, table, { ...row }))
  }
  return tables
}

/** Leaves out all secrets. */
export function redactTables(tables: Tables): ExportData {
  const redacted = emptyTables()
  const withheld: ExportData['withheld'] = {}
  for (const table of TABLE_NAMES) {
    if (specOf(table).secret) continue
    redacted[table] = tables[table].map((row) => redactRow(table, row))
    const changed = tables[table].filter((row, index) => isChanged(row, redacted[table][index] as Row))
    if (changed.length > 0) withheld[table] = changed.map((row) => keyOf(table, row))
  }
  return { tables: redacted, withheld }
}

const isChanged = (row: Row, other: Row) => Object.keys(row).some((column) => row[column] !== other[column])
