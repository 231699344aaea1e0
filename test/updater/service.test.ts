// The update service as a process of its own, and what the launcher starts afterwards.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { suite } from 'uvu'
import { exportPublicKey } from '../../firmware-pack/keys.ts'
import { createUpdaterClient, UpdaterError } from '../../hub/upgrade/updater-client.ts'
import { generateSigningKey } from '../kit/hub/console-update.ts'
import { createSmallUpdate } from '../kit/hub/small-release.ts'
import { until } from '../kit/until.ts'

const test = suite('update service')

const LAUNCHER = resolve(import.meta.dirname, '../../deploy/debian/launch')
const { signer, publicKey } = generateSigningKey()
let folder: string
let downloaded: string
let socket: string
let service: ChildProcess | undefined

const environment = () => ({
  ...process.env,
  HEADEND_UPDATER_SOCKET: socket,
  HEADEND_RELEASES: downloaded,
  HEADEND_PACKAGED: join(folder, 'packaged'),
  TRUSTED_KEYS: join(folder, 'keys.pem')
})

/** @param variables of its environment */
async function start(variables: NodeJS.ProcessEnv = {}): Promise<void> {
  service = spawn(process.execPath, ['updater/main.ts'], { env: { ...environment(), ...variables }, stdio: 'ignore' })
  await until(() => existsSync(socket), 'the service listens')
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  service?.kill(signal)
  if (service && service.exitCode === null && service.signalCode === null) await once(service, 'exit')
  rmSync(socket, { force: true })
}

function addPackage(version: string): void {
  const release = join(folder, 'packaged', version)
  mkdirSync(join(release, 'bin'), { recursive: true })
  writeFileSync(join(release, 'bin/node'), `#!/bin/sh\necho "$1 of ${version}"\n`, { mode: 0o755 })
}

