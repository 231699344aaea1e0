// Row-level security of PostgreSQL: the second wall between organisations, behind the queries of `Scope`. The program
// works as a role that owns no table and has no other rights, and sees only rows of the organisation that its
// transaction has named.
import { type Kysely, sql } from 'kysely'

export type DatabaseKind = 'sqlite' | 'postgres'

type Right = 'select' | 'insert' | 'update' | 'delete'

/** Setting of a transaction: the organisation whose rows it sees. */
export const ORGANISATION_SETTING = 'headend.organisation'

/** Setting of a transaction: the hash of the access token that it may see. */
const TOKEN_SETTING = 'headend.token'

/**
 * Name of the role as which the program works. Roles belong to the whole server, so each database has one of its own.
 */
export async function applicationRole(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ role: string }>`select current_database() || '_application' as role`.execute(db)
  return rows[0]?.role ?? ''
}

/** Creates the role, and lets the owner of the tables become it. */
export async function createApplicationRole(db: Kysely<unknown>): Promise<void> {
  const role = sql.id(await applicationRole(db))
  await sql`create role ${role} nologin nosuperuser nobypassrls`.execute(db)
  await sql`grant ${role} to current_user`.execute(db)
  await sql`grant usage on schema public to ${role}`.execute(db)
}

/** Limits a table to the rows of the organisation of a transaction, also for its owner. */
export async function secureTable(db: Kysely<unknown>, table: string, rights: readonly Right[]): Promise<void> {
  const name = sql.table(table)
  const isOwn = sql`organisation = current_setting(${sql.lit(ORGANISATION_SETTING)}, true)`
  await sql`alter table ${name} enable row level security`.execute(db)
  await sql`alter table ${name} force row level security`.execute(db)
  await sql`create policy own_rows on ${name} using (${isOwn}) with check (${isOwn})`.execute(db)
  await grantTable(db, table, rights)
}

/** Lets the program use a table of the cloud as a whole. */
export async function grantTable(db: Kysely<unknown>, table: string, rights: readonly Right[]): Promise<void> {
  const role = sql.id(await applicationRole(db))
  await sql`grant ${sql.raw(rights.join(', '))} on ${sql.table(table)} to ${role}`.execute(db)
}

/**
 * Shows a transaction the access token that a program has presented, whatever its organisation: the token says which
 * one that is.
 */
export async function revealPresentedToken(db: Kysely<unknown>): Promise<void> {
  const isPresented = sql`hash = current_setting(${sql.lit(TOKEN_SETTING)}, true)`
  await sql`create policy presented_token on tokens for select using (${isPresented})`.execute(db)
}

/** Names the hash of the token that a program has presented. */
export async function presentToken<Tables>(db: Kysely<Tables>, hash: string): Promise<void> {
  await sql`select set_config(${TOKEN_SETTING}, ${hash}, true)`.execute(db)
}

/** Names the organisation of a transaction. It is forgotten at its end. */
export async function enterOrganisation<Tables>(db: Kysely<Tables>, organisation: string): Promise<void> {
  await sql`select set_config(${ORGANISATION_SETTING}, ${organisation}, true)`.execute(db)
}
