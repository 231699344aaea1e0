import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { migrationsFor } from '../../../cloud/store/migrations.ts'
import { openStore } from '../../../cloud/store/store.ts'
import { type PostgresServer, startPostgres } from '../../kit/cloud/postgres.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('row security of the cloud store')

/** Tables of the cloud as a whole (`CloudTables`). */
const OF_THE_CLOUD = ['signing_keys', 'nodes', 'links', 'revisions', 'rollout_queue']

let server: PostgresServer

test.before(async () => {
  server = await startPostgres()
})

test.after(() => server.close())

/** Runs SQL over a connection of its own, as the owner of the server or as the role of the program. */
async function withClient<Result>(
  databaseUrl: string,
  as: 'owner' | 'program',
  run: (client: pg.Client) => Promise<Result>
): Promise<Result> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    if (as === 'program') await client.query(`set role ${client.database}_application`)
    return await run(client)
  } finally {
    await client.end()
  }
}

/** A database with an organisation `acme`. */
async function createDatabase(): Promise<string> {
  const databaseUrl = await server.createDatabase()
  const store = await openStore({ databaseUrl, data: ':memory:' })
  await store.within('acme', (scope) => scope.insert('organisations', { invitation: 'secret', created: 1 }).execute())
  await store.close()
  return databaseUrl
}

test('PostgreSQL shows no row to a query that leaves out its organisation', async () => {
  const databaseUrl = await createDatabase()
  await withClient(databaseUrl, 'program', async (client) => {
    const all = 'select * from organisations'
    assert.deepEqual((await client.query(all)).rows, [])
    await client.query("begin; set local headend.organisation = 'evil'")
    assert.deepEqual((await client.query(all)).rows, [])
    assert.equal((await client.query("update organisations set invitation = 'taken'")).rowCount, 0)
    assert.equal((await client.query('delete from organisations')).rowCount, 0)
    await client.query('savepoint s')
    await assert.rejects(client.query("insert into organisations values ('acme2', 'forged', 1)"), /row-level security/)
    await client.query("rollback to s; commit; begin; set local headend.organisation = 'acme'")
    assert.equal((await client.query(all)).rows.length, 1)
  })
})

test('the organisation of a transaction does not outlive it on its connection', async () => {
  const databaseUrl = await createDatabase()
  const store = await openStore({ databaseUrl, data: ':memory:' })
  try {
    const invitations = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        store.within(index % 2 ? 'acme' : 'nobody', (scope) => scope.select('organisations').selectAll().execute())
      )
    )
    assert.deepEqual(
      invitations.map(({ length }) => length),
      Array.from({ length: 60 }, (_, index) => index % 2)
    )
  } finally {
    await store.close()
  }
})

test('every table with rows of organisations has forced row security, and the program owns none', async () => {
  const databaseUrl = await createDatabase()
  await withClient(databaseUrl, 'owner', async (client) => {
    const { rows } = await client.query(`
      select relname, relrowsecurity and relforcerowsecurity as secure, pg_get_userbyid(relowner) as owner,
        exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'organisation') as has_organisation
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`)
    const tables = rows.filter(({ relname }) => !/^kysely_/.test(relname) && !OF_THE_CLOUD.includes(relname))
    assert.ok(tables.length >= 6)
    for (const row of tables)
      assert.deepEqual([row.relname, row.secure, row.has_organisation], [row.relname, true, true])
    for (const { owner } of rows) assert.equal(owner, 'postgres')
    const { rows: roles } = await client.query(
      `select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole from pg_roles where rolname = '${client.database}_application'`
    )
    assert.deepEqual(
      { ...roles[0] },
      { rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false }
    )
  })
})

test('the program can neither change its tables nor lines of the log', async () => {
  const databaseUrl = await createDatabase()
  await withClient(databaseUrl, 'program', async (client) => {
    for (const statement of [
      'alter table hubs disable row level security',
      'drop policy own_rows on hubs',
      'drop table hubs',
      'create table own (a int)',
      'truncate log_entries',
      'delete from log_entries',
      "update log_entries set detail = ''",
      'delete from kysely_migration',
      'delete from signing_keys',
      "update signing_keys set public_key = ''"
    ])
      await assert.rejects(client.query(statement), /must be owner|permission denied/, statement)
  })
})

test('nodes that start at the same time run each migration once', async () => {
  const databaseUrl = await server.createDatabase()
  const open = () => openStore({ databaseUrl, data: ':memory:' })
  const stores = await Promise.all([open(), open(), open(), open()])
  await Promise.all(stores.map((store) => store.close()))
  await withClient(databaseUrl, 'owner', async (client) => {
    const { rows } = await client.query('select name from kysely_migration order by name')
    assert.deepEqual(
      rows.map(({ name }) => name),
      Object.keys(migrationsFor('postgres'))
    )
  })
})

test('a node of this release works with the database of the next one', async () => {
  const databaseUrl = await createDatabase()
  await withClient(databaseUrl, 'owner', (client) =>
    client.query("insert into kysely_migration values ('9999', '2030-01-01T00:00:00.000Z')")
  )
  const store = await openStore({ databaseUrl, data: ':memory:' })
  try {
    const rows = await store.within('acme', (scope) => scope.select('organisations').selectAll().execute())
    assert.equal(rows.length, 1)
  } finally {
    await store.close()
  }
})

/** Cuts all connections to a database, before this process can notice. */
function cutConnections(databaseUrl: string): void {
  const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  const cut = `select count(*) from (select pg_terminate_backend(pid, 10000) as cut ${others}) as all_cut where cut`
  assert.notEqual(execFileSync('psql', [databaseUrl, '-Atc', cut], { encoding: 'utf8' }), '0\n')
}

test('a store whose connections were cut works with its next query', async () => {
  const databaseUrl = await createDatabase()
  const store = await openStore({ databaseUrl, data: ':memory:' })
  try {
    const read = () => store.within('acme', (scope) => scope.select('organisations').selectAll().execute())
    await Promise.all([read(), read(), read()])
    cutConnections(databaseUrl)
    assert.equal((await read()).length, 1)
  } finally {
    await store.close()
  }
})

test('a transaction whose connection was cut fails, and is not repeated', async () => {
  const databaseUrl = await createDatabase()
  const store = await openStore({ databaseUrl, data: ':memory:' })
  let runs = 0
  try {
    const failed = store.within('acme', async (scope) => {
      runs++
      cutConnections(databaseUrl)
      // Meanwhile the cut is noticed.
      await createDatabase()
      await scope.select('organisations').selectAll().execute()
    })
    await assert.rejects(failed, /terminat|not queryable/)
    assert.equal(runs, 1)
    assert.equal((await store.within('acme', (scope) => scope.select('organisations').selectAll().execute())).length, 1)
  } finally {
    await store.close()
  }
})

test('an address without a server is an error', async () => {
  await assert.rejects(
    openStore({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', data: ':memory:' }),
    /ECONNREFUSED/
  )
})

test.run()
