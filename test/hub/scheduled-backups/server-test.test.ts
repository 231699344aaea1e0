// Tests of the server for backups, and whose password goes to which server.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { type BackupSettings, listBackups, runBackup, setBackups, testBackup } from '../../../contract/backup/backup.ts'
import { INVALID_ARG, SUCCESS } from '../../../contract/codes.ts'
import { startS3Server } from '../../kit/hub/backup/s3-server.ts'
import { startSftpServer } from '../../kit/hub/backup/sftp-server.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'

const test = suite('servers for backups')
hubForEach(test)

const PASSWORD = 'zSecretHush'
const OFF: BackupSettings = { enable: false, time: '03:00', keep: 2, target: { kind: 'folder' } }

async function makeBackup() {
  assert.equal((await admin.send(runBackup, {})).result, SUCCESS)
  await hub.parts.backups.whenIdle()
  return (await admin.send(listBackups, {})).last
}

const testServer = async (request: { target: BackupSettings['target']; password?: string; 'host-key'?: string }) =>
  (await admin.send(testBackup, request)).outcome

test('the host key is stored before the password is sent, so that no second server gets it', async () => {
  const server = await startSftpServer('backup', PASSWORD)
  const target = { kind: 'sftp' as const, host: '127.0.0.1', port: server.port, user: 'backup' }
  await admin.send(setBackups, { ...OFF, target, password: 'wrong' })
  assert.equal((await makeBackup())?.fault, 'login')
  server.close()
  const other = await startSftpServer('backup', PASSWORD, server.port)
  assert.equal((await makeBackup())?.fault, 'host-key')
  assert.deepEqual([server.passwords, other.passwords], [['wrong'], []])
  other.close()
})

test('a test of the server shows its host key first, and signs in when that is trusted', async () => {
  const server = await startSftpServer('backup', PASSWORD)
  const target = { kind: 'sftp' as const, host: '127.0.0.1', port: server.port, user: 'backup', path: 'hub/daily' }
  const request = { target, password: PASSWORD }
  const { 'host-key': hostKey, 'is-trusted': isTrusted, fault } = await testServer(request)
  assert.match(hostKey ?? '', /^[\w+/]{43}$/)
  assert.deepEqual([isTrusted, fault, server.passwords], [false, undefined, []])
  const trusted = await testServer({ ...request, 'host-key': hostKey })
  assert.deepEqual([trusted['is-trusted'], trusted.fault], [true, undefined])
  assert.deepEqual([[...server.folders], [...server.files.keys()]], [['hub', 'hub/daily'], []])
  const refused = await testServer({ target, password: 'wrong', 'host-key': hostKey })
  assert.deepEqual([refused.fault, refused.reason], ['login', 'The server refuses the login. Check user and password.'])
  const { result, field } = await admin.send(testBackup, { target })
  assert.deepEqual([result, field], [INVALID_ARG, 'password'], 'no password is stored for this server')
  await admin.send(setBackups, { ...OFF, ...request, 'host-key': hostKey })
  assert.equal((await admin.send(listBackups, {}))['host-key'], hostKey)
  assert.equal((await testServer({ target })).fault, undefined)
  server.close()
  const other = await startSftpServer('backup', PASSWORD, server.port)
  const changed = await testServer({ target })
  assert.deepEqual([changed['is-trusted'], changed.fault, other.passwords], [false, 'host-key', []])
  other.close()
  assert.equal((await testServer({ target })).fault, 'unreachable')
})

test('a test of a service with the interface of S3 writes and removes an object', async () => {
  const server = await startS3Server(PASSWORD)
  const target = { kind: 's3' as const, endpoint: server.url, bucket: 'backups', path: 'hub', 'access-key': 'AKIA' }
  assert.deepEqual(await testServer({ target, password: PASSWORD }), {})
  assert.equal(server.files.size, 0)
  assert.equal((await testServer({ target, password: 'wrong' })).fault, 'login')
  server.close()
})

test.run()
