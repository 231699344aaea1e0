// The databases on which each test of the cloud's store runs: SQLite, and a real PostgreSQL.
import type { Callback, Test } from 'uvu'
import { openStore, type Store } from '../../../cloud/store/store.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

export interface Stores {
  /** Registers a test for this database. */
  test(title: string, body: Callback<Record<string, unknown>>): void
  /** An empty store, which is closed after the test. */
  open(): Promise<Store>
  /** The address of an empty database; undefined for SQLite. */
  databaseUrl(): Promise<string | undefined>
}

/** Both databases for the tests of a suite. The server of PostgreSQL runs as long as the suite. */
export function bothDatabases(suite: Test): Stores[] {
  let server: PostgresServer | undefined
  const opened: Store[] = []
  suite.before(async () => {
    server = await startPostgres()
  })
  suite.after.each(async () => {
    for (const store of opened.splice(0)) await store.close()
  })
  suite.after(() => server?.close())
  return (['sqlite', 'postgres'] as const).map((kind) => {
    const databaseUrl = async () => (kind === 'postgres' ? server?.createDatabase() : undefined)
    return {
      test: (title, body) => suite(`${kind}: ${title}`, body),
      databaseUrl,
      async open() {
        const store = await openStore({ data: ':memory:', databaseUrl: await databaseUrl() })
        opened.push(store)
        return store
      }
    }
  })
}
