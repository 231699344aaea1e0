import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { readHello } from '../../../../hub/devices/link/hello.ts'
import { helloOf } from '../../../kit/device.ts'
import { helloHeader } from '../../../kit/link-device.ts'

const test = suite('hello')

const read = (more: object) => readHello(helloHeader({ ...helloOf(1), ...more }))

test('a whole hello is read as it is, without what the contract does not know', () => {
  assert.deepEqual(readHello(helloHeader(helloOf(1))), helloOf(1))
  assert.deepEqual(read({ code: '0165' }), { ...helloOf(1), code: '0165' })
  assert.deepEqual(read({ more: 1, __proto__: { admin: true } }), helloOf(1))
})

test('a name of other scripts is welcome, spaces around it are not kept', () => {
  assert.equal(read({ name: ' 会场一 👍🏽 Grüße ' })?.name, '会场一 👍🏽 Grüße')
})

test('a key is one key in either case', () => {
  assert.equal(read({ key: 'AB'.repeat(32) })?.key, 'ab'.repeat(32))
})

test('each field that is missing or of another type is refused', () => {
  for (const field of Object.keys(helloOf(1))) {
    assert.equal(read({ [field]: undefined }), undefined, `without ${field}`)
    for (const wrong of [null, {}, [], ['a'], 1.5, -1, '', ' ', 1e300])
      assert.equal(read({ [field]: wrong }), undefined, `${field}: ${JSON.stringify(wrong)}`)
  }
  assert.equal(read({ code: 165 }), undefined)
  assert.equal(read({ code: '' }), undefined)
  assert.equal(read({ preview: 1 }), undefined)
})

test('what is too long, or has characters that lie or break a log, is refused', () => {
  for (const field of ['name', 'module-name', 'hardware-ver', 'firmware-ver', 'code']) {
    assert.ok(read({ [field]: 'x'.repeat(64) }), field)
    assert.equal(read({ [field]: 'x'.repeat(65) }), undefined, field)
    for (const unfit of ['a\nb', 'a\0b', 'a\x7fb', 'a\x1b[31mb', 'a\u2028b', 'a\u202eb', 'a\ud800b'])
      assert.equal(read({ [field]: unfit }), undefined, `${field}: ${JSON.stringify(unfit)}`)
  }
})

test('a serial is 4 to 64 word characters and hyphens', () => {
  assert.ok(read({ sn: 'TP_-' }))
  assert.ok(read({ sn: `B313${'0'.repeat(60)}` }))
  for (const sn of ['B31', `B313${'0'.repeat(61)}`, 'B313 1', 'B313/1', '../..', 'B313\n', 'é313', "B313'--"])
    assert.equal(read({ sn }), undefined, sn)
})

test('a key is 64 hex digits', () => {
  for (const key of ['a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64)]) assert.equal(read({ key }), undefined, key)
})

test('family, direction and generation are ones that exist', () => {
  for (const more of [{ module: 0 }, { module: 12 }, { module: '2' }, { dir: 1 }, { dir: 1024 }, { api: 'ftp' }])
    assert.equal(read(more), undefined, JSON.stringify(more))
  for (const dir of [0, 256, 512, 768]) assert.equal(read({ dir })?.dir, dir)
})

test('a serial or a product id of another family is no legal device', () => {
  assert.equal(read({ module: 1 }), undefined)
  assert.equal(read({ sn: 'B301210000001' }), undefined)
  assert.equal(read({ 'product-id': 769 }), undefined)
  assert.ok(read({ 'product-id': 789 }), 'another model of the family')
  assert.ok(read({ sn: 'XYZ-1' }), 'a serial that says nothing')
  assert.ok(read({ sn: 'BFFF1', 'product-id': 0xfff, module: 10 }), 'a product nobody listed')
})

test('what is no base64url of a JSON object is refused', () => {
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
  const grown = (size: number) => {
    const filler = Math.floor((size * 3) / 4) - JSON.stringify({ ...helloOf(1), filler: '' }).length
    return helloHeader({ ...helloOf(1), filler: 'x'.repeat(filler) })
  }
  assert.equal(grown(4096).length, 4096)
  assert.ok(readHello(grown(4096)))
  assert.equal(readHello(grown(4098)), undefined)
})

test.run()
