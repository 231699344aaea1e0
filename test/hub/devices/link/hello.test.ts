import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { readHello } from '../../../../hub/devices/link/hello.ts'
import { helloHeader } from '../../../kit/fleet/link-device.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'

const test = suite('hello')

const readWith = (overrides: object) => readHello(helloHeader({ ...helloOf(1), ...overrides }))

test('a valid hello is read unchanged, without unknown fields', () => {
  assert.deepEqual(readHello(helloHeader(helloOf(1))), helloOf(1))
  assert.deepEqual(readWith({ code: '0165' }), { ...helloOf(1), code: '0165' })
  assert.deepEqual(readWith({ more: 1, __proto__: { admin: true } }), helloOf(1))
})

test('a name may be in any script, and surrounding spaces are removed', () => {
  assert.equal(readWith({ name: ' 会场一 👍🏽 Grüße ' })?.name, '会场一 👍🏽 Grüße')
})

test('a key is converted to lower case', () => {
  assert.equal(readWith({ key: 'AB'.repeat(32) })?.key, 'ab'.repeat(32))
})

test('a hello with a missing field or a field of a wrong type is refused', () => {
  for (const field of Object.keys(helloOf(1))) {
    assert.equal(readWith({ [field]: undefined }), undefined, `without ${field}`)
    for (const invalidValue of [null, {}, [], ['a'], 1.5, -1, '', ' ', 1e300])
      assert.equal(readWith({ [field]: invalidValue }), undefined, `${field}: ${JSON.stringify(invalidValue)}`)
  }
  assert.equal(readWith({ code: 165 }), undefined)
  assert.equal(readWith({ code: '' }), undefined)
  assert.equal(readWith({ preview: 1 }), undefined)
})

test('a text of 65 characters, or with a forbidden character, is refused', () => {
  for (const field of ['name', 'module-name', 'hardware-ver', 'firmware-ver', 'code']) {
    assert.ok(readWith({ [field]: 'x'.repeat(64) }), field)
    assert.equal(readWith({ [field]: 'x'.repeat(65) }), undefined, field)
    for (const forbidden of ['a\nb', 'a\0b', 'a\x7fb', 'a\x1b[31mb', 'a\u2028b', 'a\u202eb', 'a\ud800b'])
      assert.equal(readWith({ [field]: forbidden }), undefined, `${field}: ${JSON.stringify(forbidden)}`)
  }
})

test('a serial number has 4 to 64 word characters or hyphens', () => {
  assert.ok(readWith({ sn: 'TP_-' }))
  assert.ok(readWith({ sn: `B313${'0'.repeat(60)}` }))
  for (const sn of ['B31', `B313${'0'.repeat(61)}`, 'B313 1', 'B313/1', '../..', 'B313\n', 'é313', "B313'--"])
    assert.equal(readWith({ sn }), undefined, sn)
})

test('a key is 64 hex digits', () => {
  for (const key of ['a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64)]) assert.equal(readWith({ key }), undefined, key)
})

test('an unknown family, direction or API is refused', () => {
  for (const overrides of [{ module: 0 }, { module: 12 }, { module: '2' }, { dir: 1 }, { dir: 1024 }, { api: 'ftp' }])
    assert.equal(readWith(overrides), undefined, JSON.stringify(overrides))
  for (const dir of [0, 256, 512, 768]) assert.equal(readWith({ dir })?.dir, dir)
})

test('a serial number or product id of another family is refused', () => {
  assert.equal(readWith({ module: 1 }), undefined)
  assert.equal(readWith({ sn: 'B301210000001' }), undefined)
  assert.equal(readWith({ 'product-id': 769 }), undefined)
  assert.ok(readWith({ 'product-id': 789 }), 'another model of the family')
  assert.ok(readWith({ sn: 'XYZ-1' }), 'a serial number without a product id')
  assert.ok(readWith({ sn: 'BFFF1', 'product-id': 0xfff, module: 10 }), 'an unknown product id')
})

test('anything but base64url of a JSON object is refused', () => {
  const header = helloHeader(helloOf(1))
  for (const garbage of [
    undefined,
    '',
    '=',
    'not base64!',
    `${header}, ${header}`,
    header.slice(0, -3),
    helloHeader(null),
    helloHeader([]),
    helloHeader('text'),
    helloHeader(7),
    Buffer.from('{"sn":').toString('base64url'),
    Buffer.from([0xff, 0xfe, 0x7b]).toString('base64url'),
    Buffer.from('['.repeat(3000)).toString('base64url')
  ])
    assert.equal(readHello(garbage), undefined, String(garbage).slice(0, 40))
  assert.ok(readHello(`${header}=`.slice(0, header.length + ((4 - (header.length % 4)) % 4))))
})

test('a hello of 4096 bytes is read, one of 4097 is not', () => {
  const headerOfSize = (size: number) => {
    const filler = Math.floor((size * 3) / 4) - JSON.stringify({ ...helloOf(1), filler: '' }).length
    return helloHeader({ ...helloOf(1), filler: 'x'.repeat(filler) })
  }
  assert.equal(headerOfSize(4096).length, 4096)
  assert.ok(readHello(headerOfSize(4096)))
  assert.equal(readHello(headerOfSize(4098)), undefined)
})

test.run()
