import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { suite } from 'uvu'
import {
  CHANNEL_FILE_MAX,
  type ChannelFault,
  ChannelFileError,
  type ChannelRelease,
  createChannelFile,
  NOTES_MAX,
  RELEASES_MAX,
  readChannelFile,
  type SignedChannelFile
} from '../../pack/channel-file.ts'
import { DEVELOPMENT_KEY } from '../../pack/keys.ts'
import { channelFiles, EXPIRES, PUBLISHED, releaseOf } from '../kit/hub/channel-files.ts'
import { developmentSigner, generateSigningKey } from '../kit/hub/console-update.ts'

const test = suite('channel file')
const publisher = generateSigningKey()
const release = releaseOf(Buffer.from('firmware'))

function create(options: Parameters<typeof channelFiles>[2] = {}, signer = publisher.signer): SignedChannelFile {
  const [[, text], [, signature]] = channelFiles(signer, [release], options) as [[string, Buffer], [string, Buffer]]
  return { text, signature }
}

const OPTIONS = {
  trusted: [publisher.publicKey],
  name: 'headend',
  channel: 'stable',
  now: PUBLISHED,
  lastNumber: 0
} as const
const read = (file: SignedChannelFile, more: Partial<Parameters<typeof readChannelFile>[1]> = {}) =>
  readChannelFile(file, { ...OPTIONS, ...more })
const assertRefused = (work: () => unknown, fault: ChannelFault) =>
  assert.throws(work, (error: unknown) => error instanceof ChannelFileError && error.fault === fault)

/** Signs any bytes. */
const signText = (text: Buffer): SignedChannelFile => ({ text, signature: sign(null, text, publisher.signer.key) })
const signContent = (change: object) =>
  signText(Buffer.from(JSON.stringify({ ...JSON.parse(String(create().text)), ...change })))

test('a signed file is read as it was created', () => {
  const file = read(create())
  assert.deepEqual(file.releases, [release])
  assert.deepEqual([file.name, file.channel, file.number], ['headend', 'stable', 7])
})

test('the same content and key give the same bytes', () => {
  assert.deepEqual(create(), create())
})

test('a file with any changed byte is refused', () => {
  const { text, signature } = create()
  for (let place = 0; place < text.length; place += 37) {
    const changed = Buffer.from(text)
    changed[place] = (changed[place] ?? 0) ^ 1
    assert.throws(() => read({ text: changed, signature }), ChannelFileError)
  }
  assertRefused(() => read({ text, signature: signature.subarray(1) }), 'tampered')
  assertRefused(() => read({ text, signature: Buffer.alloc(0) }), 'tampered')
})

test('the key of another publisher and the development key are refused, each with its reason', () => {
  assertRefused(() => read(create({}, generateSigningKey().signer)), 'wrong-key')
  assertRefused(() => read(create({}, developmentSigner())), 'development')
  assert.ok(read(create({}, developmentSigner()), { trusted: [DEVELOPMENT_KEY] }).development)
  const unmarked = createUnmarked()
  assertRefused(() => read(unmarked, { trusted: [DEVELOPMENT_KEY] }), 'tampered')
})

/** A file that is signed with the development key and does not say so. */
function createUnmarked(): SignedChannelFile {
  const { key } = developmentSigner()
  return createChannelFile({ ...read(create()) }, { key, development: false })
}

test('the file of another name or of another channel is refused', () => {
  assertRefused(() => read(create(), { name: 'ultra-encode' }), 'wrong-name')
  assertRefused(() => read(create({ channel: 'pre-release' })), 'wrong-name')
})

test('a file is accepted until it expires', () => {
  assert.ok(read(create(), { now: EXPIRES - 1 }))
  assertRefused(() => read(create(), { now: EXPIRES }), 'expired')
})

test('a file with a lower number than the last accepted one is refused, and the same one is not', () => {
  assert.ok(read(create({ number: 7 }), { lastNumber: 7 }))
  assertRefused(() => read(create({ number: 6 }), { lastNumber: 7 }), 'rolled-back')
})

test('only what a channel file may contain is accepted, also from a trusted publisher', () => {
  const changes: object[] = [
    { format: 2 },
    { number: 0 },
    { number: 1.5 },
    { name: '../headend' },
    { expires: 'never' },
    { releases: Array(RELEASES_MAX + 1).fill(release) },
    ...['/etc/passwd', '../a', 'a/../../b', 'http://other/a', '//other/a', 'a?b', 'a\\b', '%2e%2e/a', '.a', ''].map(
      (file) => ({ releases: [{ ...release, file }] })
    ),
    { releases: [{ ...release, size: -1 }] },
    { releases: [{ ...release, sha256: 'ff' }] },
    { releases: [{ ...release, notes: { en: 'x' } }] },
    { releases: [{ ...release, notes: { en: 'x'.repeat(NOTES_MAX + 1), zh: '' } }] }
  ]
  for (const change of changes) assertRefused(() => read(signContent(change)), 'format')
  for (const text of ['null', '7', 'no JSON', '']) assertRefused(() => read(signText(Buffer.from(text))), 'format')
  assert.ok(read(signContent({ releases: [{ ...release, notes: { en: 'x'.repeat(NOTES_MAX), zh: '' } }] })))
  assert.ok(read(signContent({ releases: Array(RELEASES_MAX).fill(release) })))
})

test('a file above the limit is neither created nor read', () => {
  const notes = { en: 'x'.repeat(NOTES_MAX), zh: '更'.repeat(NOTES_MAX) }
  const releases: ChannelRelease[] = Array(RELEASES_MAX).fill({ ...release, notes })
  assertRefused(() => channelFiles(publisher.signer, releases), 'format')
  assertRefused(() => read(signText(Buffer.alloc(CHANNEL_FILE_MAX + 1, ' '))), 'format')
})

test.run()
