import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  compareVersions,
  encodeMwfHeader,
  firmwareInfoFromHeader,
  fitsDevice,
  formatVersion,
  MWF_HEADER_MAX,
  MWF_MAGIC,
  type MwfHeader,
  parseFirmwareFileName,
  parseMwfHeader
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

test('an encoded header is parsed, whatever follows it', () => {
  const head = encodeMwfHeader(header)
  const payload = new Uint8Array(MWF_HEADER_MAX).fill(0xff)
  const parsed = parseMwfHeader(new Uint8Array([...head, ...payload]))
  assert.deepEqual(parsed, { header, length: head.length })
})

test('a file without the magic, or an empty file, is foreign', () => {
  assert.equal(parseMwfHeader(new Uint8Array()), 'foreign')
  assert.equal(parseMwfHeader(new Uint8Array(100)), 'foreign')
  assert.equal(parseMwfHeader(encodeMwfHeader(header).subarray(1)), 'foreign')
})

test('a header that is truncated or has an invalid field is broken', () => {
  const head = encodeMwfHeader(header)
  for (let end = MWF_MAGIC.length; end < head.length; end++)
    assert.equal(parseMwfHeader(head.subarray(0, end)), 'broken', `${end}`)
  const text = String.fromCharCode(...head)
  for (const [valid, invalid] of [
    ['"hardware-ver":"A"', '"hardware-ver":"a"'],
    ['"hardware-ver":"A"', '"hardware-ver":12.'],
    ['"version":"1.5.0"', '"version":"1.5.x"'],
    ['"size":5', '"size":-'],
    ['"test":true', '"test":"ye"'],
    ['"product-id":787', '"product-id":7.7']
  ] as const) {
    assert.ok(text.includes(valid))
    const bytes = Uint8Array.from(text.replace(valid, invalid), (character) => character.charCodeAt(0))
    assert.equal(parseMwfHeader(bytes), 'broken', invalid)
  }
})

test('an invalid header is not encoded', () => {
  for (const invalid of [{ version: '1.5' }, { 'hardware-ver': 'AB' }, { size: -1 }, { 'product-name': 'Zürich' }])
    assert.throws(() => encodeMwfHeader({ ...header, ...invalid }), JSON.stringify(invalid))
})

test('a file name has model, hardware and version, else it is not parsed', () => {
  const info = parseFirmwareFileName('ultra_stream_sdi_rev_a_1_5_79.mwf')
  assert.ok(info)
  assert.equal(info['product-name'], 'ultra stream sdi')
  assert.equal(info['hardware-ver'], 'A')
  assert.equal(formatVersion(info), '1.5.79')
  for (const name of [
    'firmware.mwf',
    'a_rev_1_1_5_79.mwf',
    'a_rev_a_1_5.mwf',
    'a_rev_a_1_5_79.bin',
    '../a_rev_a_1_5_79.mwf'
  ])
    assert.equal(parseFirmwareFileName(name), undefined, name)
})

test('a firmware is compatible by product id and hardware, or by model name if it has no product id', () => {
  const device = { 'product-id': 769, 'module-name': 'Ultra Stream SDI', 'hardware-ver': 'A' }
  const withoutId = parseFirmwareFileName('ultra_stream_sdi_rev_a_1_5_79.mwf')
  assert.ok(withoutId)
  assert.ok(fitsDevice(withoutId, device))
  assert.ok(!fitsDevice(withoutId, { ...device, 'hardware-ver': 'B' }))
  assert.ok(!fitsDevice(withoutId, { ...device, 'module-name': 'Ultra Stream HDMI' }))
  const withId = firmwareInfoFromHeader({ ...header, 'product-id': 769 })
  assert.ok(fitsDevice(withId, device), 'with a product id the model name is ignored')
  assert.ok(!fitsDevice(firmwareInfoFromHeader(header), device))
})

test('versions are compared numerically', () => {
  assert.ok(compareVersions('1.9.0', '1.10.0') < 0)
  assert.ok(compareVersions('2.0.0', '1.99.99') > 0)
  assert.equal(compareVersions('1.5.79', '1.5.79'), 0)
  assert.ok(compareVersions('nonsense', '0.0.1') < 0)
})

test.run()
