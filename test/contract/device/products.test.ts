import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ALL_FAMILIES,
  DIRECTOR,
  displaySerial,
  FAMILY_NAMES,
  familyOfProduct,
  OTHERS,
  PRO_CONVERT_DECODER,
  PRO_CONVERT_ENCODER,
  productIdOf,
  THIRD_PARTY,
  ULTRA_ENCODE,
  ULTRA_STREAM
} from '../../../contract/device/products.ts'

const test = suite('products')

test('the families have the numbers of the wire format', () => {
  assert.deepEqual(
    [ALL_FAMILIES, PRO_CONVERT_ENCODER, PRO_CONVERT_DECODER, OTHERS, THIRD_PARTY],
    [0, 3, 4, 254, 4278190080]
  )
})

test('thirteen families have unique names', () => {
  const names = Object.values(FAMILY_NAMES)
  assert.equal(names.length, 13)
  assert.equal(new Set(names).size, 13)
})

test('the product id is in characters 2 to 4 of a serial number, hexadecimal in either case', () => {
  assert.equal(productIdOf('B313210600123'), 787)
  assert.equal(productIdOf('A301'), 769)
  assert.equal(productIdOf('x5aF9'), 0x5af)
  for (const sn of ['', 'B', 'B31', 'B3G1', 'B 31', 'B-313', 'B3.1']) assert.equal(productIdOf(sn), undefined, sn)
})

test('known products have a family, unknown products have none', () => {
  const families = [
    [ULTRA_STREAM, [769, 770]],
    [ULTRA_ENCODE, [772, 773, 785, 786, 787, 789, 790]],
    [DIRECTOR, [1297, 1305, 1318, 1320]]
  ] as const
  for (const [family, products] of families)
    for (const product of products) assert.equal(familyOfProduct(product), family, String(product))
  for (const product of [0, 768, 771, 788, 4096, -1, Number.NaN]) assert.equal(familyOfProduct(product), undefined)
})

test('a third-party serial number longer than 9 is displayed without its first 9 characters, all others unchanged', () => {
  assert.equal(displaySerial('123456789', THIRD_PARTY), '123456789')
  assert.equal(displaySerial('1234567890', THIRD_PARTY), '0')
  assert.equal(displaySerial('B313210600123', ULTRA_ENCODE), 'B313210600123')
})

test.run()
