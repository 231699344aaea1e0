import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { PackError, type PackErrorKind } from '../../pack/pack-error.ts'
import { type Machine, receiveRelease } from '../../pack/release.ts'
import { compareReleaseVersions } from '../../pack/release-version.ts'
import { HEAD_MAX, readUpdateHead } from '../../pack/update.ts'
import { createTestUpdate, generateSigningKey } from '../kit/hub/console-update.ts'
import { createSmallUpdate } from '../kit/hub/small-release.ts'

const test = suite('update with a release')

const { signer, publicKey } = generateSigningKey()
const UPDATE = createSmallUpdate({ version: '2.0.0', signer })
const HERE: Machine = { architecture: process.arch, hardware: undefined }

/** Reads an update that arrives in pieces. @returns bytes of its image */
async function receive(update: Buffer, machine = HERE, piece = 1000): Promise<number> {
  let bytes = 0
  async function* pieces() {
    for (let offset = 0; offset < update.length; offset += piece) yield update.subarray(offset, offset + piece)
  }
  await receiveRelease(pieces(), {
    trusted: [publicKey],
    machine,
    onFacts: async () => {},
    async writeImage(image) {
      for await (const part of image) bytes += part.length
    }
  })
  return bytes
}

async function refusal(update: Buffer, machine?: Machine): Promise<PackErrorKind | 'accepted'> {
  return receive(update, machine).then(
    () => 'accepted',
    (error) => {
      if (error instanceof PackError) return error.kind
      throw error
    }
  )
}

test('the same release and key give the same bytes', () => {
  assert.ok(createSmallUpdate({ version: '2.0.0', signer }).equals(UPDATE))
})

test('it is read whatever the size of the pieces in which it arrives', async () => {
  const size = await receive(UPDATE)
  for (const piece of [1, 511, 512, 513, UPDATE.length]) assert.equal(await receive(UPDATE, HERE, piece), size)
})

test('a changed byte anywhere, a missing end and an added byte are refused', async () => {
  // Every 97th byte: headers, statement, signature, manifest, image and padding.
  for (let offset = 0; offset < UPDATE.length; offset += 97) {
    const changed = Buffer.from(UPDATE)
    changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset)
    assert.notEqual(await refusal(changed), 'accepted', `byte ${offset}`)
  }
  assert.equal(await refusal(UPDATE.subarray(0, -1)), 'cut-short')
  assert.equal(await refusal(UPDATE.subarray(0, 1500)), 'cut-short')
  assert.equal(await refusal(Buffer.concat([UPDATE, Buffer.alloc(1)])), 'tampered')
})

test('a release of another signer, processor or model, or for a newer package, is refused', async () => {
  const others = {
    'wrong-key': { signer: generateSigningKey().signer },
    architecture: { architecture: 'riscv64' },
    hardware: { hardware: ['B'] }
  }
  for (const [kind, options] of Object.entries(others))
    assert.equal(await refusal(createSmallUpdate({ version: '2.0.0', signer, ...options })), kind)
  const forB = createSmallUpdate({ version: '2.0.0', signer, hardware: ['B'] })
  assert.equal(await refusal(forB, { ...HERE, hardware: 'B' }), 'accepted')
  assert.equal(await refusal(createTestUpdate('1', { signer })), 'not-a-pack')
})

test('a version that is no name of a folder is refused', async () => {
  for (const version of ['../1.0.0', '1/0', 'v1', '.1', `1${'0'.repeat(64)}`])
    assert.equal(await refusal(createSmallUpdate({ version, signer })), 'format', version)
})

test('the size of the whole file is known from its first 16 KiB', () => {
  assert.equal(readUpdateHead(UPDATE.subarray(0, 600), [publicKey]), undefined)
  assert.equal(readUpdateHead(UPDATE.subarray(0, HEAD_MAX), [publicKey])?.size, UPDATE.length)
})

test('versions are ordered as by Debian and by sort -V', () => {
  const ordered = ['0.9', '1.0~rc1', '1.0~rc2', '1.0', '1.0+1', '1.0.1', '1.2', '1.10', '2']
  for (const [index, version] of ordered.entries()) {
    assert.equal(compareReleaseVersions(version, version), 0)
    for (const higher of ordered.slice(index + 1)) {
      assert.ok(compareReleaseVersions(version, higher) < 0, `${version} < ${higher}`)
      assert.ok(compareReleaseVersions(higher, version) > 0, `${higher} > ${version}`)
    }
  }
})

test.run()
