// Start, end and restart of a hub.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { getSession } from '../../contract/access/session.ts'
import { acceptDevices, queryDevice, rejectDevices } from '../../contract/device/device.ts'
import { listLog } from '../../contract/log.ts'
import { setSettings } from '../../contract/settings.ts'
import { addChannel, channelDashboard, enableChannel } from '../../contract/stream/channel.ts'
import { EXIT_CONFIG, EXIT_DATA_REFUSED } from '../../hub/data-folder/exit-status.ts'
import { startHub } from '../kit/hub/hub.ts'
import { registerDevices } from '../kit/hub/register-devices.ts'
import { until } from '../kit/until.ts'

const test = suite('hub')
let data: string
let children: ChildProcess[] = []
let servers: Server[] = []
test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'headend-hub-'))
})
test.after.each(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  for (const server of servers) server.close()
  children = []
  servers = []
  rmSync(data, { recursive: true, maxRetries: 5 })
})

/** Starts a program and collects its output. */
function start(program: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const path = join(import.meta.dirname, '../..', program)
  const child = spawn(process.execPath, [path, ...args], { env: { ...process.env, ...env }, stdio: 'pipe' })
  children.push(child)
  const output = { out: '', error: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.error += chunk
  })
  return { child, output, ended: once(child, 'close') as Promise<[number | null, string | null]> }
}

const main = (env: NodeJS.ProcessEnv) =>
  start('hub/main.ts', [], { HOST: '127.0.0.1', PORT: '0', LINK_PORT: '0', DATA: data, ...env })

async function openPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}

test('a closed hub does not keep its process alive, and prints no errors', async () => {
  const { output, ended } = start('test/hub/close-busy-hub.ts', [data])
  const [code, signal] = await ended
  assert.deepEqual([code, signal, output.error], [0, null, ''])
  const { closedIn, feed } = JSON.parse(output.out)
  assert.ok(closedIn < 5000, `${closedIn} ms`)
  assert.equal(feed, 1006)
})

test('SIGTERM and SIGINT end the hub with exit code 0 and a line in the log', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { child, output, ended } = main({})
    await until(() => output.out.includes('Hub: http://127.0.0.1:'), 'it listens')
    child.kill(signal)
    assert.deepEqual([await ended, output.error], [[0, null], ''])
  }
  const hub = await startHub({ data })
  const { list } = await (await hub.signIn()).send(listLog, { type: 'system' })
  assert.deepEqual(
    list.map(({ event }) => event).filter((event) => /^hub-/.test(event)),
    ['hub-started', 'hub-stopped', 'hub-started', 'hub-stopped', 'hub-started']
  )
  await hub.close()
})

test('a port in use is reported in one line, and the hub exits', async () => {
  const port = String(await openPort())
  for (const env of [{ PORT: port }, { LINK_PORT: port }]) {
    const { output, ended } = main(env)
    assert.equal((await ended)[0], EXIT_CONFIG)
    assert.equal(output.error, `Port ${port} is in use: choose another with PORT or LINK_PORT.\n`)
    assert.equal(output.out, '')
  }
})

test('a port for files that another program has does not stop the hub', async () => {
  const port = await openPort()
  const { child, output, ended } = main({ FILES_PORT: String(port) })
  await until(() => output.out.includes('Hub: '), 'the hub has started')
  const report = new RegExp(`port-taken ${port}.*The port for files could not be opened`)
  await until(() => report.test(output.error), 'the port is reported')
  child.kill()
  assert.deepEqual(await ended, [0, null])
})

test('the database of a newer hub is reported without a stack trace, and the hub exits', async () => {
  const hub = await startHub({ data })
  await hub.close()
  const database = new DatabaseSync(join(data, 'headend.sqlite'))
  database.exec('PRAGMA user_version=99')
  database.close()
  const { output, ended } = main({})
  assert.equal((await ended)[0], EXIT_DATA_REFUSED)
  assert.match(
    output.error,
    /^The hub cannot start on \S+: the database \S+ was written by a newer hub: its version is 99, .*; nothing was changed\.\n/
  )
  assert.ok(!output.error.includes('    at '), output.error)
})

test('sessions, settings, channels, registration states and offline times survive a restart', async () => {
  const first = await startHub({ data })
  const admin = await first.signIn()
  const [a = '', b = '', c = ''] = registerDevices(first, 3)
  await admin.send(acceptDevices, { sn: [a, b] })
  await admin.send(rejectDevices, { sn: [c] })
  first.parts.registry.setOnline(a)
  first.parts.registry.setOnline(b)
  first.parts.registry.setOffline(b, 'test')
  const { dev: offline } = await admin.send(queryDevice, { sn: b })
  assert.ok(offline['offline-date'])
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(enableChannel, { id, enable: true })
  await admin.send(setSettings, { 'expired-time': 77 })
  await first.close()

  const restarted = Date.now()
  const second = await startHub({ data })
  const client = second.client()
  client.cookie = admin.cookie
  assert.equal((await client.send(getSession, {})).user.name, 'Admin')
  assert.equal(second.parts.store.settings.get('expired-time'), 77)
  const [channel] = (await client.send(channelDashboard, {})).list
  assert.deepEqual([channel?.id, channel?.config.enable], [id, true])
  assert.equal((await client.send(queryDevice, { sn: b })).dev['offline-date'], offline['offline-date'])
  const online = (await client.send(queryDevice, { sn: a })).dev
  assert.equal(online['online-date'], 0)
  assert.ok((online['offline-date'] ?? 0) >= restarted, 'offline since the restart')
  assert.equal((await client.send(queryDevice, { sn: c })).dev['reg-state'], 102)
  await second.close()
})

test('a hub that never listened, or failed to listen, closes as well', async () => {
  await (await startHub({ data })).close()
  const hub = await startHub({ data })
  await assert.rejects(hub.listen(await openPort(), 0), { code: 'EADDRINUSE' })
  await hub.close()
})

test.run()
