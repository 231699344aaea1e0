import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { DEVELOPMENT_KEY } from '../../firmware-pack/keys.ts'
import { createTar, readTar, type TarEntry } from '../../pack/tar.ts'
import {
  copyPack,
  development,
  folder,
  key,
  otherKey,
  packInto,
  path,
  released,
  removeFolderAfter,
  updateIn,
  verify
} from './pack-fixture.ts'
import { assertRefused } from './refusal.ts'

const test = suite('verify pack')
removeFolderAfter(test)

test('a pack without a signing key is valid and marked as signed with the development key', () => {
  const names = ['update', 'swu'].map((ending) => join(development, `headend-console-1.2.3-development.${ending}`))
  assert.deepEqual(names.map(existsSync), [true, true])
  const { version, development: marked, files } = verify(development)
  assert.deepEqual([version, marked, Object.keys(files)], ['1.2.3', true, ['manifest.json', 'image.squashfs']])
  assert.equal(verify(updateIn(development)).version, '1.2.3')
})

test('a pack with a signing key has no mark and is valid with the private or the public key', () => {
  assert.equal(verify(released, { key }).development, undefined)
  assert.equal(verify(updateIn(released), { key: `${key}.pub` }).version, '1.2.3')
  assert.deepEqual(readFileSync(join(released, 'public-key.pem')), readFileSync(`${key}.pub`))
  assert.deepEqual(globSync('*{development,.swu}*', { cwd: released }), [])
})

test('a pack that is not signed with the trusted key is refused', () => {
  assertRefused(() => verify(released), /signed with the key \w{64}, not with/)
  assertRefused(() => verify(released, { key: otherKey }), /signed with the key/)
  assertRefused(() => verify(development, { key }), /signed with the development key, not with/)
})

test('an update with any changed byte is refused', () => {
  const good = readFileSync(updateIn(released))
  const file = path('one.update')
  const statement = good.indexOf('"1.2.3"')
  for (const offset of [
    statement + 1,
    good.indexOf('update.sig') + 512,
    good.indexOf('"files": [') + 3,
    good.indexOf('hsqs') + 99
  ]) {
    const bad = Buffer.from(good)
    bad.writeUInt8(bad.readUInt8(offset) ^ 1, offset)
    writeFileSync(file, bad)
    assertRefused(() => verify(file, { key }), /changed after it was signed|does not match the signed statement/)
  }
})

test('an update with another owner or mode, or with data between or after the files, is refused', () => {
  const good = readFileSync(updateIn(released))
  const file = path('more.update')
  const [mode, owner, padding] = [100, 108, good.indexOf('update.sig') + 512 + 64]
  for (const offset of [mode, owner, padding, good.length - 1]) {
    const bad = Buffer.from(good)
    bad.writeUInt8(bad.readUInt8(offset) ^ 1, offset)
    writeFileSync(file, bad)
    assertRefused(() => verify(file, { key }), /additional data or unexpected tar headers/)
  }
  writeFileSync(file, Buffer.concat([good, Buffer.from('x')]))
  assertRefused(() => verify(file, { key }), /additional data or unexpected tar headers/)
})

test('a truncated update is refused, wherever it ends', () => {
  const good = readFileSync(updateIn(released))
  const file = path('short.update')
  const blocks = Array.from({ length: good.length / 512 }, (_, index) => index * 512)
  for (const length of [...blocks, 1, 511, 513, good.indexOf('hsqs') + 1000, good.length - 1]) {
    writeFileSync(file, good.subarray(0, length))
    // Zeros follow the last file, so a truncated end counts as an unexpected header.
    assertRefused(() => verify(file, { key }), /truncated|additional data or unexpected tar headers/)
  }
})