test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headend-updater-'))
  downloaded = join(folder, 'downloaded')
  socket = join(folder, 'socket')
  writeFileSync(join(folder, 'keys.pem'), exportPublicKey(publicKey))
  addPackage('1.0.0')
  await start()
})
test.after.each(async () => {
  await stop('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

const client = () => createUpdaterClient(socket)
const launch = (program: string) => String(execFileSync('sh', [LAUNCHER, program], { env: environment() })).trim()

function install(update: Buffer) {
  return client().install(Readable.from([update]), update.length, AbortSignal.timeout(60_000))
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error) => (error instanceof UpdaterError ? error.code : `${error}`)
  )

test('a release is on trial until it is activated; then the launcher starts it', async () => {
  const { version, mark } = await install(createSmallUpdate({ version: '1.1.0', signer }))
  assert.deepEqual([version, mark], ['1.1.0', { kind: 'trial' }])
  assert.equal(launch('hub/main.ts'), 'hub/main.ts of 1.0.0')
  await client().activate('1.1.0', { keep: [] })
  assert.equal(launch('hub/main.ts'), 'hub/main.ts of 1.1.0')
  assert.deepEqual(readdirSync(downloaded), ['1.1.0'])
  // Hub and engine run as other users.
  assert.equal(statSync(join(downloaded, '1.1.0')).mode & 0o777, 0o755)
})

test('with another engine protocol, the launcher takes the engine alone from the release on trial', async () => {
  await install(createSmallUpdate({ version: '1.1.0', signer }))
  await client().markTrial('1.1.0', { engine: true })
  assert.deepEqual(
    [launch('engine/main.ts'), launch('hub/main.ts')],
    ['engine/main.ts of 1.1.0', 'hub/main.ts of 1.0.0']
  )
  await client().reject('1.1.0', { reason: 'test' })
  assert.equal(launch('engine/main.ts'), 'engine/main.ts of 1.0.0')
  assert.deepEqual(readdirSync(downloaded), [])
})

test('a lower version that is activated replaces the higher ones, until a package is newer', async () => {
  await install(createSmallUpdate({ version: '0.9.0', signer }))
  const { releases } = await client().activate('0.9.0', { keep: [] })
  assert.equal(launch('hub/main.ts'), 'hub/main.ts of 0.9.0')
  assert.deepEqual(releases.find(({ version }) => version === '1.0.0')?.mark, {
    kind: 'bad',
    reason: '0.9.0 replaces it'
  })
  addPackage('1.0.1')
  assert.equal(launch('hub/main.ts'), 'hub/main.ts of 1.0.1')
})

test('releases over the air are removed when a later one is activated, except those that are in use', async () => {
  for (const version of ['1.1.0', '1.2.0', '1.3.0']) {
    await install(createSmallUpdate({ version, signer }))
    await client().activate(version, { keep: version === '1.3.0' ? ['1.2.0'] : ['1.1.0'] })
  }
  assert.deepEqual(readdirSync(downloaded), ['1.2.0', '1.3.0'])
})

test('an update that is not accepted leaves nothing', async () => {
  const foreign = createSmallUpdate({ version: '1.1.0', signer: generateSigningKey().signer })
  const update = createSmallUpdate({ version: '1.1.0', signer })
  const changed = Buffer.from(update)
  const inImage = update.indexOf('hsqs') + 100
  changed.writeUInt8(changed.readUInt8(inImage) ^ 1, inImage)
  assert.equal(await codeOf(install(foreign)), 'wrong-key')
  assert.equal(await codeOf(install(changed)), 'tampered')
  assert.equal(await codeOf(install(update.subarray(0, inImage))), 'cut-short')
  assert.equal(await codeOf(install(createSmallUpdate({ version: '1.0.0', signer }))), 'exists')
  assert.deepEqual(readdirSync(downloaded), [])
  assert.equal(await codeOf(install(update)), 'accepted')
})

test('a release that the service does not have, and a malformed request, are refused', async () => {
  assert.equal(await codeOf(client().activate('9.0.0', { keep: [] })), 'unknown')
  assert.equal(await codeOf(client().activate('..', { keep: [] })), 'unknown')
  assert.equal(await codeOf(client().activate('1.0.0', { keep: ['../../etc'] })), 'failed')
  assert.equal(await codeOf(client().reject('1.0.0', { reason: 'x'.repeat(20_000) })), 'failed')
  assert.equal(launch('hub/main.ts'), 'hub/main.ts of 1.0.0')
})

test('only one update is installed at a time', async () => {
  const update = createSmallUpdate({ version: '1.1.0', signer })
  const headers = { 'content-length': update.length }
  const slow = request({ socketPath: socket, path: '/releases', method: 'POST', headers })
  slow.on('error', () => {})
  slow.write(update.subarray(0, 3000))
  await until(async () => (await codeOf(install(update))) === 'busy', 'the slow update is being received')
  slow.destroy()
  await until(async () => (await codeOf(install(update))) === 'accepted', 'the slow update has ended')
})

test('an installation whose connection is closed while it is unpacked ends, and leaves nothing', async () => {
  await stop('SIGTERM')
  const started = join(folder, 'unsquashfs-started')
  mkdirSync(join(folder, 'bin'))
  const program = `#!/bin/sh\ntouch '${started}'\nexec tail -f /dev/null\n`
  writeFileSync(join(folder, 'bin/unsquashfs'), program, { mode: 0o755 })
  await start({ PATH: `${join(folder, 'bin')}:${process.env.PATH}` })
  const update = createSmallUpdate({ version: '1.1.0', signer })
  const abort = new AbortController()
  const installing = codeOf(client().install(Readable.from([update]), update.length, abort.signal))
  await until(() => existsSync(started), 'the update is unpacked')
  abort.abort()
  assert.equal(await installing, 'away')
  await until(() => readdirSync(downloaded).length === 0, 'nothing is left')
})

test('a service that was killed during an installation removes what is left', async () => {
  const update = createSmallUpdate({ version: '1.1.0', signer })
  const slow = request({
    socketPath: socket,
    path: '/releases',
    method: 'POST',
    headers: { 'content-length': update.length }
  })
  slow.on('error', () => {})
  slow.write(update.subarray(0, update.indexOf('hsqs') + 100))
  await until(() => existsSync(join(downloaded, '.incoming')), 'the image is written')
  await stop('SIGKILL')
  await start()
  assert.deepEqual(readdirSync(downloaded), [])
  assert.equal((await client().list()).releases.length, 1)
})

test('only the group of the hub may use the socket', () => {
  assert.equal(statSync(socket).mode & 0o777, 0o660)
})

test.run()
