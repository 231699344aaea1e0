import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { md5Of } from '../../../accounts/passwords.ts'
import { createOrganisation } from '../../../cloud/auth/first-users.ts'
import { addToQueue, NEW_HUB, readQueue } from '../../../cloud/rollouts/rollout-rows.ts'
import { moveToPostgres } from '../../../cloud/store/move-rows.ts'
import { openStore, type Store } from '../../../cloud/store/store.ts'
import { addToken, NEVER_EXPIRES } from '../../../contract/access/token.ts'
import { addUser } from '../../../contract/access/user.ts'
import { addCatalog } from '../../../contract/catalog.ts'
import { renewInvitation } from '../../../contract/cloud/calls.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { setSettings } from '../../../contract/settings.ts'
import { startCloud } from '../../kit/cloud/cloud.ts'
import { createOwnedDatabase } from '../../kit/cloud/owned-database.ts'
import { type PostgresServer, startPostgres } from '../../kit/cloud/postgres.ts'
import { newRollout } from '../../kit/cloud/rollout-fixture.ts'
import { TABLE_NAMES } from '../../kit/cloud/tables.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('move of the data of a cloud')

const ORGANISATIONS = ['headend', 'acme']
/** More rows than one statement takes. */
const HUBS = 1100

let server: PostgresServer
let data = ''

test.before(async () => {
  server = await startPostgres()
})
test.after(() => server.close())
test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'cloud-move-'))
})
test.after.each(() => rmSync(data, { recursive: true }))

/** Makes data with rows in all tables. */
async function fill(): Promise<void> {
  const cloud = await startCloud({ data })
  try {
    await createOrganisation(cloud.store, 'acme')
    for (const organisation of ORGANISATIONS) {
      const admin = await cloud.clientAs('Admin', organisation)
      await admin.send(addUser, { name: `user_of_${organisation}`, passwd: md5Of('Secret-1') })
      await admin.send(addToken, { 'expired-time': NEVER_EXPIRES })
      await admin.send(addCatalog, { id: 0, name: 'Hall' })
      await admin.send(setSettings, { 'expired-time': 60 })
    }
    await cloud.store.within('headend', async (scope) => {
      const row = { name: "it's a 'hub'", version: '1.0.0', key_hash: '', state: 103, address: '', registered: 2 ** 41 }
      for (let index = 0; index < HUBS; index++) await scope.insert('hubs', { ...row, sn: `HUB${index}` }).execute()
      await scope.insert('digests', { sn: 'HUB0', body: '{}', received: 1, revision: 1 }).execute()
      await scope.insert('rollouts', newRollout(1)).execute()
      await scope.insert('rollout_hubs', { ...NEW_HUB, rollout_id: 1, sn: 'HUB0', position: 0, name: 'Hall' }).execute()
      await scope.insert('recovery_codes', { user_id: 1, hash: 'x' }).execute()
      const { hash: session } = await scope.select('sessions').select('hash').executeTakeFirstOrThrow()
      await scope
        .insert('hub_sessions', { hash: 'y', session, sn: 'HUB0', target: '', is_ticket: 0, created: 1 })
        .execute()
    })
    await addToQueue(cloud.store, { organisation: 'headend', id: 1 })
  } finally {
    await cloud.close()
  }
}

async function dumpOf(store: Store) {
  const rows: unknown[] = []
  for (const organisation of ORGANISATIONS)
    await store.within(organisation, async (scope) => {
      for (const table of TABLE_NAMES) {
        const found = await scope.select(table).selectAll().execute()
        assert.ok(organisation === 'acme' || found.length > 0, table)
        rows.push([table, found.map((row) => JSON.stringify(Object.entries(row).sort())).sort()])
      }
    })
  rows.push(await store.withinCloud((transaction) => transaction.selectFrom('signing_keys').selectAll().execute()))
  rows.push(await readQueue(store))
  return JSON.parse(JSON.stringify(rows)) as unknown
}

test('every row of every organisation is moved, and nodes go on with them', async () => {
  await fill()
  const sqlite = await openStore({ data })
  const before = await dumpOf(sqlite)
  await sqlite.close()
  const databaseUrl = await createOwnedDatabase(server)
  const moved = await moveToPostgres(data, databaseUrl)
  assert.equal(moved.find(({ name }) => name === 'hubs')?.rows, HUBS)
  const store = await openStore({ data, databaseUrl })
  assert.deepEqual(await dumpOf(store), before)
  await store.close()
  const owner = new pg.Client(databaseUrl)
  await owner.connect()
  assert.deepEqual((await owner.query('select * from users')).rows, [], 'row-level security holds for the owner again')
  await owner.end()
  const cloud = await startCloud({ data, databaseUrl })
  try {
    const user = await cloud.signIn('user_of_acme', 'Secret-1', 'acme')
    assert.ok(user.cookie)
    const admin = await cloud.clientAs()
    assert.equal((await admin.send(renewInvitation, {})).result, SUCCESS)
  } finally {
    await cloud.close()
  }
})

test('a database with rows of any organisation is refused, and stays as it was', async () => {
  await fill()
  const databaseUrl = await createOwnedDatabase(server)
  const store = await openStore({ data, databaseUrl })
  await store.within('other', (scope) => scope.insert('organisations', { invitation: 'x', created: 1 }).execute())
  await assert.rejects(moveToPostgres(data, databaseUrl), /organisations of the database has rows/)
  const read = (organisation: string) =>
    store.within(organisation, (scope) => scope.select('organisations').selectAll().execute())
  assert.equal((await read('other')).length, 1)
  assert.equal((await read('headend')).length, 0)
  await store.close()
})

test('nothing is moved while a node runs, or without data', async () => {
  const databaseUrl = await createOwnedDatabase(server)
  await assert.rejects(moveToPostgres(data, databaseUrl), /no data of a cloud/)
  const running = await openStore({ data })
  await assert.rejects(moveToPostgres(data, databaseUrl), /another node uses/)
  await running.close()
})

test.run()