test('a pack whose web root, image, archive or .swu does not match its update is refused', () => {
  const spoiled = (name: string, file: string, change: (file: string) => void) => {
    const pack = copyPack(development, name)
    change(join(pack, file))
    return () => verify(pack)
  }
  const append = (file: string) => appendFileSync(file, 'x')
  const cut = (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 1000))
  const base = 'headend-console-1.2.3'
  assertRefused(spoiled('b1', 'www/index.html', append), /index\.html does not match the manifest/)
  assertRefused(spoiled('b2', 'www/index.html.gz', append), /index\.html\.gz does not match/)
  assertRefused(spoiled('b3', 'manifest.json', append), /manifest\.json does not match the signed content/)
  assertRefused(spoiled('b7', 'bom.json', append), /bom\.json does not match the signed content/)
  assertRefused(spoiled('b8', 'servers/nginx.conf', append), /nginx\.conf does not match the signed content/)
  assertRefused(spoiled('b9', 'servers/caddy.conf', rmSync), /caddy\.conf is missing/)
  assertRefused(spoiled('b13', 'public-key.pem', append), /public-key\.pem does not match the signed content/)
  assertRefused(spoiled('b14', 'release-notes.md', append), /release-notes\.md does not match/)
  assertRefused(spoiled('b15', 'release-notes.md', rmSync), /release-notes\.md is missing/)
  assertRefused(spoiled('b16', 'servers/more.conf', append), /servers\/more\.conf does not belong to the pack/)
  assertRefused(
    spoiled('b17', 'bom.json', (file) => {
      rmSync(file)
      symlinkSync(join(development, 'bom.json'), file)
    }),
    /bom\.json is not a regular file/
  )
  assertRefused(spoiled('b4', `${base}.squashfs`, cut), /squashfs does not match the signed content/)
  assertRefused(spoiled('b10', `${base}.tar.gz`, cut), /tar\.gz is truncated/)
  const archived = (change: (entries: TarEntry[]) => TarEntry[]) => (file: string) =>
    writeFileSync(file, gzipSync(createTar(change(readTar(gunzipSync(readFileSync(file)))), 0)))
  const changed = archived(([first, ...rest]) => [{ path: first?.path ?? '', bytes: Buffer.from('other') }, ...rest])
  assertRefused(
    spoiled('b11', `${base}.tar.gz`, changed),
    /manifest\.json in .*tar\.gz does not match the signed content/
  )
  assertRefused(
    spoiled(
      'b12',
      `${base}.tar.gz`,
      archived((all) => all.slice(1))
    ),
    /contains other files/
  )
  const twice = archived((all) => [...all.slice(0, -1), ...all.slice(0, 1)])
  assertRefused(
    spoiled('b20', `${base}.tar.gz`, twice),
    /manifest\.json in .*tar\.gz does not match the signed content/
  )
  const elsewhere = archived((all) => all.map((entry) => ({ ...entry, path: entry.path.replace(/^[^/]*/, '..') })))
  assertRefused(spoiled('b18', `${base}.tar.gz`, elsewhere), /has unexpected tar headers/)
  assertRefused(spoiled('b19', `${base}-development.swu`, append), /swu contains additional data/)
  assertRefused(spoiled('b5', `${base}-development.swu`, cut), /truncated/)
  assertRefused(spoiled('b6', `${base}-development.update`, rmSync), /contains no update/)
  assertRefused(spoiled('b21', `${base}.squashfs`, rmSync), /squashfs is missing/)
  assertRefused(spoiled('b22', `${base}.tar.gz`, rmSync), /tar\.gz is missing/)
  const rename = (file: string) => renameSync(file, file.replace('1.2.3', '1.2.4'))
  assertRefused(
    spoiled('b23', `${base}-development.update`, rename),
    /1\.2\.4-development\.update should be called .*1\.2\.3/
  )
})

