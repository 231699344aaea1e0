// Backup and restore by their commands, with a running hub.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { EXIT_DATA_REFUSED } from '../../../hub/data-folder/exit-status.ts'
import { archive, backupFolderForEach, channelNames, data, folder, run, startOn } from '../../kit/hub/backup-folder.ts'
import { hashTree } from '../../kit/hub/file-tree.ts'
import { createOlderDatabase } from '../../kit/hub/older-database.ts'
import { until } from '../../kit/until.ts'

const test = suite('backup')
backupFolderForEach(test)

test('a backup of a hub that writes has every write acknowledged before it, and its restore is a working hub', async () => {
  const hub = await startOn(data)
  mkdirSync(join(data, 'firmware'), { recursive: true })
  writeFileSync(join(data, 'firmware/a'.padEnd(20, 'b')), Buffer.alloc(300_000, 7))
  mkdirSync(join(data, 'added-later/deep'), { recursive: true })
  writeFileSync(join(data, 'added-later/deep/file'), 'of a later version')
  writeFileSync(join(data, 'empty'), '')
  symlinkSync('/etc/hostname', join(data, 'link'))
  for (const name of ['engine', 'fleet', 'copies', 'replaced-20200101T000000Z', 'console/staging']) {
    mkdirSync(join(data, name), { recursive: true })
    writeFileSync(join(data, name, 'x'), 'not in a backup')
  }
  const acknowledged: string[] = []
  let isWriting = true
  const writing = (async () => {
    for (let n = 0; isWriting; n++) {
      const name = `channel ${n}`
      if ((await hub.send(addChannel, { name })).result === SUCCESS) acknowledged.push(name)
    }
  })()
  await until(() => acknowledged.length >= 20, 'twenty writes')
  const before = [...acknowledged]
  const child = spawn(process.execPath, ['hub/backup-data.ts', archive], {
    env: { ...process.env, DATA: data },
    stdio: 'inherit'
  })
  assert.deepEqual(await once(child, 'exit'), [0, null])
  isWriting = false
  await writing
  assert.ok(acknowledged.length > before.length, 'the hub wrote during the backup')
  assert.equal(statSync(archive).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(folder).sort(), ['backup.tar', 'data'], 'nothing temporary is left')
  const listed = spawnSync('tar', ['tf', archive], { encoding: 'utf8' }).stdout.trim().split('\n')
  assert.deepEqual(listed, [
    'headend.sqlite',
    'added-later/deep/file',
    'device.key',
    'empty',
    'export-key.pem',
    'firmware/abbbbbbbbbb',
    'manifest.json'
  ])

  const target = join(folder, 'restored')
  assert.equal(run('restore', archive, target).status, 0)
  for (const path of listed.slice(1, -1))
    assert.deepEqual(readFileSync(join(target, path)), readFileSync(join(data, path)), path)
  const restored = await startOn(target)
  const names = await channelNames(restored)
  for (const name of before) assert.ok(names.includes(name), name)
  const log = await restored.send(listLog, { type: 'operation', count: 10_000 })
  const logged = log.list.filter(({ event }) => event === '/channel/add').map(({ detail }) => detail)
  assert.deepEqual(logged.sort(), names.sort(), 'each channel has its line in the log')
})

test('the backup of an older hub is restored and migrated at the start', async () => {
  await createOlderDatabase(data, 5)
  assert.equal(run('backup', archive).status, 0)
  const target = join(folder, 'restored')
  assert.equal(run('restore', archive, target).status, 0)
  assert.deepEqual(await channelNames(await startOn(target)), ['News'])
})

test('a damaged database is not backed up, an existing backup stays, and a backup into the data folder is refused', async () => {
  await createOlderDatabase(data, 5)
  assert.equal(run('backup', archive).status, 0)
  const before = hashTree(folder)
  const inside = run('backup', join(data, 'backup.tar'))
  assert.deepEqual([inside.status, /is in the data folder/.test(inside.text)], [EXIT_DATA_REFUSED, true])
  writeFileSync(join(data, 'headend.sqlite'), '')
  const refused = run('backup', archive)
  assert.deepEqual([refused.status, /is empty/.test(refused.text)], [EXIT_DATA_REFUSED, true], refused.text)
  assert.equal(hashTree(folder)['backup.tar'], before['backup.tar'])
  assert.deepEqual(readdirSync(folder).sort(), ['backup.tar', 'data'])
  const start = spawnSync(process.execPath, ['hub/main.ts'], { env: { ...process.env, DATA: data }, encoding: 'utf8' })
  assert.ok(start.stderr.includes(`Last good copy: ${archive}\n`), start.stderr)
})

test('without a file name both commands say what is missing', () => {
  assert.match(run('backup', '').text, /make backup TO=file/)
  assert.match(run('restore', '').text, /make restore FROM=file/)
  assert.match(run('restore', '/nonexistent').text, /does not exist. Nothing was changed/)
  const database = new DatabaseSync(join(data, 'x'))
  database.close()
})

test.run()
