import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  FAMILY_NAMES,
  familyOfProduct,
  OTHERS,
  productIdOf,
  shownSerial,
  THIRD_PARTY
} from '../../contract/device/products.ts'
import { lengthInUnits, streamName } from '../../contract/rules/rules.ts'
import { helloOf } from '../../fleet/identity.ts'
import { roster } from '../../fleet/roster.ts'
import { readHello } from '../../hub/devices/link/hello.ts'

const test = suite('roster')

test('24 devices cover every family', () => {
  const families = new Set(roster(24).map(({ model }) => model.family))
  assert.deepEqual(
    [...families].sort((a, b) => a - b),
    Object.keys(FAMILY_NAMES)
      .map(Number)
      .sort((a, b) => a - b)
  )
})

test('every serial number is unique, of the documented form, and names its own product and family', () => {
  const all = roster(300)
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

test('a third-party serial number is shown without the part that all of them share', () => {
  const third = roster(24).find(({ model }) => model.family === THIRD_PARTY)
  assert.equal(shownSerial(third?.sn ?? '', THIRD_PARTY), 'PTZ20X-00433')
})

test('a smaller fleet is the beginning of a larger one', () => {
  assert.deepEqual(roster(5), roster(50).slice(0, 5))
})

test('names are names that the console accepts', () => {
  for (const { name } of roster(60)) {
    assert.equal(streamName(name), undefined, name)
    assert.ok(lengthInUnits(name) <= 32, name)
  }
})

test('the hub takes the hello of every device, and each has a key of its own', () => {
  const hellos = roster(24).map((entry) => helloOf(entry, entry.name, 'seed'))
  for (const hello of hellos) {
    const header = Buffer.from(JSON.stringify(hello)).toString('base64url')
    assert.deepEqual(readHello(header), hello)
  }
  assert.equal(new Set(hellos.map(({ key }) => key)).size, 24)
  const [first] = roster(1)
  assert.ok(first)
  assert.equal(helloOf(first, 'x', 'seed').key, hellos[0]?.key)
  assert.notEqual(helloOf(first, 'x', 'other seed').key, hellos[0]?.key)
})

test.run()
