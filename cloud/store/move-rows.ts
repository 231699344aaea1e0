// Moves all rows of the SQLite of one node to PostgreSQL.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import { openPostgres, preparePostgres } from './postgres.ts'
import { openSqlite } from './store.ts'
import type { Tables } from './tables.ts'

type Row = Record<string, unknown>

export interface MovedTable {
  name: string
  rows: number
}

/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const BATCH = 500

/** Tables of the migrator, which the migrations of PostgreSQL have filled. */
const OF_MIGRATOR = 'kysely_%'

/** Names of the tables, each after those that its rows refer to. */
async function listTables(source: Kysely<Tables>): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like ${OF_MIGRATOR} and name not like 'sqlite_%'
    order by name`.execute(source)
  const parents = new Map<string, string[]>()
  for (const { name } of tables) {
    const { rows } = await sql<{ table: string }>`select "table" from pragma_foreign_key_list(${name})`.execute(source)
    parents.set(
      name,
      rows.map((row) => row.table)
    )
  }
  const ordered = new Set<string>()
  const add = (name: string): void => {
    for (const parent of parents.get(name) ?? []) if (parent !== name) add(parent)
    ordered.add(name)
  }
  for (const { name } of tables) add(name)
  return [...ordered]
}

/** Takes a table for this transaction alone. @returns whether it has rows of any organisation */
async function takeTable(target: Transaction<Tables>, name: string): Promise<boolean> {
  const table = sql.table(name)
  await sql`lock table ${table} in access exclusive mode`.execute(target)
  // Row-level security would hide rows from the owner of the table, too.
  await sql`alter table ${table} no force row level security`.execute(target)
  return (await sql`select from ${table} limit 1`.execute(target)).rows.length > 0
}

async function copyTable(source: Kysely<Tables>, target: Transaction<Tables>, name: string): Promise<MovedTable> {
  const { rows } = await sql<Row>`select * from ${sql.table(name)}`.execute(source)
  const columns = Object.keys(rows[0] ?? {})
  for (let start = 0; start < rows.length; start += BATCH) {
    const tuples = rows
      .slice(start, start + BATCH)
      .map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
    const names = sql.join(columns.map((column) => sql.id(column)))
    await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(tuples)}`.execute(target)
  }
  return { name, rows: rows.length }
}

/** Lets the numbers of new rows continue after those of the moved ones. */
async function continueNumbers(target: Transaction<Tables>): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('log_entries', 'id'), max(id)) from log_entries having max(id) > 0`.execute(
    target
  )
}

/** Makes row-level security hold for the owner again, where it does for others. */
async function releaseTable(target: Transaction<Tables>, name: string): Promise<void> {
  const { rows } = await sql`select from pg_class where oid = ${name}::regclass and relrowsecurity`.execute(target)
  if (rows.length > 0) await sql`alter table ${sql.table(name)} force row level security`.execute(target)
}

/**
 * Copies all rows of all organisations to an empty database, in one transaction: all of them, or none. The SQLite stays
 * as it is.
 * @param databaseUrl with the owner of the tables
 * @throws Error if a node uses the SQLite, or the database has rows
 */
export async function moveToPostgres(data: string, databaseUrl: string): Promise<MovedTable[]> {
  if (!existsSync(join(data, 'cloud.db'))) throw new Error(`${data} has no data of a cloud`)
  const source = await openSqlite(data)
  try {
    await preparePostgres(databaseUrl)
    const owner = openPostgres(databaseUrl)
    try {
      const tables = await listTables(source)
      return await owner.transaction().execute(async (target) => {
        for (const name of tables)
          if (await takeTable(target, name))
            throw new Error(`The table ${name} of the database has rows. Only an empty database is accepted`)
        const moved: MovedTable[] = []
        for (const name of tables) moved.push(await copyTable(source, target, name))
        await continueNumbers(target)
        for (const name of tables) await releaseTable(target, name)
        return moved
      })
    } finally {
      await owner.destroy()
    }
  } finally {
    await source.destroy()
  }
}
