// Backups by schedule: in the data folder, and uploaded over SFTP and to S3.
import assert from 'node:assert/strict'
import dns from 'node:dns/promises'
import { once } from 'node:events'
import { utimesSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { CHANNEL_VIEW, SYSTEM_CONFIG_VIEW } from '../../../contract/access/permissions.ts'
import {
  type BackupSettings,
  deleteBackup,
  listBackups,
  restoreBackup,
  runBackup,
  setBackups
} from '../../../contract/backup/backup.ts'
import { compareImport } from '../../../contract/backup/export.ts'
import { INVALID_ARG, NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import { addDownloadTicket } from '../../../contract/file/download.ts'
import { listLog } from '../../../contract/log.ts'
import { listProblems, type Problem } from '../../../contract/problem.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { systemStatus } from '../../../contract/system.ts'
import { readArchive } from '../../../hub/export/archive.ts'
import { ForbiddenServerError } from '../../../hub/machine/server-address.ts'
import { BackupService, lastTimeOf } from '../../../hub/scheduled-backups/backup-service.ts'
import { uploadToS3 } from '../../../hub/scheduled-backups/s3.ts'
import { uploadOverSftp } from '../../../hub/scheduled-backups/sftp.ts'
import { openStore } from '../../../hub/store/store.ts'
import { startS3Server } from '../../kit/hub/backup/s3-server.ts'
import { startSftpServer } from '../../kit/hub/backup/sftp-server.ts'
import { addSignedInUser } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { until } from '../../kit/until.ts'

const test = suite('backups')
hubForEach(test)

const systemNow = Date.now
const PASSWORD = 'zSecretHush'
const PASSPHRASE = 'zSecretHush passphrase'
const OFF: BackupSettings = { enable: false, time: '03:00', keep: 2, target: { kind: 'folder' } }

async function makeBackup() {
  assert.equal((await admin.send(runBackup, {})).result, SUCCESS)
  await hub.parts.backups.whenIdle()
  const { last } = await admin.send(listBackups, {})
  return last
}

test('a backup is made, listed, downloaded, opened for an import and deleted', async () => {
  await admin.send(setBackups, OFF)
  const last = await makeBackup()
  assert.equal(last?.fault, undefined)
  const { list } = await admin.send(listBackups, {})
  const name = last?.name as string
  assert.deepEqual(
    list.map((each) => each.name),
    [name]
  )
  const { url } = await admin.send(addDownloadTicket, { kind: 'backup', name })
  const bytes = Buffer.from(await (await admin.raw('GET', url)).arrayBuffer())
  assert.equal((await readArchive(bytes)).sealed, undefined)
  await admin.send(addChannel, { name: 'Later' })
  const { id, signer } = await admin.send(restoreBackup, { name })
  assert.equal(signer, 'own')
  const { parts } = await admin.send(compareImport, { id })
  assert.deepEqual(parts[0]?.items, [{ kind: 'channel', name: 'Later', change: 'removed', text: 'Channel Later' }])
  assert.equal((await admin.send(deleteBackup, { name })).result, SUCCESS)
  assert.equal((await admin.send(restoreBackup, { name })).result, NOT_EXIST)
  assert.equal((await admin.send(addDownloadTicket, { kind: 'backup', name })).result, NOT_EXIST)
})

test('a backup is uploaded to the SFTP server, whose host key is trusted from then on', async () => {
  const server = await startSftpServer('backup', PASSWORD)
  const target = { kind: 'sftp' as const, host: '127.0.0.1', port: server.port, user: 'backup', path: 'daily' }
  await admin.send(setBackups, { ...OFF, keep: 1, target, password: PASSWORD, passphrase: PASSPHRASE })
  const first = await makeBackup()
  assert.equal(first?.fault, undefined)
  const stored = server.files.get(`daily/${first?.name}`) as Buffer
  assert.ok((await readArchive(stored)).sealed)
  const { 'host-key': hostKey, 'has-password': hasPassword, ...list } = await admin.send(listBackups, {})
  assert.match(hostKey ?? '', /^[\w+/]{43}$/)
  assert.ok(hasPassword)
  assert.doesNotMatch(JSON.stringify(list), /zSecretHush/)
  const second = await makeBackup()
  assert.deepEqual([...server.files.keys()], [`daily/${second?.name}`])
  server.close()
  // Another machine at the same address.
  const other = await startSftpServer('backup', PASSWORD, server.port)
  assert.equal((await makeBackup())?.fault, 'host-key')
  assert.equal(other.files.size, 0)
  await admin.send(setBackups, { ...OFF, target, 'forget-host-key': true })
  assert.equal((await makeBackup())?.fault, undefined)
  other.close()
  assert.equal((await makeBackup())?.fault, 'unreachable')
})

test('a wrong password of the SFTP server is a fault with its reason, and the backup is on the hub', async () => {
  const server = await startSftpServer('backup', PASSWORD)
  const target = { kind: 'sftp' as const, host: '127.0.0.1', port: server.port, user: 'backup' }
  await admin.send(setBackups, { ...OFF, target, password: 'wrong' })
  const last = await makeBackup()
  assert.deepEqual(
    [last?.fault, last?.reason],
    ['login', 'The server refuses the login. Check user and password. The backup is on the hub.']
  )
  assert.equal((await admin.send(listBackups, {})).list.length, 1)
  const { list } = await admin.send(listLog, { type: 'system' })
  const entry = list.find(({ event }) => event === 'backup-failed')
  assert.equal(entry?.text, `Backup failed: ${last?.name} (${last?.reason})`)
  server.close()
})

test('while backups are scheduled, one that failed is a problem of the hub until one succeeds', async () => {
  const server = await startSftpServer('backup', PASSWORD)
  const target = { kind: 'sftp' as const, host: '127.0.0.1', port: server.port, user: 'backup' }
  const settings = { ...OFF, enable: true, target }
  const problems = async (client = admin) => (await client.send(listProblems, {})).list
  await admin.send(setBackups, { ...settings, password: 'wrong' })
  assert.deepEqual(await problems(), [])
  await makeBackup()
  const [problem, ...others] = await problems()
  assert.deepEqual(others, [])
  const { since, ...rest } = problem as Problem
  assert.ok(Math.abs(since - Date.now()) < 10_000)
  assert.deepEqual(rest, {
    id: 'backup',
    kind: 'backup',
    severity: 'warn',
    reason: 'backup-failed',
    'next-step': 'check-backup',
    message: 'The server refuses the login. Check user and password. The backup is on the hub.'
  })
  const { health, problem: counts } = (await admin.send(systemStatus, {})).status.system
  assert.deepEqual([health?.verdict, health?.reason, counts?.['num-warn']], ['warning', 'backup-failed', 1])
  assert.equal((await problems(addSignedInUser(hub, 'viewer', SYSTEM_CONFIG_VIEW))).length, 1)
  assert.deepEqual(await problems(addSignedInUser(hub, 'operator', CHANNEL_VIEW)), [])
  await admin.send(setBackups, { ...settings, enable: false })
  assert.deepEqual(await problems(), [])
  await admin.send(setBackups, { ...settings, password: PASSWORD })
  assert.equal((await problems()).length, 1)
  await makeBackup()
  assert.deepEqual(await problems(), [])
  server.close()
})

test('a backup is uploaded to S3 with a valid signature, and outdated ones are removed', async () => {
  const server = await startS3Server(PASSWORD)
  const target = { kind: 's3' as const, endpoint: server.url, bucket: 'backups', path: 'hub', 'access-key': 'AKIA' }
  await admin.send(setBackups, { ...OFF, keep: 1, target, password: PASSWORD })
  await makeBackup()
  const last = await makeBackup()
  assert.deepEqual([last?.fault, ...server.files.keys()], [undefined, `/backups/hub/${last?.name}`])
  await admin.send(setBackups, { ...OFF, keep: 1, target, password: 'wrong' })
  assert.equal((await makeBackup())?.fault, 'login')
  server.close()
})

test('the password is not sent to another server, and no answer contains it', async () => {
  const target = { kind: 'sftp' as const, host: '127.0.0.1', port: 2222, user: 'backup' }
  await admin.send(setBackups, { ...OFF, target, password: PASSWORD, passphrase: PASSPHRASE })
  for (const change of [{ host: '192.0.2.1' }, { port: 23 }, { user: 'root' }]) {
    const { result, field } = await admin.send(setBackups, { ...OFF, target: { ...target, ...change } })
    assert.deepEqual([result, field], [INVALID_ARG, 'password'])
  }
  const viewer = addSignedInUser(hub, 'viewer', SYSTEM_CONFIG_VIEW)
  assert.doesNotMatch(JSON.stringify(await viewer.send(listBackups, {})), /zSecretHush/)
  const stored = hub.parts.store.database.all('SELECT * FROM setting UNION SELECT id, detail FROM operation_log')
  assert.doesNotMatch(JSON.stringify(stored), /zSecretHush/)
})

const HOUR = 3600_000
const DAY = 24 * HOUR
/**
 * Milliseconds by which a step is measured too long. The time before it is taken to be up to a second later
 * (clock-watch.ts).
 */
const STEP_ERROR = 10

/** A schedule at 03:00 that was set at 02:00, with a clock that the test sets. */
function startSchedule() {
  const { store, backups } = hub.parts
  let now = new Date(2026, 10, 23, 2, 0).getTime()
  const options = { store, transfer: backups.transfer, data: undefined, now: () => now }
  let service = new BackupService(options)
  store.database.transaction(() => service.set({ ...OFF, enable: true }, {}))
  const count = async () => {
    service.check()
    await service.whenIdle()
    return service.list().list.length
  }
  return {
    /** @returns the number of backups at that time */
    countAt(time: number) {
      now = time
      return count()
    },
    /** The same after the clock was set. */
    countAfterStep(step: number) {
      service.clockStepped(step + STEP_ERROR, now + 1000)
      now += step
      return count()
    },
    restart() {
      service.close()
      service = new BackupService(options)
    },
    last: () => store.settings.get('backup-result')?.time,
    close: () => service.close()
  }
}

test('a backup is made once a day at its time, also when the hub was stopped at that time', async () => {
  const { countAt, last, close } = startSchedule()
  assert.equal(await countAt(new Date(2026, 10, 23, 2, 59).getTime()), 0)
  const due = new Date(2026, 10, 23, 3, 0, 10).getTime()
  assert.deepEqual([await countAt(due), last()], [1, due])
  assert.equal(await countAt(due + HOUR), 1)
  const late = new Date(2026, 10, 25, 8, 0).getTime()
  assert.deepEqual([await countAt(late), last()], [2, late])
  assert.equal(await countAt(new Date(2026, 10, 26, 2, 59).getTime()), 2)
  const next = new Date(2026, 10, 26, 3, 0, 10).getTime()
  await countAt(next)
  assert.equal(last(), next)
  close()
  assert.equal(lastTimeOf('03:00', new Date(2026, 10, 23, 3, 0).getTime()), new Date(2026, 10, 23, 3, 0).getTime())
})

test('a clock that is set makes no backup due, in no direction, and the next one is made a day after the last', async () => {
  const { countAt, countAfterStep, restart, last, close } = startSchedule()
  const due = new Date(2026, 10, 23, 3, 0, 10).getTime()
  await countAt(due)
  for (const step of [DAY, DAY, DAY, -40 * DAY, 60 * DAY]) await countAfterStep(step)
  // Shortly before the time of day, which then passes.
  await countAfterStep(new Date(2026, 11, 20, 2, 59, 59).getTime() - (due + 23 * DAY))
  await countAt(new Date(2026, 11, 20, 3, 0, 1).getTime())
  assert.equal(last(), due)
  restart()
  await countAt(new Date(2026, 11, 20, 20, 0).getTime())
  assert.equal(last(), due)
  const next = new Date(2026, 11, 21, 3, 0, 5).getTime()
  await countAt(next)
  assert.equal(last(), next)
  close()
})

test('a clock that was set back while the hub was stopped does not end the schedule', async () => {
  const { countAt, last, close } = startSchedule()
  await countAt(new Date(2026, 10, 23, 3, 0, 10).getTime())
  const past = new Date(1970, 5, 1, 12, 0).getTime()
  await countAt(past)
  assert.equal(last(), past)
  await countAt(past + HOUR)
  assert.equal(last(), past)
  const next = new Date(1970, 5, 2, 6, 0, 10).getTime()
  await countAt(next)
  assert.equal(last(), next)
  close()
})

test('the hub tells the schedule that its clock was set', async () => {
  const { backups, now } = hub.parts
  const soon = new Date(Date.now() + 12 * HOUR)
  const time = `${String(soon.getHours()).padStart(2, '0')}:00`
  await admin.send(setBackups, { ...OFF, enable: true, time })
  try {
    for (let step = DAY; step <= 3 * DAY; step += DAY) {
      Date.now = () => systemNow() + step
      backups.check()
      await backups.whenIdle()
    }
    assert.ok(now() > systemNow() + 2 * DAY)
    assert.deepEqual((await admin.send(listBackups, {})).list, [])
  } finally {
    Date.now = systemNow
  }
})

test('the backup that was made last is the newest and stays, also if others are from the future', async () => {
  await admin.send(setBackups, OFF)
  try {
    Date.now = () => systemNow() + 30 * DAY
    for (let count = 0; count < OFF.keep; count++) {
      const last = await makeBackup()
      const future = new Date(Date.now())
      utimesSync(hub.parts.backups.folder.pathOf(String(last?.name)), future, future)
    }
  } finally {
    Date.now = systemNow
  }
  const last = await makeBackup()
  const { list } = await admin.send(listBackups, {})
  assert.deepEqual([list[0]?.name, list.length], [last?.name, OFF.keep])
})

test('a backup that is being made when the hub is closed ends without storing anything', async () => {
  const file = { name: 'headend-hub.tar', bytes: Buffer.from('export') }
  const requests: ServerResponse[] = []
  const server = createServer((_, response) => void requests.push(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = { kind: 's3' as const, endpoint, bucket: 'backups', 'access-key': 'x' }
  for (const isUploading of [true, false]) {
    const store = openStore(':memory:')
    store.settings.set('backup', { ...store.settings.get('backup'), target })
    const exported = Promise.withResolvers<typeof file>()
    const transfer = { export: () => exported.promise } as never
    const service = new BackupService({ store, transfer, data: undefined, now: Date.now })
    service.run()
    if (isUploading) exported.resolve(file)
    if (isUploading) await until(() => requests.length > 0, 'the upload has begun')
    service.close()
    store.close()
    exported.resolve(file)
    server.closeAllConnections()
    await service.whenIdle()
    assert.deepEqual([service.folder.list(), requests.length], [[], 1])
  }
  server.close()
})

test('the metadata service of a cloud is refused as a target', async () => {
  const s3 = { kind: 's3' as const, bucket: 'latest', 'access-key': 'x' }
  const targets = [
    { ...s3, endpoint: 'http://169.254.169.254' },
    { ...s3, endpoint: 'http://0xa9fea9fe:80/' },
    { ...s3, endpoint: 'http://169.254.169.254.' },
    { ...s3, endpoint: 'http://169.254.10.1' },
    { kind: 'sftp' as const, host: '169.254.169.254', user: 'x' }
  ]
  for (const target of targets)
    assert.equal((await admin.send(setBackups, { ...OFF, target, password: PASSWORD })).result, INVALID_ARG)
  const target = { ...s3, endpoint: 'http://192.168.1.20:9000' }
  assert.equal((await admin.send(setBackups, { ...OFF, target, password: PASSWORD })).result, SUCCESS)
})

test('a name is looked up at each upload: the hub connects to that address, and to no metadata service', async () => {
  const [s3Server, sftpServer] = [await startS3Server(PASSWORD), await startSftpServer('backup', PASSWORD)]
  const s3 = { kind: 's3' as const, endpoint: s3Server.url.replace('127.0.0.1', 'store.example'), bucket: 'backups' }
  const sftp = { kind: 'sftp' as const, host: 'store.example', port: sftpServer.port, user: 'backup' }
  const { lookup } = dns
  let address = ''
  const names: string[] = []
  dns.lookup = (async (name: string) => {
    names.push(name)
    return [{ address, family: 4 }]
  }) as never
  syncBuiltinESMExports()
  try {
    for (const target of [{ ...s3, 'access-key': 'AKIA' }, sftp]) {
      await admin.send(setBackups, { ...OFF, target, password: PASSWORD })
      address = '127.0.0.1'
      assert.equal((await makeBackup())?.fault, undefined)
      address = '169.254.169.254'
      assert.equal((await makeBackup())?.fault, 'unreachable')
    }
    const request = {
      ...{ target: sftp, password: '', hostKey: undefined, name: '', bytes: Buffer.alloc(0), outdated: [] },
      pinHostKey() {}
    }
    for (const upload of [uploadToS3({ ...request, target: s3 }), uploadOverSftp(request)])
      await assert.rejects(upload, ({ cause }: Error) => cause instanceof ForbiddenServerError)
  } finally {
    dns.lookup = lookup
    syncBuiltinESMExports()
    s3Server.close()
    sftpServer.close()
  }
  assert.deepEqual([new Set(names), s3Server.files.size, sftpServer.files.size], [new Set(['store.example']), 1, 1])
})

test.run()
