import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { createImage } from '../../firmware-pack/format/image.ts'
import { DEVELOPMENT_KEY, DEVELOPMENT_SWU_KEY } from '../../firmware-pack/keys.ts'
import { type Keys, createPack, installPack } from '../../firmware-pack/pack.ts'
import { type TrustedKeys, verifyPack } from '../../firmware-pack/verify-pack.ts'
import type { Budget } from '../../pack/budget.ts'
import { PackError } from '../../pack/pack-error.ts'
import { type TarEntry, createTar, readTar } from '../../pack/tar.ts'

const test = suite('pack')

const folder = mkdtempSync(join(tmpdir(), 'headend-pack-test-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const path = (...parts: string[]) => join(folder, ...parts)
const LEGAL = 'Headend\n\n-- preact 11.2.0 (MIT)\nSomebody\n'
const BUDGET: Budget = { html: {}, css: {}, js: {}, total: { brotli: 1000 }, requests: 3 }

/** A project of one page, with its commit. */
function makeProject(root: string, budget = BUDGET): string {
  mkdirSync(join(root, 'dist/assets'), { recursive: true })
  const files = {
    'package.json': '{ "version": "1.2.3" }',
    'package-lock.json': JSON.stringify({ packages: { 'node_modules/preact': { integrity: 'sha512-AAEC' } } }),
    'size-budget.json': JSON.stringify(budget),
    'dist/index.html': '<!doctype html>'.repeat(20),
    'dist/assets/app-12345678.js': 'console.log(1)\n'.repeat(100),
    'dist/legal.txt': LEGAL
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' })
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'all')
  return root
}

function writeKey(name: string, type: 'ed25519' | 'rsa'): string {
  const { privateKey, publicKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519')
  writeFileSync(path(name), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(path(`${name}.pub`), publicKey.export({ type: 'spki', format: 'pem' }))
  return path(name)
}

const project = makeProject(path('project'))
const key = writeKey('key', 'ed25519')
const otherKey = writeKey('other', 'ed25519')

/** Packs into a folder of its own. */
function packInto(name: string, keys: Keys = {}): string {
  installPack(createPack(project, keys), path(name), folder)
  return path(name)
}

/** A copy of a pack, to be spoilt. */
function copied(from: string, name: string): string {
  cpSync(from, path(name), { recursive: true })
  return path(name)
}

const updateIn = (pack: string) => join(pack, globSync('*.update', { cwd: pack })[0] ?? '')
const verify = (pack: string, trusted: TrustedKeys = {}, budget = BUDGET) => verifyPack(pack, budget, trusted)

function refuses(what: () => unknown, why: RegExp): void {
  assert.throws(what, (error) => error instanceof PackError && why.test(error.message))
}

const development = packInto('development')
const released = packInto('released', { signing: key })

test('without a key a pack is sound, and says that the development key signed it', () => {
  const names = ['update', 'swu'].map((ending) => join(development, `headend-console-1.2.3-development.${ending}`))
  assert.deepEqual(names.map(existsSync), [true, true])
  const { version, development: marked, files } = verify(development)
  assert.deepEqual([version, marked, Object.keys(files)], ['1.2.3', true, ['manifest.json', 'image.squashfs']])
  assert.equal(verify(updateIn(development)).version, '1.2.3')
})

test('with a key a pack bears no mark, and is sound to who trusts that key, by its public half too', () => {
  assert.equal(verify(released, { key }).development, undefined)
  assert.equal(verify(updateIn(released), { key: `${key}.pub` }).version, '1.2.3')
  assert.deepEqual(readFileSync(join(released, 'public-key.pem')), readFileSync(`${key}.pub`))
  assert.deepEqual(globSync('*{development,.swu}*', { cwd: released }), [])
})

test('a pack by another key than the trusted one is refused, whichever is which', () => {
  refuses(() => verify(released), /signed with the key \w{64}, not with/)
  refuses(() => verify(released, { key: otherKey }), /signed with the key/)
  refuses(() => verify(development, { key }), /signed with the development key, not with/)
})

test('a key that is missing, none, or of another kind is refused', () => {
  writeFileSync(path('garbage'), 'no key')
  const rsa = writeKey('rsa', 'rsa')
  for (const [signing, why] of [
    [path('nowhere'), /SIGNING_KEY: there is no file/],
    [path('garbage'), /is no key in PEM/],
    [`${key}.pub`, /is no key in PEM/],
    [rsa, /key of rsa, not of Ed25519/]
  ] as const)
    refuses(() => createPack(project, { signing }), why)
  refuses(() => createPack(project, { signing: key, swu: path('nowhere') }), /SWU_KEY: there is no file/)
  refuses(() => createPack(project, { signing: key, swu: rsa }), /no certificate/)
  refuses(() => createPack(project, { swu: rsa }), /without SIGNING_KEY/)
  refuses(() => verify(released, { key: path('nowhere') }), /PUBLIC_KEY: there is no file/)
  refuses(() => verify(released, { key: rsa }), /not of Ed25519/)
})

test('a key with a passphrase is refused, and nobody is asked for it', () => {
  const cipher = { cipher: 'aes-256-cbc', passphrase: 'secret', type: 'pkcs8', format: 'pem' } as const
  writeFileSync(path('locked'), generateKeyPairSync('ed25519').privateKey.export(cipher))
  refuses(() => createPack(project, { signing: path('locked') }), /without a passphrase/)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const certificate = readFileSync(DEVELOPMENT_SWU_KEY, 'latin1').split(/(?=-----BEGIN CERT)/)[1] ?? ''
  writeFileSync(path('locked-swu'), privateKey.export(cipher) + certificate)
  refuses(() => createPack(project, { signing: key, swu: path('locked-swu') }), /openssl failed/)
})

test('without a commit no pack is made, for the reason that git gives', () => {
  const root = makeProject(path('no-commit'))
  rmSync(join(root, '.git'), { recursive: true })
  refuses(() => createPack(root, {}), /^A pack takes its identity [^\n]+ fatal: not a git repository/)
})

test('a program that is missing is named, with what installs it', () => {
  const former = process.env.PATH
  process.env.PATH = path('nowhere')
  try {
    refuses(() => createImage([], 0), /^mksquashfs is missing\. Install it: apt-get install squashfs-tools$/)
  } finally {
    process.env.PATH = former
  }
})

test('every byte of an update counts', () => {
  const good = readFileSync(updateIn(released))
  const file = path('one.update')
  const statement = good.indexOf('"1.2.3"')
  for (const at of [
    statement + 1,
    good.indexOf('update.sig') + 512,
    good.indexOf('"files": [') + 3,
    good.indexOf('hsqs') + 99
  ]) {
    const bad = Buffer.from(good)
    bad.writeUInt8(bad.readUInt8(at) ^ 1, at)
    writeFileSync(file, bad)
    refuses(() => verify(file, { key }), /changed after it was signed|does not match the signed statement/)
  }
})

test('an update that says more than was packed is refused: an owner, a mode, something between or behind the files', () => {
  const good = readFileSync(updateIn(released))
  const file = path('more.update')
  const [mode, owner, padding] = [100, 108, good.indexOf('update.sig') + 512 + 64]
  for (const at of [mode, owner, padding, good.length - 1]) {
    const bad = Buffer.from(good)
    bad.writeUInt8(bad.readUInt8(at) ^ 1, at)
    writeFileSync(file, bad)
    refuses(() => verify(file, { key }), /additional data or unexpected tar headers/)
  }
  writeFileSync(file, Buffer.concat([good, Buffer.from('x')]))
  refuses(() => verify(file, { key }), /additional data or unexpected tar headers/)
})

test('an update that is cut short is refused, wherever it ends', () => {
  const good = readFileSync(updateIn(released))
  const file = path('short.update')
  const blocks = Array.from({ length: good.length / 512 }, (_, at) => at * 512)
  for (const length of [...blocks, 1, 511, 513, good.indexOf('hsqs') + 1000, good.length - 1]) {
    writeFileSync(file, good.subarray(0, length))
    // Zeros behind the last file fill it up.
    refuses(() => verify(file, { key }), /truncated|additional data or unexpected tar headers/)
  }
})

test('what lies beside the update must be the same: the web root, the image, the archive, the .swu', () => {
  const spoilt = (name: string, file: string, spoil: (file: string) => void) => {
    const pack = copied(development, name)
    spoil(join(pack, file))
    return () => verify(pack)
  }
  const append = (file: string) => appendFileSync(file, 'x')
  const cut = (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 1000))
  const base = 'headend-console-1.2.3'
  refuses(spoilt('b1', 'www/index.html', append), /index\.html does not match the manifest/)
  refuses(spoilt('b2', 'www/index.html.gz', append), /index\.html\.gz does not match/)
  refuses(spoilt('b3', 'manifest.json', append), /manifest\.json is not what was signed/)
  refuses(spoilt('b7', 'bom.json', append), /bom\.json is not what was signed/)
  refuses(spoilt('b8', 'servers/nginx.conf', append), /nginx\.conf is not what was signed/)
  refuses(spoilt('b9', 'servers/caddy.conf', rmSync), /caddy\.conf is missing/)
  refuses(spoilt('b13', 'public-key.pem', append), /public-key\.pem is not what was signed/)
  refuses(spoilt('b14', 'release-notes.md', append), /release-notes\.md is not what/)
  refuses(spoilt('b15', 'release-notes.md', rmSync), /release-notes\.md is missing/)
  refuses(spoilt('b16', 'servers/more.conf', append), /servers\/more\.conf does not belong to the pack/)
  refuses(
    spoilt('b17', 'bom.json', (file) => {
      rmSync(file)
      symlinkSync(join(development, 'bom.json'), file)
    }),
    /bom\.json is no plain file/
  )
  refuses(spoilt('b4', `${base}.squashfs`, cut), /squashfs is not what was signed/)
  refuses(spoilt('b10', `${base}.tar.gz`, cut), /tar\.gz is cut short/)
  const archived = (change: (entries: TarEntry[]) => TarEntry[]) => (file: string) =>
    writeFileSync(file, gzipSync(createTar(change(readTar(gunzipSync(readFileSync(file)))), 0)))
  const changed = archived(([first, ...rest]) => [{ path: first?.path ?? '', bytes: Buffer.from('other') }, ...rest])
  refuses(spoilt('b11', `${base}.tar.gz`, changed), /manifest\.json in .*tar\.gz is not what was signed/)
  refuses(
    spoilt(
      'b12',
      `${base}.tar.gz`,
      archived((all) => all.slice(1))
    ),
    /holds other files/
  )
  const twice = archived((all) => [...all.slice(0, -1), ...all.slice(0, 1)])
  refuses(spoilt('b20', `${base}.tar.gz`, twice), /manifest\.json in .*tar\.gz is not what was signed/)
  const elsewhere = archived((all) => all.map((one) => ({ ...one, path: one.path.replace(/^[^/]*/, '..') })))
  refuses(spoilt('b18', `${base}.tar.gz`, elsewhere), /says other things of its files/)
  refuses(spoilt('b19', `${base}-development.swu`, append), /swu holds more than was packed/)
  refuses(spoilt('b5', `${base}-development.swu`, cut), /cut short/)
  refuses(spoilt('b6', `${base}-development.update`, rmSync), /no update in it/)
  refuses(spoilt('b21', `${base}.squashfs`, rmSync), /squashfs is missing/)
  refuses(spoilt('b22', `${base}.tar.gz`, rmSync), /tar\.gz is missing/)
  const rename = (file: string) => renameSync(file, file.replace('1.2.3', '1.2.4'))
  refuses(spoilt('b23', `${base}-development.update`, rename), /1\.2\.4-development\.update should be called .*1\.2\.3/)
})

test('a file far larger than was packed is refused without being read, and one that unpacks to far more before it does', () => {
  const base = 'headend-console-1.2.3'
  for (const [file, why] of [
    [`${base}-development.update`, /\.update is larger than one can be/],
    ['www/index.html', /index\.html does not match the manifest/],
    ['www/index.html.gz', /index\.html\.gz does not match the manifest/],
    ['manifest.json', /manifest\.json is not what was signed/],
    ['bom.json', /bom\.json is not what was signed/],
    [`${base}.squashfs`, /squashfs is not what was signed/],
    [`${base}.tar.gz`, /tar\.gz is not what was signed/],
    [`${base}-development.swu`, /swu is not what was signed/],
    ['release-notes.md', /release-notes\.md is not what/]
  ] as const) {
    const pack = copied(development, 'large')
    // Beyond what Node reads at once; nothing of it is written.
    truncateSync(join(pack, file), 3 * 2 ** 30)
    refuses(() => verify(pack), why)
    rmSync(pack, { recursive: true })
  }
  const pack = copied(development, 'bomb')
  writeFileSync(join(pack, `${base}.tar.gz`), gzipSync(Buffer.alloc(32 << 20)))
  refuses(() => verify(pack), /tar\.gz holds more than was signed/)
})

test('what is no file is not waited for', () => {
  execFileSync('mkfifo', [path('pipe.update')])
  refuses(() => verify(path('pipe.update'), { key }), /pipe\.update is no plain file/)
  refuses(() => verify('/dev/zero', { key }), /is no plain file/)
})

test('a .swu by another key, or with another image, is refused', () => {
  const swuKey = path('swu.pem')
  const [privatePart, certificate] = [path('swu.key'), path('swu.crt')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=x', '-keyout', privatePart]
  execFileSync('openssl', [...request, '-out', certificate], { stdio: 'pipe' })
  writeFileSync(swuKey, Buffer.concat([readFileSync(privatePart), readFileSync(certificate)]))
  const pack = packInto('with-swu', { signing: key, swu: swuKey })
  assert.equal(verify(pack, { key, certificate }).version, '1.2.3')
  refuses(() => verify(pack, { key }), /\.swu is signed by a key of its own: give SWU_CERT/)

  const swu = join(pack, 'headend-console-1.2.3.swu')
  cpSync(join(development, 'headend-console-1.2.3-development.swu'), swu)
  refuses(() => verify(pack, { key, certificate }), /openssl failed/)
  const bad = readFileSync(swu)
  bad.writeUInt8(bad.readUInt8(bad.indexOf('hsqs') + 99) ^ 1, bad.indexOf('hsqs') + 99)
  const tampered = copied(development, 'tampered-swu')
  writeFileSync(join(tampered, 'headend-console-1.2.3-development.swu'), bad)
  refuses(() => verify(tampered), /image in the \.swu is not what was signed/)
})

test('over budget no pack is made, and one from elsewhere is refused', () => {
  const tight: Budget = { ...BUDGET, total: { brotli: 10 } }
  refuses(() => createPack(makeProject(path('heavy'), tight), {}), /total brotli: \d+ bytes, limit 10\nOver budget/)
  refuses(() => verify(released, { key }, tight), /Over budget: total brotli: \d+ bytes, limit 10/)
})

test('what cannot be made leaves the former pack as it was, and nothing else', () => {
  const root = makeProject(path('half'))
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

test('on the command line a refusal is one line and a status of 1', () => {
  const verb = resolve(import.meta.dirname, '../../firmware-pack/verify-pack.ts')
  const env = { ...process.env, PUBLIC_KEY: '', SIGNING_KEY: '' }
  const run = () => execFileSync(process.execPath, [verb, released], { env, stdio: 'pipe' })
  assert.throws(run, ({ status, stderr }: { status: number; stderr: Buffer }) => {
    return status === 1 && /^The update is signed with the key .*\n$/.test(String(stderr))
  })
})

test('what the machine refuses is said in one line, too: a full disk, a folder in the place of a key', () => {
  const verb = resolve(import.meta.dirname, '../../firmware-pack/verify-pack.ts')
  const full = ['-c', 'ulimit -f 1; trap "" XFSZ; exec "$0" "$@"', process.execPath, verb, released]
  const run = (command: string, args: string[], more: NodeJS.ProcessEnv) =>
    spawnSync(command, args, { env: { ...process.env, SIGNING_KEY: '', ...more }, encoding: 'utf8' })
  const [noSpace, noKey] = [
    run('bash', full, { PUBLIC_KEY: key }),
    run(process.execPath, [verb, released], { PUBLIC_KEY: folder })
  ]
  assert.deepEqual([noSpace.status, noKey.status], [1, 1])
  assert.match(noSpace.stderr, /^No space is left[^\n]+\.\n$/)
  assert.match(noKey.stderr, /^A file is expected, and there is a folder[^\n]+\.\n$/)
})

test('what a killed maker left is removed by the next one, and nothing of a living one', () => {
  const { pid } = spawnSync('true')
  const [left, living] = [path('s', `headend-pack-${pid}-a`), path('s', 'headend-pack-1-a')]
  for (const one of [left, living]) mkdirSync(one, { recursive: true })
  installPack(createPack(project, {}), path('swept'), path('s'))
  assert.deepEqual([left, living].map(existsSync), [false, true])
})

test('the bill of materials names what the notices name, with the hashes of the lockfile', () => {
  const bill = JSON.parse(readFileSync(join(development, 'bom.json'), 'utf8'))
  assert.deepEqual([bill.bomFormat, bill.specVersion, bill.metadata.component.version], ['CycloneDX', '1.6', '1.2.3'])
  const [{ purl, hashes, licenses }, ...others] = bill.components
  assert.deepEqual(
    [purl, hashes, licenses, others],
    ['pkg:npm/preact@11.2.0', [{ alg: 'SHA-512', content: '000102' }], [{ license: { id: 'MIT' } }], []]
  )
})

test('release notes compare with the last tag', () => {
  const notes = () => String(createPack(project, {}).files.find((file) => file.path === 'release-notes.md')?.bytes)
  assert.match(notes(), /This clone knows no release before it/)
  assert.match(notes(), /\| total brotli \| - \| \d+ \| - \|/)
  const root = makeProject(path('tagged'))
  const git = (...args: string[]) => String(execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' })).trim()
  git('tag', 'v1.2.2')
  // What it weighed is on record: this project cannot be built.
  const was = { raw: 7000, gzip: 70, brotli: 20 }
  const sizes = { artefacts: { html: was, css: was, js: was, total: was }, requests: 2 }
  mkdirSync(join(root, 'build'))
  writeFileSync(join(root, 'build', `first-load-${git('rev-parse', 'HEAD')}.json`), JSON.stringify(sizes))
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'next')
  const tagged = String(createPack(root, {}).files.find((file) => file.path === 'release-notes.md')?.bytes)
  assert.match(tagged, /Compared with v1\.2\.2\./)
  assert.match(tagged, /\| total brotli \| 20 \| (\d+) \| \+\d+ \|/)
  assert.match(tagged, /\| total raw \| 7,000 \| 1,800 \| -5,200 \|/)
  installPack(createPack(root, {}), path('tagged-out'), folder)
  assert.equal(verify(path('tagged-out')).version, '1.2.3')

  // Without that record it would have to be built.
  rmSync(join(root, 'build'), { recursive: true })
  const unbuilt = String(createPack(root, {}).files.find((file) => file.path === 'release-notes.md')?.bytes)
  assert.match(unbuilt, /v1\.2\.2 before it does not build any more\./)
  assert.match(unbuilt, /\| total raw \| - \| 1,800 \| - \|/)
  installPack(createPack(root, {}), path('unbuilt-out'), folder)
  assert.equal(verify(path('unbuilt-out')).version, '1.2.3')
})

test('what lies beside the files of the commit where all is packed is a change, ignored by git or not', () => {
  const root = makeProject(path('littered'))
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

test('the development key is the one that everybody has', () => {
  assert.equal(existsSync(DEVELOPMENT_KEY), true)
  assert.equal(verify(packInto('named', { signing: DEVELOPMENT_KEY })).development, true)
})

test.run()
