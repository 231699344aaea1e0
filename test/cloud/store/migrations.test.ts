import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { migrationsFor } from '../../../cloud/store/migrations.ts'
import { openNodeSqlite } from '../../../cloud/store/node-sqlite.ts'
import { type DatabaseKind, enterOrganisation } from '../../../cloud/store/row-security.ts'
import { openStore, type StoreOptions } from '../../../cloud/store/store.ts'
import { createOwnedDatabase } from '../../kit/cloud/owned-database.ts'
import { type PostgresServer, startPostgres } from '../../kit/cloud/postgres.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('migrations of the cloud store')

let server: PostgresServer
let data = ''

test.before(async () => {
  server = await startPostgres()
})
test.after(() => server.close())
test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'cloud-migrations-'))
})
test.after.each(() => rmSync(data, { recursive: true }))

function connect(kind: DatabaseKind, { data, databaseUrl }: StoreOptions): Kysely<unknown> {
  return kind === 'sqlite'
    ? new Kysely({ dialect: new SqliteDialect({ database: openNodeSqlite(join(data, 'cloud.db')) }) })
    : new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) }) })
}

/** A database as the first migrations made it, with two users, and a session and a line of the log of the second. */
async function createOldDatabase(kind: DatabaseKind, options: StoreOptions): Promise<void> {
  const database = connect(kind, options)
  try {
    const old = Object.fromEntries(Object.entries(migrationsFor(kind)).slice(0, 2))
    const { error } = await new Migrator({
      db: database,
      provider: { getMigrations: async () => old }
    }).migrateToLatest()
    assert.equal(error, undefined)
    for (const organisation of ['acme', 'other'])
      await database.transaction().execute(async (transaction) => {
        if (kind === 'postgres') await enterOrganisation(transaction, organisation)
        const run = (text: ReturnType<typeof sql>) => text.execute(transaction)
        await run(sql`insert into organisations values (${organisation}, 'code', 1)`)
        await run(sql`insert into user_groups values (${organisation}, 1, 'Admin', 1, 4294967295)`)
        for (const id of [1, 2, 3, 32])
          await run(sql`insert into users values (${organisation}, ${id}, ${`user ${id}`}, 1, 'hash', 0)`)
        await run(sql`insert into sessions values (${organisation}, 'hash', 3, 1, 1)`)
        await run(sql`insert into log_entries (organisation, time, user_name, address, event, detail, result)
          values (${organisation}, 1, 'user 3', '', '/login', '', 0)`)
      })
  } finally {
    await database.destroy()
  }
}

for (const kind of ['sqlite', 'postgres'] as const)
  test(`${kind}: users of the first version keep their order, and their ids become bits of a mask`, async () => {
    const databaseUrl = kind === 'postgres' ? await createOwnedDatabase(server) : undefined
    const options = { data, databaseUrl }
    await createOldDatabase(kind, options)
    const store = await openStore(options)
    try {
      for (const organisation of ['acme', 'other'])
        await store.within(organisation, async (scope) => {
          const users = await scope.select('users').selectAll().orderBy('id').execute()
          assert.deepEqual(
            users.map(({ id, name, expires, nick }) => [id, name, expires, nick]),
            [1, 2, 3, 32].map((number) => [2 ** (number - 1), `user ${number}`, -1, ''])
          )
          assert.deepEqual(await scope.select('sessions').selectAll().execute(), [])
          const [line] = await scope.select('log_entries').selectAll().execute()
          assert.deepEqual([line?.user_name, line?.level, line?.token], ['user 3', 1, ''])
        })
    } finally {
      await store.close()
    }
  })

test.run()
