// Rules of the families of devices (docs/specification.md, section 1).
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  canRecordAndStream,
  hasConnectionConfig,
  hasDetailView,
  isInteractive
} from '../../contract/device/families.ts'
import * as products from '../../contract/device/products.ts'
import { displaySerial, familyOfProduct, findFamily, productIdOf } from '../../contract/device/products.ts'
import { DIR_INPUT } from '../../contract/stream/protocols.ts'

const test = suite('families of devices')

/** Product IDs by family. */
const PRODUCTS: Readonly<Record<string, readonly number[]>> = {
  'Ultra Stream': [769, 770],
  'Ultra Encode': [772, 773, 785, 786, 787, 789, 790],
  Director: [1297, 1305, 1318, 1320]
}

for (const [name, ids] of Object.entries(PRODUCTS))
  test(`products belong to the family ${name}`, () => {
    for (const id of ids) assert.equal(findFamily(familyOfProduct(id) ?? 0)?.name, name, String(id))
  })

test('the product ID is in characters 2 to 4 of a serial number, in hexadecimal', () => {
  assert.equal(productIdOf('B313210000001'), 787)
})

test('Ultra Stream, Director and some Ultra Encode record and stream by themselves', () => {
  const canRecord = (module: number, ...ids: number[]) =>
    ids.map((id) => canRecordAndStream({ module, 'product-id': id }))
  assert.deepEqual(canRecord(products.ULTRA_STREAM, 769), [true])
  assert.deepEqual(canRecord(products.DIRECTOR, 1297), [true])
  assert.deepEqual(canRecord(products.ULTRA_ENCODE, 787, 789, 790), [true, true, true])
  assert.deepEqual(canRecord(products.ULTRA_ENCODE, 772, 773, 785, 786), [false, false, false, false])
  assert.deepEqual(canRecord(products.PRO_CONVERT_DECODER, 1040), [false])
})

test("a third-party device that is not the vendor's own cannot be controlled", () => {
  assert.equal(isInteractive({ module: products.THIRD_PARTY }), false)
  assert.equal(isInteractive({ module: products.THIRD_PARTY, 'api-class': 'other' }), false)
  assert.ok(isInteractive({ module: products.THIRD_PARTY, 'api-class': products.VENDOR_API_CLASS }))
})
test('a device of the family Others has no page', () => assert.equal(hasDetailView({ module: products.OTHERS }), false))
test('a third-party serial number of more than 9 characters is shown without its first 9', () => {
  assert.equal(displaySerial('ABCDEFGHI12345', products.THIRD_PARTY), '12345')
  assert.equal(displaySerial('ABCDEFGHI', products.THIRD_PARTY), 'ABCDEFGHI')
  assert.equal(displaySerial('ABCDEFGHI12345', products.DIRECTOR), 'ABCDEFGHI12345')
})
test('Ultra Stream has no connection configuration', () => {
  assert.equal(hasConnectionConfig({ module: products.ULTRA_STREAM, dir: DIR_INPUT }), false)
  assert.equal(hasConnectionConfig({ module: products.DIRECTOR, dir: DIR_INPUT }), true)
})

test.run()
