import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  hasConnection,
  hasDetail,
  isInteractive,
  nameRule,
  recordsAndStreams
} from '../../../contract/device/families.ts'
import * as products from '../../../contract/device/products.ts'

const test = suite('families')
const FAMILIES = Object.keys(products.FAMILY_NAMES).map(Number)
const allBut = (rule: (kind: { module: number }) => boolean) => FAMILIES.filter((module) => !rule({ module }))

test('Ultra Stream, Director and three models of Ultra Encode record and stream, and no other', () => {
  const able = FAMILIES.filter((module) => recordsAndStreams({ module, 'product-id': 0 }))
  assert.deepEqual(able.sort(), [products.ULTRA_STREAM, products.DIRECTOR].sort())
  const encoders = [772, 773, 785, 786, 787, 789, 790].filter((id) =>
    recordsAndStreams({ module: products.ULTRA_ENCODE, 'product-id': id })
  )
  assert.deepEqual(encoders, [787, 789, 790])
})

test('third parties cannot be interacted with, others not be viewed, and Ultra Stream has no connection', () => {
  assert.deepEqual(allBut(isInteractive), [products.THIRD_PARTY])
  assert.deepEqual(allBut(hasDetail), [products.OTHERS])
  assert.deepEqual(allBut(hasConnection).sort(), [products.ULTRA_STREAM, products.THIRD_PARTY].sort())
})

test('Pro Convert and USB Fusion take letters, digits, space and _-; the others more', () => {
  const wide = FAMILIES.filter((module) => !nameRule({ module })("a.+'[]()", undefined))
  const narrow = [products.PRO_CONVERT_ENCODER, products.PRO_CONVERT_DECODER, products.USB_FUSION]
  assert.deepEqual(wide.sort(), FAMILIES.filter((module) => !narrow.includes(module)).sort())
  for (const module of FAMILIES) {
    assert.equal(nameRule({ module })('Hall 1_-', undefined), undefined)
    assert.equal(nameRule({ module })('Hall/1', undefined)?.name, 'characters')
    assert.equal(nameRule({ module })(' Hall', undefined)?.name, 'outer-space')
  }
})

test.run()
