// The store of the cloud: SQLite of Node for one node, PostgreSQL for many.
import { join } from 'node:path'
import { CompiledQuery, Kysely, PostgresDialect, SqliteDialect, sql, type Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { logger } from '../../process-log/logger.ts'
import { migrationsFor } from './migrations.ts'
import { openNodeSqlite } from './node-sqlite.ts'
import { applicationRole, type DatabaseKind, enterOrganisation, presentToken } from './row-security.ts'
import { Scope } from './scope.ts'
import type { CloudTables, Tables } from './tables.ts'

/** The oldest PostgreSQL that the store works with, as `server_version_num` has it. */
const POSTGRES_MIN = 150_000
/** Connections of one node to PostgreSQL. */
const CONNECTIONS_MAX = 10
/** Milliseconds to wait for a connection, and for the answer to a query. */
const CONNECTION_TIMEOUT = 5000
const QUERY_TIMEOUT = 10_000

export interface StoreOptions {
  /** Address of PostgreSQL, with the user who owns the tables. Absent: SQLite. */
  databaseUrl?: string | undefined
  /** Data folder for SQLite; `:memory:` keeps nothing. */
  data: string
}

/** Numbers of PostgreSQL that JavaScript can represent: counters, times and permission masks. */
const NUMBER_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
}

function openPostgres(databaseUrl: string, role?: string): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: role === undefined ? 1 : CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    query_timeout: role === undefined ? undefined : QUERY_TIMEOUT,
    types: NUMBER_TYPES
  })
  // The pool replaces a connection that ends while it is idle.
  pool.on('error', (error) => logger.warn('Connection to PostgreSQL ended', { reason: error.message }))
  return new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool,
      ...(role !== undefined && {
        onCreateConnection: async (connection) => {
          await connection.executeQuery(CompiledQuery.raw(`set role ${pg.escapeIdentifier(role)}`))
        }
      })
    })
  })
}

/**
 * Runs the migrations that the database does not have, once, however many nodes start. A database with migrations of
 * the next release is left as it is, because nodes of both run together.
 * @throws the error of a migration
 */
async function migrate(database: Kysely<Tables>, kind: DatabaseKind): Promise<void> {
  const migrations = migrationsFor(kind)
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } })
  const known = await migrator.getMigrations()
  if (known.every(({ executedAt }) => executedAt !== undefined)) return
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/** Prepares the database as the owner of its tables. @returns the role as which the program then works */
async function preparePostgres(databaseUrl: string): Promise<string> {
  const owner = openPostgres(databaseUrl)
  try {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(
      owner
    )
    if (Number(rows[0]?.version) < POSTGRES_MIN)
      throw new Error(`PostgreSQL ${POSTGRES_MIN / 10_000} or newer is needed; the server has ${rows[0]?.version}`)
    await migrate(owner, 'postgres')
    return await applicationRole(owner as unknown as Kysely<unknown>)
  } finally {
    await owner.destroy()
  }
}

export class Store {
  readonly kind: DatabaseKind
  readonly #database: Kysely<Tables>

  constructor(kind: DatabaseKind, database: Kysely<Tables>) {
    this.kind = kind
    this.#database = database
  }

  /**
   * Runs a function with the rows of one organisation, in one transaction: all of its changes are stored durably when
   * the promise resolves, or none. An organisation that does not exist has no rows.
   */
  within<Result>(organisation: string, run: (scope: Scope) => Promise<Result>): Promise<Result> {
    return this.#database.transaction().execute(async (transaction) => {
      if (this.kind === 'postgres') await enterOrganisation(transaction, organisation)
      return run(new Scope(organisation, transaction))
    })
  }

  /** Runs a function with the tables of the cloud as a whole, in one transaction as `within` does. */
  withinCloud<Result>(run: (transaction: Transaction<CloudTables>) => Promise<Result>): Promise<Result> {
    const database = this.#database as unknown as Kysely<CloudTables>
    return database.transaction().execute(run)
  }

  /** The organisation of an access token; undefined if there is no such token. @param hash of the token */
  organisationOfToken(hash: string): Promise<string | undefined> {
    return this.#database.transaction().execute(async (transaction) => {
      if (this.kind === 'postgres') await presentToken(transaction, hash)
      const row = await transaction
        .selectFrom('tokens')
        .select('organisation')
        .where('hash', '=', hash)
        .executeTakeFirst()
      return row?.organisation
    })
  }

  close(): Promise<void> {
    return this.#database.destroy()
  }
}

/** @throws if the database cannot be reached or is too old, or a migration fails */
export async function openStore({ databaseUrl, data }: StoreOptions): Promise<Store> {
  if (databaseUrl !== undefined) {
    const role = await preparePostgres(databaseUrl)
    return new Store('postgres', openPostgres(databaseUrl, role))
  }
  const path = data === ':memory:' ? data : join(data, 'cloud.db')
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openNodeSqlite(path) }) })
  try {
    await migrate(database, 'sqlite')
  } catch (error) {
    await database.destroy()
    throw error
  }
  return new Store('sqlite', database)
}