test('a file that is too large is refused unread, and a gzip file that unpacks to too much is refused before it is unpacked', () => {
  const base = 'headend-console-1.2.3'
  for (const [file, why] of [
    [`${base}-development.update`, /\.update is too large/],
    ['www/index.html', /index\.html does not match the manifest/],
    ['www/index.html.gz', /index\.html\.gz does not match the manifest/],
    ['manifest.json', /manifest\.json does not match the signed content/],
    ['bom.json', /bom\.json does not match the signed content/],
    [`${base}.squashfs`, /squashfs does not match the signed content/],
    [`${base}.tar.gz`, /tar\.gz does not match the signed content/],
    [`${base}-development.swu`, /swu does not match the signed content/],
    ['release-notes.md', /release-notes\.md does not match the signed content/]
  ] as const) {
    const pack = copyPack(development, 'large')
    // A sparse file, larger than Node can read at once.
    truncateSync(join(pack, file), 3 * 2 ** 30)
    assertRefused(() => verify(pack), why)
    rmSync(pack, { recursive: true })
  }
  const pack = copyPack(development, 'bomb')
  writeFileSync(join(pack, `${base}.tar.gz`), gzipSync(Buffer.alloc(32 << 20)))
  assertRefused(() => verify(pack), /tar\.gz contains more data than was signed/)
})

test('a pipe or a device is refused without being read', () => {
  execFileSync('mkfifo', [path('pipe.update')])
  assertRefused(() => verify(path('pipe.update'), { key }), /pipe\.update is not a regular file/)
  assertRefused(() => verify('/dev/zero', { key }), /is not a regular file/)
})

test('a .swu with another key or another image is refused', () => {
  const swuKey = path('swu.pem')
  const [privatePart, certificate] = [path('swu.key'), path('swu.crt')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=x', '-keyout', privatePart]
  execFileSync('openssl', [...request, '-out', certificate], { stdio: 'pipe' })
  writeFileSync(swuKey, Buffer.concat([readFileSync(privatePart), readFileSync(certificate)]))
  const pack = packInto('with-swu', { signing: key, swu: swuKey })
  assert.equal(verify(pack, { key, certificate }).version, '1.2.3')
  assertRefused(() => verify(pack, { key }), /\.swu is signed with its own key\. Set SWU_CERT/)

  const swu = join(pack, 'headend-console-1.2.3.swu')
  cpSync(join(development, 'headend-console-1.2.3-development.swu'), swu)
  assertRefused(() => verify(pack, { key, certificate }), /openssl failed/)
  const bad = readFileSync(swu)
  bad.writeUInt8(bad.readUInt8(bad.indexOf('hsqs') + 99) ^ 1, bad.indexOf('hsqs') + 99)
  const tampered = copyPack(development, 'tampered-swu')
  writeFileSync(join(tampered, 'headend-console-1.2.3-development.swu'), bad)
  assertRefused(() => verify(tampered), /image in the \.swu does not match the signed content/)
})

test('on the command line an error is one line and exit status 1', () => {
  const script = resolve(import.meta.dirname, '../../firmware-pack/verify-pack.ts')
  const env = { ...process.env, PUBLIC_KEY: '', SIGNING_KEY: '' }
  const run = () => execFileSync(process.execPath, [script, released], { env, stdio: 'pipe' })
  assert.throws(run, ({ status, stderr }: { status: number; stderr: Buffer }) => {
    return status === 1 && /^The update is signed with the key .*\n$/.test(String(stderr))
  })
})

test('a system error is one line too: a full disk, a folder instead of a key', () => {
  const script = resolve(import.meta.dirname, '../../firmware-pack/verify-pack.ts')
  const full = ['-c', 'ulimit -f 1; trap "" XFSZ; exec "$0" "$@"', process.execPath, script, released]
  const run = (command: string, args: string[], more: NodeJS.ProcessEnv) =>
    spawnSync(command, args, { env: { ...process.env, SIGNING_KEY: '', ...more }, encoding: 'utf8' })
  const [noSpace, noKey] = [
    run('bash', full, { PUBLIC_KEY: key }),
    run(process.execPath, [script, released], { PUBLIC_KEY: folder })
  ]
  assert.deepEqual([noSpace.status, noKey.status], [1, 1])
  assert.match(noSpace.stderr, /^No space is left[^\n]+\.\n$/)
  assert.match(noKey.stderr, /^Expected a file, but found a folder[^\n]+\.\n$/)
})

test('a pack signed with the development key file is marked', () => {
  assert.equal(existsSync(DEVELOPMENT_KEY), true)
  assert.equal(verify(packInto('named', { signing: DEVELOPMENT_KEY })).development, true)
})

test.run()

test.run()
