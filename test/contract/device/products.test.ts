import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { apiDefinition } from '../../../contract/device/api-definitions.ts'
import {
  ALL_FAMILIES,
  DIRECTOR,
  displaySerial,
  familyOfProduct,
  findFamily,
  listFamilies,
  OTHERS,
  PRO_CONVERT_DECODER,
  PRO_CONVERT_ENCODER,
  PRODUCT_FAMILIES,
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

test('the families have unique numbers, names and positions, and an API that is defined', () => {
  assert.ok(PRODUCT_FAMILIES.length >= 13)
  for (const key of ['id', 'name', 'order'] as const)
    assert.equal(new Set(PRODUCT_FAMILIES.map((family) => family[key])).size, PRODUCT_FAMILIES.length, key)
  for (const { name, api } of PRODUCT_FAMILIES) assert.ok(api === undefined || apiDefinition(api), name)
})

test('the families are listed in the order of the catalogue, whatever their numbers are', () => {
  const names = listFamilies().map(({ name }) => name)
  assert.deepEqual(names.slice(0, 4), ['Ultra Stream', 'Ultra Encode', 'Pro Convert Encoder', 'Pro Convert Decoder'])
  assert.deepEqual(names.slice(-2), ['Third Party', 'Others'])
})

test('families of rack units are marked, and an unknown number has no family', () => {
  assert.deepEqual(
    PRODUCT_FAMILIES.filter(({ hasRack }) => hasRack).map(({ name }) => name),
    ['Modator', 'Router']
  )
  assert.equal(findFamily(ALL_FAMILIES), undefined)
  assert.equal(findFamily(255), undefined)
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
