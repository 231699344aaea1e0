// Databases of older hubs are copied, migrated and read.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { listTokens } from '../../../contract/access/token.ts'
import { listCatalogs } from '../../../contract/catalog.ts'
import { listDevices } from '../../../contract/device/device.ts'
import { listLog } from '../../../contract/log.ts'
import { channelDashboard } from '../../../contract/stream/channel.ts'
import { DATABASE_FILE } from '../../../hub/data-folder/entries.ts'
import { COPIES_KEPT, listCopies } from '../../../hub/database/copies.ts'
import { openDatabase } from '../../../hub/database/database.ts'
import { APPLICATION_ID, inspectDatabase } from '../../../hub/database/inspect.ts'
import { MIGRATIONS } from '../../../hub/database/migrations.ts'
import { inputSettings, sources } from '../../../hub/store/sources.ts'
import { startHub } from '../../kit/hub/hub.ts'
import { createOlderDatabase } from '../../kit/hub/older-database.ts'

const test = suite('older databases')
let data: string
test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'headend-older-'))
})
test.after.each(() => rmSync(data, { recursive: true, force: true }))

const namesIn = (list: readonly { name: string }[]) => list.map(({ name }) => name)

for (let version = 1; version < MIGRATIONS.length; version++) {
  test(`a hub reads what a hub with version ${version} of the schema wrote`, async () => {
    await createOlderDatabase(data, version)
    const hub = await startHub({ data })
    try {
      const admin = await hub.signIn()
      assert.deepEqual(namesIn((await admin.send(listDevices, {})).list), ['Camera 1'])
      const { list } = await admin.send(channelDashboard, {})
      assert.deepEqual(namesIn(list), ['News'])
      assert.deepEqual(namesIn((await admin.send(listTokens, {})).list), version >= 2 ? ['Script'] : [])
      assert.deepEqual(namesIn((await admin.send(listCatalogs, {})).list), version >= 3 ? ['Studio'] : [])
      const log = await admin.send(listLog, { type: 'operation' })
      assert.ok(log.list.some(({ event, detail }) => event === '/channel/add' && detail === 'News'))
      assert.equal(hub.parts.store.settings.get('expired-time'), 77)
    } finally {
      await hub.close()
    }
    const file = join(data, DATABASE_FILE)
    assert.equal(inspectDatabase(file, 'integrity_check'), MIGRATIONS.length)
    const database = new DatabaseSync(file)
    assert.equal(database.prepare('PRAGMA application_id').get()?.application_id, APPLICATION_ID)
    assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), [])
    database.close()
    const [copy = ''] = listCopies(data)
    assert.match(basename(copy), new RegExp(`^\\d{8}T\\d{6}Z-migration-v${version}-1\\.sqlite$`))
    assert.equal(inspectDatabase(copy), version, 'the copy has the version before the migration')
    assert.equal(statSync(copy).mode & 0o777, 0o600)
  })
}

test('inputs and outputs of a hub that verified no certificate keep accepting any, and only those with TLS', () => {
  const version = MIGRATIONS.findIndex((step) => step.includes('accept-any'))
  const file = join(data, DATABASE_FILE)
  const older = new DatabaseSync(file)
  for (const step of MIGRATIONS.slice(0, version)) older.exec(step)
  older.exec(`PRAGMA user_version=${version}; INSERT INTO node (id) VALUES (1), (2), (3), (4), (5)`)
  const urls = ['rtmps://a.example/live/key', 'https://a.example/list.m3u8', 'rtmp://a.example/live/key']
  for (const [index, url] of urls.entries())
    older.prepare('INSERT INTO input (id, name, protocol, url) VALUES (?, ?, 1, ?)').run(index + 1, url, url)
  for (const [index, url] of ['rtmps://a.example/live', 'rtmp://a.example/live'].entries())
    older
      .prepare('INSERT INTO output (id, name, protocol, config) VALUES (?, ?, 1, ?)')
      .run(index + 4, url, JSON.stringify({ url, key: 'k' }))
  older.close()
  const database = openDatabase(file)
  const store = sources(database)
  const accepted = { 'certificate-check': 'accept-any' }
  assert.deepEqual(store.inputs().map(inputSettings), [
    { url: urls[0], ...accepted },
    { url: urls[1], ...accepted },
    { url: urls[2] }
  ])
  assert.deepEqual(
    store.outputs().map(({ config }) => config),
    [
      { url: 'rtmps://a.example/live', key: 'k', ...accepted },
      { url: 'rtmp://a.example/live', key: 'k' }
    ]
  )
  database.close()
})

test('opening the newest version makes no copy', () => {
  openDatabase(join(data, DATABASE_FILE)).close()
  openDatabase(join(data, DATABASE_FILE)).close()
  assert.deepEqual(readdirSync(data), [DATABASE_FILE])
})

test('the last copies before migrations are kept, and daily copies are not counted with them', async () => {
  mkdirSync(join(data, 'copies'))
  const old = Array.from(
    { length: COPIES_KEPT.migration },
    (_, index) => `2020010${index + 1}T000000Z-migration-v1.sqlite`
  )
  const daily = '20200101T000000Z-daily-v1.sqlite'
  for (const name of [...old, daily, 'kept-by-hand.sqlite']) writeFileSync(join(data, 'copies', name), '')
  await createOlderDatabase(data, 3)
  openDatabase(join(data, DATABASE_FILE)).close()
  const names = readdirSync(join(data, 'copies'))
  assert.equal(listCopies(data, 'migration').length, COPIES_KEPT.migration)
  assert.ok(!names.includes(old[0] as string), 'the oldest is gone')
  assert.ok(names.includes(old[1] as string) && names.includes(daily) && names.includes('kept-by-hand.sqlite'))
})

test('without a copy there is no migration', async () => {
  await createOlderDatabase(data, 3)
  writeFileSync(join(data, 'copies'), 'a file instead of the folder')
  assert.throws(() => openDatabase(join(data, DATABASE_FILE)), /cannot be copied before its migration to version/)
  assert.equal(inspectDatabase(join(data, DATABASE_FILE)), 3)
})

test.run()
