import assert from 'node:assert/strict'
import pg from 'pg'
import { preparePostgres } from '../../../cloud/store/postgres.ts'
import { openStore } from '../../../cloud/store/store.ts'
import { asUser, createOwnedDatabase, nameOfDatabase, runSql } from '../../kit/cloud/owned-database.ts'
import { type PostgresServer, startPostgres } from '../../kit/cloud/postgres.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('user of PostgreSQL as whom the cloud works')

let server: PostgresServer
test.before(async () => {
  server = await startPostgres()
})
test.after(() => server.close())

const data = ':memory:'

/** An empty database with an owner who is no superuser, and a user who owns nothing. */
async function createDatabase() {
  const databaseUrl = await createOwnedDatabase(server)
  const name = nameOfDatabase(databaseUrl)
  const owner = `owner_${name}`
  const superuser = databaseUrl.replace(owner, 'postgres')
  await runSql(superuser, `create role login_${name} login`)
  return { superuser, name, owner, databaseUrl, applicationUrl: asUser(superuser, `login_${name}`) }
}

const addRow = (store: Awaited<ReturnType<typeof openStore>>) =>
  store.within('acme', (scope) => scope.insert('organisations', { invitation: 'x', created: 1 }).execute())

test('the program works as a user who owns no table, and cannot become the owner', async () => {
  const { databaseUrl, applicationUrl, owner } = await createDatabase()
  const store = await openStore({ data, databaseUrl, applicationUrl })
  await addRow(store)
  await store.close()
  for (const statement of [
    `set role ${owner}`,
    'delete from log_entries',
    'alter table users disable row level security'
  ])
    await assert.rejects(runSql(applicationUrl, statement), /permission denied|must be owner/, statement)
  const client = new pg.Client(applicationUrl)
  await client.connect()
  assert.deepEqual((await client.query('select * from organisations')).rows, [])
  await client.end()
})

test('a node needs no owner once the database is prepared', async () => {
  const { databaseUrl, applicationUrl } = await createDatabase()
  await assert.rejects(openStore({ data, applicationUrl }), /make cloud-migrate/)
  await preparePostgres(databaseUrl, applicationUrl)
  const store = await openStore({ data, applicationUrl })
  await addRow(store)
  await store.close()
  await runSql(databaseUrl, "delete from kysely_migration where name > '0001'")
  await assert.rejects(openStore({ data, applicationUrl }), /lacks the migrations 0002/)
})

test('a user who could see rows of every organisation is refused', async () => {
  const { superuser, databaseUrl, name } = await createDatabase()
  await runSql(superuser, `create role bypass_${name} login bypassrls`, `create role heir_${name} login`)
  await preparePostgres(databaseUrl)
  await runSql(superuser, `grant owner_${name} to heir_${name}`)
  for (const user of ['postgres', `owner_${name}`, `bypass_${name}`, `heir_${name}`]) {
    const applicationUrl = asUser(superuser, user)
    await assert.rejects(openStore({ data, databaseUrl, applicationUrl }), /must own no table/, user)
    await assert.rejects(openStore({ data, applicationUrl }), /must own no table/, user)
  }
})

test.run()
