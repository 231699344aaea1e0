import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { createHubUpdate } from '../../firmware-pack/hub-update.ts'
import { createRelease, type ReleaseFile, type ReleaseOptions } from '../../make/release/create-release.ts'
import { type ChannelFile, type ReleaseChannel, readChannelFile } from '../../pack/channel-file.ts'
import { computeDigest } from '../../pack/manifest.ts'
import { PackError } from '../../pack/pack-error.ts'
import { root } from '../house/sources.ts'
import { createTestUpdate, generateSigningKey } from '../kit/hub/console-update.ts'
import { firmwareFile } from '../kit/hub/firmware-upload.ts'

const test = suite('release')

const { signer, publicKey } = generateSigningKey()
const folder = mkdtempSync(join(tmpdir(), 'headend-release-'))
const notes = join(folder, 'notes')
test.before(() => mkdirSync(notes))
test.after(() => rmSync(folder, { recursive: true }))

const TIME = Date.parse('2026-03-01T12:00:00.000Z') / 1000

function writeNotes(beginning: string, languages = ['en', 'zh']): void {
  for (const language of languages)
    writeFileSync(join(notes, `${beginning}.${language}.md`), `${beginning} ${language}\n`)
}

/** An update of a version with its notes. */
function writeUpdate(version: string, mark = 'a'): string {
  const path = join(folder, `headend-${version}.update`)
  writeFileSync(path, createTestUpdate(mark, { version, signer }))
  writeNotes(version)
  return path
}

const create = (bundles: string[], more: Partial<ReleaseOptions> = {}) =>
  createRelease({ bundles, notes, published: undefined, time: TIME, days: 30, signer, ...more })

/** Writes files to a new folder. @returns its path */
function publish(files: ReleaseFile[]): string {
  const published = mkdtempSync(join(folder, 'published-'))
  for (const { path, bytes } of files) writeFileSync(join(published, path), bytes)
  return published
}

function read(files: ReleaseFile[], channel: ReleaseChannel, name = 'headend', lastNumber = 0): ChannelFile {
  const [text, signature] = ['', '.sig'].map(
    (end) => files.find(({ path }) => path === `${name}-${channel}.json${end}`)?.bytes
  )
  assert.ok(text && signature)
  return readChannelFile({ text, signature }, { trusted: [publicKey], name, channel, now: TIME * 1000, lastNumber })
}
const versionsOf = ({ releases }: ChannelFile) => releases.map(({ version }) => version)

test('a release is in both channel files with its digest and its notes, and the bundle is beside them', () => {
  const path = writeUpdate('1.0.0')
  const files = create([path])
  for (const channel of ['stable', 'pre-release'] as const) {
    const { number, expires, releases } = read(files, channel)
    assert.deepEqual([number, expires], [1, '2026-03-31T12:00:00.000Z'])
    const [release] = releases
    assert.deepEqual(release?.notes, { en: '1.0.0 en', zh: '1.0.0 zh' })
    assert.equal(release?.['pre-release'], undefined)
    const bundle = files.find((file) => file.path === release?.file)
    assert.deepEqual(computeDigest(bundle?.bytes ?? Buffer.alloc(0)), { size: release?.size, sha256: release?.sha256 })
  }
  assert.equal(files.length, 5)
})

test('a version with a part after its numbers is in the file of pre-releases only', () => {
  const files = create([writeUpdate('1.1.0-rc.1'), writeUpdate('1.0.0')])
  assert.deepEqual(versionsOf(read(files, 'stable')), ['1.0.0'])
  const both = read(files, 'pre-release')
  assert.deepEqual(versionsOf(both), ['1.1.0-rc.1', '1.0.0'])
  assert.deepEqual(
    both.releases.map((release) => release['pre-release']),
    [true, undefined]
  )
})

test('the next release continues what is published, with a higher number', () => {
  const published = publish(create([writeUpdate('1.0.0')]))
  const files = create([writeUpdate('1.0.1', 'b')], { published })
  const stable = read(files, 'stable', 'headend', 2)
  assert.deepEqual([stable.number, versionsOf(stable)], [2, ['1.0.1', '1.0.0']])
  assert.ok(!files.some(({ path }) => path === 'headend-1.0.0.update'))
})

test('the same version again replaces the published one', () => {
  const published = publish(create([writeUpdate('1.0.0')]))
  const before = read(create([], { published }), 'stable').releases
  const [after, ...more] = read(create([writeUpdate('1.0.0', 'c')], { published }), 'stable').releases
  assert.equal(more.length, 0)
  assert.notEqual(after?.sha256, before[0]?.sha256)
})

