// The store of the cloud: SQLite of Node for one node, PostgreSQL for many.
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Kysely, SqliteDialect, sql, type Transaction } from 'kysely'
import { migrate } from './migrate.ts'
import { openNodeSqlite } from './node-sqlite.ts'
import { type NotificationListener, Notifications } from './notifications.ts'
import { isConnectionEnded, openApplication, preparePostgres } from './postgres.ts'
import { type DatabaseKind, enterOrganisation, presentToken } from './row-security.ts'
import { Scope } from './scope.ts'
import type { CloudTables, Tables } from './tables.ts'

/** How often a transaction is tried to begin: a connection of the pool may have ended without having been noticed. */
const BEGINS_MAX = 3

export interface StoreOptions {
  /** Address of PostgreSQL, with the user who owns the tables. Absent with `applicationUrl`: nothing is migrated. */
  databaseUrl?: string | undefined
  /** The same address with a user who owns no table, as whom the program works. Default: `databaseUrl`. */
  applicationUrl?: string | undefined
  /** Data folder for SQLite; `:memory:` keeps nothing. */
  data: string
}

export class Store {
  readonly kind: DatabaseKind
  readonly #database: Kysely<Tables>
  readonly #url: string

  /** @param url address of PostgreSQL */
  constructor(kind: DatabaseKind, database: Kysely<Tables>, url = '') {
    this.kind = kind
    this.#database = database
    this.#url = url
  }

  /** Listens to what other nodes announce; undefined for SQLite, which has one node. */
  listen(listener: NotificationListener): Notifications | undefined {
    return this.kind === 'postgres' ? new Notifications(this.#url, listener) : undefined
  }

  /**
   * Runs a function with the rows of one organisation, in one transaction: all of its changes are stored durably when
   * the promise resolves, or none. An organisation that does not exist has no rows.
   */
  within<Result>(organisation: string, run: (scope: Scope) => Promise<Result>): Promise<Result> {
    return this.#transaction(async (transaction) => {
      if (this.kind === 'postgres') await enterOrganisation(transaction, organisation)
      return run(new Scope(organisation, this.kind, transaction))
    })
  }

  /** Runs a function with the tables of the cloud as a whole, in one transaction as `within` does. */
  withinCloud<Result>(run: (transaction: Transaction<CloudTables>) => Promise<Result>): Promise<Result> {
    return this.#transaction((transaction) => run(transaction as unknown as Transaction<CloudTables>))
  }

  /** The organisation of an access token; undefined if there is no such token. @param hash of the token */
  organisationOfToken(hash: string): Promise<string | undefined> {
    return this.#transaction(async (transaction) => {
      if (this.kind === 'postgres') await presentToken(transaction, hash)
      const row = await transaction
        .selectFrom('tokens')
        .select('organisation')
        .where('hash', '=', hash)
        .executeTakeFirst()
      return row?.organisation
    })
  }

  /** Asks the database for an answer. @throws if it does not answer, within the time that queries have */
  async ping(): Promise<void> {
    await sql`select 1`.execute(this.#database)
  }

  close(): Promise<void> {
    return this.#database.destroy()
  }

  async #transaction<Result>(run: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    for (let begins = 1; ; begins++) {
      let hasBegun = false
      try {
        return await this.#database.transaction().execute((transaction) => {
          hasBegun = true
          return run(transaction)
        })
      } catch (error) {
        if (hasBegun || begins === BEGINS_MAX || !isConnectionEnded(error)) throw error
        // The pool notices all other connections that have ended.
        await setImmediate()
      }
    }
  }
}

/** The SQLite in a data folder. */
export async function openSqlite(data: string): Promise<Kysely<Tables>> {
  const path = data === ':memory:' ? data : join(data, 'cloud.db')
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openNodeSqlite(path) }) })
  try {
    await migrate(database, 'sqlite')
  } catch (error) {
    await database.destroy()
    throw error
  }
  return database
}

/**
 * Neither address: SQLite.
 * @throws if the database cannot be reached or is too old, or a migration fails or is missing
 */
export async function openStore({ databaseUrl, applicationUrl, data }: StoreOptions): Promise<Store> {
  if (databaseUrl !== undefined) await preparePostgres(databaseUrl, applicationUrl)
  const url = applicationUrl ?? databaseUrl
  if (url === undefined) return new Store('sqlite', await openSqlite(data))
  return new Store('postgres', await openApplication(url, applicationUrl !== undefined), url)
}
