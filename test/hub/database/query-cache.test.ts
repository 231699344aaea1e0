import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { UDP } from '../../../contract/stream/protocols.ts'
import { openDatabase } from '../../../hub/database/database.ts'
import { createQueryCache } from '../../../hub/database/query-cache.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'

const test = suite('query cache')
let store: Store
test.before.each(() => {
  store = openStore(':memory:')
  store.users.addGroup(8, 'Crew', 1, 8)
  store.users.add(16, 'kim', 8, 'hash', false)
  store.users.addSession('abc', 16, '192.0.2.1', '', 1000)
})
test.after.each(() => store.close())

test('a row is read once, until a statement writes to its table', () => {
  const database = openDatabase(':memory:')
  let reads = 0
  const get = createQueryCache(database, ['setting'], (name: string) => {
    reads++
    return database.get<{ value: string }>('SELECT value FROM setting WHERE name = ?', name)
  })
  const set = (value: string) => database.run("INSERT OR REPLACE INTO setting (name, value) VALUES ('a', ?)", value)
  assert.equal(get('a'), undefined)
  assert.equal(get('a'), undefined)
  assert.equal(reads, 2, 'a missing row is not remembered')
  set('1')
  assert.deepEqual([get('a')?.value, get('a')?.value, reads], ['1', '1', 3])
  set('2')
  assert.deepEqual([get('a')?.value, reads], ['2', 4])
  database.run('DELETE FROM setting')
  assert.equal(get('a'), undefined)
  database.close()
})

test('rows of a table without row IDs are read again after a write', () => {
  const { problems, database } = store
  problems.add('disk', 1000)
  assert.deepEqual(problems.all().get('disk'), { since: 1000 })
  assert.equal(problems.all(), problems.all())
  problems.acknowledge('disk', 1000, { by: 'kim', at: 2000, note: '' })
  assert.equal(problems.all().get('disk')?.ack?.by, 'kim')
  database.run('DELETE FROM problem')
  assert.equal(problems.all().size, 0)
})

test('the usage of a licence follows each table that it is counted from', () => {
  const { channels, sources, database } = store
  const { licenseUsage } = store
  assert.equal(licenseUsage()['max-channel-count'], 0)
  database.run("INSERT INTO channel (id, name, enable, play_key, push_key) VALUES (1, 'A', 1, 'p', 'q')")
  assert.deepEqual(
    [licenseUsage()['max-channel-count'], licenseUsage()['max-live-count'], channels.all().length],
    [1, 1, 1]
  )
  const output = sources.addOutput('Out', UDP, {})
  assert.equal(licenseUsage()['max-output-count'], 0)
  database.run('INSERT INTO channel_output (output_id, channel_id, enable) VALUES (?, 1, 1)', output)
  assert.equal(licenseUsage()['max-output-count'], 1)
  assert.equal(sources.outputs()[0]?.channel_id, 1)
  assert.throws(() =>
    database.transaction(() => {
      database.run('DELETE FROM channel')
      assert.equal(licenseUsage()['max-channel-count'], 0)
      throw new Error('rolled back')
    })
  )
  assert.equal(licenseUsage()['max-channel-count'], 1)
})

test('a change of a session, its user or its group is seen at once, whatever statement makes it', () => {
  const { users, database } = store
  assert.deepEqual([users.session('abc')?.seen, users.byId(16)?.permission], [1000, 1])
  users.recordSessionUse('abc', 2000, '192.0.2.2')
  assert.equal(users.session('abc')?.seen, 2000)
  database.run('UPDATE session SET seen = seen + 1')
  assert.equal(users.session('abc')?.seen, 2001)
  users.updateGroup({ id: 8, name: 'Crew', description: '', permission: 3, require_second_factor: 0 })
  assert.equal(users.byId(16)?.permission, 3)
  users.remove(16)
  assert.equal(users.byId(16), undefined)
  assert.equal(users.session('abc'), undefined, 'the session went with the user')
})

test('what a rolled-back transaction wrote is forgotten, also when the row was read within it', () => {
  const { users, settings, database } = store
  for (const method of ['transaction', 'runBatched'] as const)
    assert.throws(() =>
      database[method](() => {
        users.endSession('abc')
        settings.set('rtmp', { port: 1936 })
        assert.equal(users.session('abc'), undefined)
        assert.equal(settings.get('rtmp').port, 1936)
        throw new Error('rolled back')
      })
    )
  assert.equal(users.session('abc')?.user_id, 16)
  assert.equal(settings.get('rtmp').port, 1935)
})

test('when a batch is lost, what it wrote is forgotten, also after one of its parts was rolled back', () => {
  const { settings, database } = store
  database.runBatched(() => settings.set('rtmp', { port: 1936 }))
  assert.equal(settings.get('rtmp').port, 1936)
  assert.throws(() =>
    database.runBatched(() => {
      throw new Error('rolled back')
    })
  )
  assert.equal(settings.get('rtmp').port, 1936)
  database.run("INSERT INTO setting (name, value) VALUES ('x', '1')")
  assert.equal(settings.get('rtmp').port, 1936)
})

test('callers cannot change a remembered row', () => {
  const { settings } = store
  assert.throws(() => {
    settings.get('streams')['forbid-private'] = true
  }, TypeError)
  assert.equal(settings.get('streams')['forbid-private'], false)
})

test.run()