test('without a new bundle the published files are renewed, also after they have expired', () => {
  const published = publish(create([writeUpdate('1.0.0')]))
  const year = 365 * 86_400
  const files = create([], { published, time: TIME + year })
  const renewed = read(files, 'stable')
  assert.deepEqual([renewed.number, renewed.expires], [2, '2027-03-31T12:00:00.000Z'])
  assert.equal(files.length, 4)
})

test('firmware is in the channel files of its family, and a test build is a pre-release', () => {
  const paths = [firmwareFile('streamSdi', '1.5.79'), firmwareFile('streamSdi', '1.6.1', { test: true })].map(
    ({ name, bytes }) => {
      writeFileSync(join(folder, name), bytes)
      return join(folder, name)
    }
  )
  writeNotes('ultra_stream_sdi-1.5.79')
  writeNotes('ultra_stream_sdi-1.6.1')
  const files = create(paths)
  const [release, ...more] = read(files, 'stable', 'ultra_stream').releases
  assert.equal(more.length, 0)
  assert.deepEqual([release?.version, release?.model, release?.hardware], ['1.5.79', 'Ultra Stream SDI', 'A'])
  assert.deepEqual(versionsOf(read(files, 'pre-release', 'ultra_stream')).sort(), ['1.5.79', '1.6.1'])
})

test('an update of the whole hub is beside that of the console, for its architecture', () => {
  const built = join(folder, 'built')
  mkdirSync(built)
  writeFileSync(join(built, 'package.json'), '{}')
  const path = join(folder, 'headend_1.0.0_arm64.update')
  const commit = { id: '0'.repeat(40), time: TIME, changed: false }
  writeFileSync(
    path,
    createHubUpdate({ folder: built, version: '1.0.0', commit, signer, architecture: 'arm64', level: 1 })
  )
  const { releases } = read(create([path, writeUpdate('1.0.0')]), 'stable')
  assert.deepEqual(releases.map(({ architecture }) => architecture).sort(), ['all', 'arm64'])
})

test('the same bundles and key give the same bytes', () => {
  const path = writeUpdate('1.0.0')
  assert.deepEqual(create([path]), create([path]))
})

const assertRefused = (work: () => unknown, message: RegExp) =>
  assert.throws(work, (error: unknown) => error instanceof PackError && message.test(error.message))

test('missing notes, an update of another key and a changed channel file are refused', () => {
  const path = writeUpdate('1.0.0')
  assertRefused(() => create([]), /nothing to publish/)
  assertRefused(() => create([path, path]), /Two bundles/)
  assertRefused(() => create([path], { signer: generateSigningKey().signer }), /signed with the key/)
  assertRefused(() => create([], { published: join(folder, 'none') }), /no folder/)
  const published = publish(create([path]))
  assertRefused(
    () => create([], { published, signer: generateSigningKey().signer }),
    /headend-.*\.json: It is signed with/
  )
  writeFileSync(join(published, 'headend-stable.json'), '{}')
  assertRefused(() => create([], { published }), /headend-stable\.json: It was changed/)
  rmSync(join(notes, '1.0.0.zh.md'))
  assertRefused(() => create([path]), /1\.0\.0\.zh\.md/)
  writeFileSync(join(folder, 'other.mwf'), 'no firmware')
  assertRefused(() => create([join(folder, 'other.mwf')]), /not a firmware file/)
})

test('the command writes a folder in place of the one before, and says why it does not', () => {
  const key = join(folder, 'key.pem')
  writeFileSync(key, signer.key.export({ type: 'pkcs8', format: 'pem' }))
  const out = join(folder, 'out')
  const run = (bundles: string) =>
    spawnSync(process.execPath, [join(root, 'make/release.ts')], {
      encoding: 'utf8',
      env: { ...process.env, SIGNING_KEY: key, BUNDLES: bundles, NOTES: notes, OUT: out, TIME: '2026-03-01T12:00:00Z' }
    })
  const path = writeUpdate('1.0.0')
  const done = run(path)
  assert.equal(done.status, 0, done.stderr)
  const expected = create([path], { days: 180 })
  assert.deepEqual(readdirSync(out).sort(), expected.map((file) => file.path).sort())
  for (const file of expected) assert.ok(readFileSync(join(out, file.path)).equals(file.bytes), file.path)
  const refused = run(join(folder, 'none.update'))
  assert.equal(refused.status, 1)
  assert.equal(readdirSync(out).length, expected.length)
})

test.run()
