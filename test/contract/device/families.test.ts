import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  canRecordAndStream,
  deviceNameRule,
  hasConnectionConfig,
  hasDetailView,
  isInteractive
} from '../../../contract/device/families.ts'
import * as products from '../../../contract/device/products.ts'
import { DIR_INPUT, DIR_NONE, DIR_OUTPUT } from '../../../contract/stream/protocols.ts'

const test = suite('families')
const FAMILIES = products.PRODUCT_FAMILIES.map(({ id }) => id)
const familiesWithout = (rule: (model: { module: number; dir: number }) => boolean) =>
  FAMILIES.filter((module) => !rule({ module, dir: DIR_INPUT }))

test('only Ultra Stream, Director and three Ultra Encode models can record and stream', () => {
  const capable = FAMILIES.filter((module) => canRecordAndStream({ module, 'product-id': 0 }))
  assert.deepEqual(capable.sort(), [products.ULTRA_STREAM, products.DIRECTOR].sort())
  const encoders = [772, 773, 785, 786, 787, 789, 790].filter((id) =>
    canRecordAndStream({ module: products.ULTRA_ENCODE, 'product-id': id })
  )
  assert.deepEqual(encoders, [787, 789, 790])
  for (const module of [products.THIRD_PARTY, products.OTHERS, products.PRO_CONVERT_ENCODER])
    assert.equal(canRecordAndStream({ module, 'product-id': 787 }), false)
})

test('third-party devices and Others are not interactive, Others have no detail view, Ultra Stream has no connection configuration', () => {
  const { ULTRA_STREAM, THIRD_PARTY, OTHERS } = products
  assert.deepEqual(familiesWithout(isInteractive), [THIRD_PARTY, OTHERS])
  assert.deepEqual(familiesWithout(hasDetailView), [OTHERS])
  assert.deepEqual(familiesWithout(hasConnectionConfig).sort(), [ULTRA_STREAM, THIRD_PARTY, OTHERS].sort())
})

test('a device that exchanges no streams with the hub has no connection configuration', () => {
  const has = (dir: number) => hasConnectionConfig({ module: products.ULTRA_ENCODE, dir })
  assert.deepEqual([DIR_NONE, DIR_INPUT, DIR_OUTPUT].map(has), [false, true, true])
  assert.equal(hasConnectionConfig({ module: products.ULTRA_ENCODE, dir: DIR_INPUT, 'sends-over': 'NDI' }), false)
})

test('of third-party devices and Others only those with the marker of the vendor can be controlled and configured', () => {
  const { THIRD_PARTY, OTHERS, VENDOR_API_CLASS } = products
  for (const module of [THIRD_PARTY, OTHERS]) {
    for (const apiClass of ['', 'onvif', VENDOR_API_CLASS.toUpperCase(), ` ${VENDOR_API_CLASS}`]) {
      assert.equal(isInteractive({ module, 'api-class': apiClass }), false, apiClass)
      assert.equal(hasConnectionConfig({ module, dir: DIR_INPUT, 'api-class': apiClass }), false, apiClass)
    }
    assert.equal(isInteractive({ module, 'api-class': VENDOR_API_CLASS }), true)
    assert.equal(hasConnectionConfig({ module, dir: DIR_INPUT, 'api-class': VENDOR_API_CLASS }), true)
  }
  // The marker changes nothing for the other families.
  assert.equal(
    hasConnectionConfig({ module: products.ULTRA_STREAM, dir: DIR_INPUT, 'api-class': VENDOR_API_CLASS }),
    false
  )
  assert.equal(isInteractive({ module: products.ULTRA_ENCODE, 'api-class': 'onvif' }), true)
})

test('names of Pro Convert and USB devices have fewer allowed characters', () => {
  const wide = FAMILIES.filter((module) => !deviceNameRule({ module })("a.+'[]()", undefined))
  const narrow = [products.PRO_CONVERT_ENCODER, products.PRO_CONVERT_DECODER, products.USB_FUSION, products.USB_CAPTURE]
  assert.deepEqual(wide.sort(), FAMILIES.filter((module) => !narrow.includes(module)).sort())
  for (const module of FAMILIES) {
    assert.equal(deviceNameRule({ module })('Hall 1_-', undefined), undefined)
    assert.equal(deviceNameRule({ module })('Hall/1', undefined)?.name, 'characters')
    assert.equal(deviceNameRule({ module })(' Hall', undefined)?.name, 'outer-space')
  }
})

test.run()
