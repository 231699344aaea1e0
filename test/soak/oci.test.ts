// The image for containers: built twice, read by skopeo and umoci, and run by runc. Each test continues where the one
// before it ended.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { missingForCleanRoot } from '../kit/deb/clean-root.ts'
import { OWN_ARCHITECTURE, OWN_VERSION, PROJECT } from '../kit/deb/package-build.ts'
import { findJumps } from '../kit/engine/frame-counter.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { startCountedChannel } from '../kit/hub/counted-channel.ts'
import { connectHub, waitForHub } from '../kit/hub/hub-process.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

/** User of the image. */
const USER = 10001
const NAME = `headend-test-${process.pid}`
const TAG = `headend:${OWN_VERSION}`
const IMAGE = `${PROJECT}/build/headend_${OWN_VERSION}_${OWN_ARCHITECTURE}.oci.tar`

function missing(): string | undefined {
  for (const path of ['/usr/bin/umoci', '/usr/bin/skopeo', '/usr/sbin/runc'])
    if (!existsSync(path)) return `${path} is missing. Install: make/install.sh clean-root`
  return missingForCleanRoot()
}

const test = suiteRequiring('image for containers', missing())
const folder = mkdtempSync(join(tmpdir(), 'headend-oci-'))
const bundle = join(folder, 'bundle')
let container: ChildProcess | undefined
let output = ''
let url = ''

const runtime = (...args: string[]) =>
  spawnSync('runc', ['--root', join(folder, 'runc'), ...args], { encoding: 'utf8', maxBuffer: 1 << 24 })

test.after(async () => {
  await cleanUpMedia()
  if (container?.exitCode === null) {
    runtime('kill', NAME, 'KILL')
    await once(container, 'exit')
  }
  rmSync(folder, { recursive: true })
})

/** Builds the image. @returns the hash of the file */
async function build(): Promise<string> {
  const env = { ...process.env, VERSION: '', ARCH: OWN_ARCHITECTURE, XZ_LEVEL: '0' }
  execFileSync('make', ['--silent', 'oci'], { cwd: PROJECT, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const hash = createHash('sha256')
  await pipeline(createReadStream(IMAGE), hash)
  return hash.digest('hex')
}

test('two builds have the same bytes', async () => {
  const first = await build()
  assert.equal(await build(), first)
})

test('skopeo reads it, and umoci unpacks what the Debian package has', () => {
  const text = execFileSync('skopeo', ['inspect', `oci-archive:${IMAGE}:${TAG}`], { encoding: 'utf8' })
  const { Architecture, Layers } = JSON.parse(text)
  assert.deepEqual([Architecture, Layers.length], [OWN_ARCHITECTURE, 2])
  const layout = join(folder, 'layout')
  mkdirSync(layout)
  execFileSync('tar', ['--extract', '--file', IMAGE, '-C', layout])
  execFileSync('umoci', ['unpack', '--image', `${layout}:${TAG}`, bundle])
  rmSync(layout, { recursive: true })
  const release = join(bundle, 'rootfs/usr/lib/headend/releases', OWN_VERSION)
  for (const path of ['bin/node', 'hub/main.ts', 'build/headend-srt', 'dist/index.html'])
    assert.ok(existsSync(join(release, path)), path)
  // Those of this machine.
  for (const path of ['etc/resolv.conf', 'etc/hostname']) assert.ok(!existsSync(join(bundle, 'rootfs', path)), path)
})

test('a container without root, without capabilities and with a read-only root carries a channel', async () => {
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, USER, USER)
  const [port, linkPort] = [await freeTcpPort(), await freeTcpPort()]
  url = `http://127.0.0.1:${port}`
  const file = join(bundle, 'config.json')
  const config = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual([config.process.user.uid, config.process.user.gid], [USER, USER])
  const settings = { PORT: port, LINK_PORT: linkPort, HTTPS_PORT: 'off', FILES_PORT: 0, SRT_PORT: 0, RTMP_PORT: 0 }
  config.process.env.push(...Object.entries(settings).map(([name, value]) => `${name}=${value}`))
  config.process.terminal = false
  config.process.capabilities = {}
  config.root.readonly = true
  // The network of this machine, so that the test reaches it.
  config.linux.namespaces = config.linux.namespaces.filter(({ type }: { type: string }) => type !== 'network')
  type Mount = { destination: string }
  const mounts: Mount[] = config.mounts.filter(({ destination }: Mount) => !destination.startsWith('/sys'))
  const volume = mounts.find(({ destination }) => destination === '/var/lib/headend')
  assert.ok(volume, 'the data folder is a volume')
  Object.assign(volume, { type: 'bind', source: data, options: ['rbind', 'rw'] })
  config.mounts = [...mounts, { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['mode=1777'] }]
  writeFileSync(file, JSON.stringify(config))

  const args = ['--root', join(folder, 'runc'), 'run', '--bundle', bundle, NAME]
  const child = spawn('runc', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  container = child
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await waitForHub(url)
  const admin = connectHub(url)
  await admin.signIn()
  const counter = await startCountedChannel(admin)
  await until(() => counter.recorder.bytes > 50_000, 'the output runs')
  const { continuityGaps, frames } = await counter.recorder.finish()
  assert.ok(frames.length > 10)
  assert.deepEqual([continuityGaps, findJumps(frames)], [0, []])
})

test('it prints the setup code, which others than this machine need to sign in with the default password', async () => {
  await until(() => /^Setup code: \S{4}-\S{4} /m.test(output), 'the setup code')
})

test('its health check passes while the hub answers', () => {
  const blob = execFileSync('skopeo', ['inspect', '--config', '--raw', `oci-archive:${IMAGE}:${TAG}`])
  const [kind, ...command] = JSON.parse(String(blob)).config.Healthcheck.Test
  assert.equal(kind, 'CMD')
  const check = runtime('exec', NAME, ...command)
  assert.equal(check.status, 0, check.stderr)
  assert.notEqual(runtime('exec', '--env', 'PORT=1', NAME, ...command).status, 0)
})

test('SIGTERM ends it in order', async () => {
  assert.ok(container)
  runtime('kill', NAME, 'TERM')
  const [status] = await once(container, 'exit')
  assert.equal(status, 0)
})

test.run()
