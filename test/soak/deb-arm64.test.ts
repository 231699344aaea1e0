// The Debian package that an x86-64 machine builds for arm64. Its programs run under the emulator qemu.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { debianSources } from '../../firmware-pack/appliance/debian-sources.ts'
import { missingForCleanRoot } from '../kit/deb/clean-root.ts'
import { buildPackage, lint, PROJECT, packageFile } from '../kit/deb/package-build.ts'
import { connectHub, waitForHub } from '../kit/hub/hub-process.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'

const QEMU = '/usr/bin/qemu-aarch64-static'
const SYSROOT = join(PROJECT, 'build/sysroot/arm64')

function missing(): string | undefined {
  if (process.arch !== 'x64') return 'This machine is not an x86-64 one.'
  if (!existsSync(QEMU)) return 'qemu is missing. Install: make/install.sh clean-root'
  return missingForCleanRoot()
}

const test = suiteRequiring('Debian package for arm64', missing())
const folder = mkdtempSync(join(tmpdir(), 'headend-arm64-'))
const release = join(folder, 'root/usr/lib/headend/package')
const file = packageFile(undefined, 'arm64')
let hub: ChildProcess | undefined

test.after(async () => {
  if (hub?.exitCode === null && hub.kill('SIGKILL')) await once(hub, 'exit')
  rmSync(folder, { recursive: true })
})

/** Runs a program of the release. @returns stdout and stderr */
function emulate(...command: string[]): string {
  const { stdout, stderr } = spawnSync(QEMU, ['-L', SYSROOT, ...command], { cwd: release, encoding: 'utf8' })
  return stdout + stderr
}

test('two builds have the same bytes, and lintian finds nothing', () => {
  const first = buildPackage('arm64')
  assert.ok(buildPackage('arm64').equals(first))
  assert.equal(lint(file), '')
  execFileSync('dpkg-deb', ['--extract', file, join(folder, 'root')])
})

test('Debian has the packages for arm64 that it depends on, with the libraries of its programs', () => {
  const depends = execFileSync('dpkg-deb', ['--field', file, 'Depends'], { encoding: 'utf8' })
  for (const library of ['libc6', 'libgcc-s1', 'libstdc\\+\\+6', 'libsrt1\\.5-gnutls'])
    assert.match(depends, new RegExp(`, ${library} \\(>= `))
  const args = ['--simulate', '--skip=check/qemu', '--variant=extract', '--architectures=arm64', `--include=${file}`]
  const command = [...args, 'stable', '/dev/null', ...debianSources()]
  const { status, stderr } = spawnSync('mmdebstrap', command, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

test('Node and the native programs run on arm64', () => {
  assert.equal(emulate('bin/node', '-p', 'process.arch'), 'arm64\n')
  assert.match(emulate('build/headend-srt', 'version'), /^1\.\d+\.\d+\n$/)
  for (const name of ['headend-relay', 'headend-ndi']) assert.match(emulate(`build/${name}`), /^usage: /)
  const preload = ['-E', `LD_PRELOAD=${release}/build/headend-hide-args.so`]
  assert.equal(emulate(...preload, 'bin/node', '-p', 'process.arch'), 'arm64\n')
})

test('the hub runs on arm64, and Admin signs in', async () => {
  const [port, linkPort] = [await freeTcpPort(), await freeTcpPort()]
  const settings = { HOST: '127.0.0.1', PORT: port, LINK_PORT: linkPort, HTTPS_PORT: 'off', FILES_PORT: 0 }
  const env = { ...process.env, ...settings, DATA: join(folder, 'data'), ENGINE_SOCKET: join(folder, 'engine.sock') }
  const options: SpawnOptions = { cwd: release, env: env as never, stdio: ['ignore', 'ignore', 'inherit'] }
  const child = spawn(QEMU, ['-L', SYSROOT, 'bin/node', 'hub/main.ts'], options)
  hub = child
  const url = `http://127.0.0.1:${port}`
  await waitForHub(url)
  await connectHub(url).signIn()
  child.kill()
  await once(child, 'exit')
})

test.run()
