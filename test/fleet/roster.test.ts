import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  displaySerial,
  familyOfProduct,
  OTHERS,
  PRODUCT_FAMILIES,
  productIdOf,
  THIRD_PARTY
} from '../../contract/device/products.ts'
import { lengthInUnits, streamName } from '../../contract/rules/rules.ts'
import { createHello } from '../../fleet/identity.ts'
import { createRoster } from '../../fleet/roster.ts'
import { readHello } from '../../hub/devices/link/hello.ts'

const test = suite('roster')

test('24 devices cover every family', () => {
  const families = new Set(createRoster(24).map(({ model }) => model.family))
  assert.deepEqual(
    [...families].sort((a, b) => a - b),
    PRODUCT_FAMILIES.map(({ id }) => id).sort((a, b) => a - b)
  )
})

test('every serial number is unique, has the documented format, and contains the product id', () => {
  const all = createRoster(300)
  assert.equal(new Set(all.map(({ sn }) => sn)).size, 300)
  for (const { sn, model } of all) {
    if (model.family === THIRD_PARTY || model.family === OTHERS) {
      assert.equal(productIdOf(sn), undefined, sn)
      continue
    }
    assert.match(sn, /^[A-Z][0-9A-F]{3}\d{9}$/)
    assert.equal(productIdOf(sn), model.productId, sn)
    assert.ok([undefined, model.family].includes(familyOfProduct(model.productId)), sn)
  }
})

test('a third-party serial number is displayed without the common prefix', () => {
  const third = createRoster(24).find(({ model }) => model.family === THIRD_PARTY)
  assert.equal(displaySerial(third?.sn ?? '', THIRD_PARTY), 'PTZ20X-00433')
})

test('a smaller fleet is the beginning of a larger one', () => {
  assert.deepEqual(createRoster(5), createRoster(50).slice(0, 5))
})

test('all names are valid in the console', () => {
  for (const { name } of createRoster(60)) {
    assert.equal(streamName(name), undefined, name)
    assert.ok(lengthInUnits(name) <= 32, name)
  }
})

test('the hub accepts the hello of every device, and each device has its own key', () => {
  const hellos = createRoster(24).map((entry) => createHello(entry, entry.name, 'seed'))
  for (const hello of hellos) {
    const header = Buffer.from(JSON.stringify(hello)).toString('base64url')
    assert.deepEqual(readHello(header), hello)
  }
  assert.equal(new Set(hellos.map(({ key }) => key)).size, 24)
  const [first] = createRoster(1)
  assert.ok(first)
  assert.equal(createHello(first, 'x', 'seed').key, hellos[0]?.key)
  assert.notEqual(createHello(first, 'x', 'other seed').key, hellos[0]?.key)
})

test.run()
