import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  compareVersions,
  fitsDevice,
  infoOfHeader,
  infoOfName,
  MWF_HEAD_MAX,
  MWF_MAGIC,
  type MwfHeader,
  readMwfHead,
  versionText,
  writeMwfHead
} from '../../contract/mwf.ts'

const test = suite('mwf')

const header: MwfHeader = {
  'product-id': 787,
  'product-name': 'Ultra Encode AIO',
  'hardware-ver': 'A',
  version: '1.5.0',
  'build-time': 1_770_802_200,
  test: true,
  size: 5,
  sha256: 'ab'.repeat(32)
}

test('what is written is read, whatever follows it', () => {
  const head = writeMwfHead(header)
  const payload = new Uint8Array(MWF_HEAD_MAX).fill(0xff)
  const read = readMwfHead(new Uint8Array([...head, ...payload]))
  assert.deepEqual(read, { header, length: head.length })
})

test('a file without the magic is foreign, also an empty one', () => {
  assert.equal(readMwfHead(new Uint8Array()), 'foreign')
  assert.equal(readMwfHead(new Uint8Array(100)), 'foreign')
  assert.equal(readMwfHead(writeMwfHead(header).subarray(1)), 'foreign')
})

test('a header cut at any byte, and one with a field that cannot be, is broken', () => {
  const head = writeMwfHead(header)
  for (let end = MWF_MAGIC.length; end < head.length; end++)
    assert.equal(readMwfHead(head.subarray(0, end)), 'broken', `${end}`)
  const text = String.fromCharCode(...head)
  for (const [right, wrong] of [
    ['"hardware-ver":"A"', '"hardware-ver":"a"'],
    ['"hardware-ver":"A"', '"hardware-ver":12.'],
    ['"version":"1.5.0"', '"version":"1.5.x"'],
    ['"size":5', '"size":-'],
    ['"test":true', '"test":"ye"'],
    ['"product-id":787', '"product-id":7.7']
  ] as const) {
    assert.ok(text.includes(right))
    const bytes = Uint8Array.from(text.replace(right, wrong), (character) => character.charCodeAt(0))
    assert.equal(readMwfHead(bytes), 'broken', wrong)
  }
})

test('a header that no reader would take is not written', () => {
  for (const wrong of [{ version: '1.5' }, { 'hardware-ver': 'AB' }, { size: -1 }, { 'product-name': 'Zürich' }])
    assert.throws(() => writeMwfHead({ ...header, ...wrong }), JSON.stringify(wrong))
})

test('a name says model, hardware and version, or nothing', () => {
  const info = infoOfName('ultra_stream_sdi_rev_a_1_5_79.mwf')
  assert.ok(info)
  assert.equal(info['product-name'], 'ultra stream sdi')
  assert.equal(info['hardware-ver'], 'A')
  assert.equal(versionText(info), '1.5.79')
  for (const name of [
    'firmware.mwf',
    'a_rev_1_1_5_79.mwf',
    'a_rev_a_1_5.mwf',
    'a_rev_a_1_5_79.bin',
    '../a_rev_a_1_5_79.mwf'
  ])
    assert.equal(infoOfName(name), undefined, name)
})

test('a firmware fits by product id and hardware, or by the name of the model where it has no id', () => {
  const device = { 'product-id': 769, 'module-name': 'Ultra Stream SDI', 'hardware-ver': 'A' }
  const named = infoOfName('ultra_stream_sdi_rev_a_1_5_79.mwf')
  assert.ok(named)
  assert.ok(fitsDevice(named, device))
  assert.ok(!fitsDevice(named, { ...device, 'hardware-ver': 'B' }))
  assert.ok(!fitsDevice(named, { ...device, 'module-name': 'Ultra Stream HDMI' }))
  const own = infoOfHeader({ ...header, 'product-id': 769 })
  assert.ok(fitsDevice(own, device), 'the name of the model does not count beside the id')
  assert.ok(!fitsDevice(infoOfHeader(header), device))
})

test('versions are compared by their numbers', () => {
  assert.ok(compareVersions('1.9.0', '1.10.0') < 0)
  assert.ok(compareVersions('2.0.0', '1.99.99') > 0)
  assert.equal(compareVersions('1.5.79', '1.5.79'), 0)
  assert.ok(compareVersions('nonsense', '0.0.1') < 0)
})

test.run()
