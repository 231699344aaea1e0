import assert from 'node:assert/strict'
import { suite } from 'uvu'
import * as products from '../../../../contract/device/products.ts'
import { listGenerations } from '../../../../hub/devices/address/logins.ts'
import { DECODER_SUMMARY, ENCODER_SUMMARY } from '../adapters/examples.ts'

const test = suite('logins')
const generation = (api: string) => {
  const generation = listGenerations().find((candidate) => candidate.api === api)
  assert.ok(generation)
  return generation
}

test('a login contains the hash of the password that the generation requires, and never the password itself', () => {
  for (const { login } of listGenerations()) {
    const { path, body = '' } = login('Adm in', 'pass&word=1')
    assert.ok(!`${path}${body}`.includes('pass&word=1') && !`${path}${body}`.includes('pass%26word'))
  }
  assert.match(generation('usapi').login('Adm in', 'x').path, /^\/usapi\?method=login&id=Adm%20in&pass=[0-9a-f]{32}$/)
  assert.match(generation('mwapi').login('a', 'x').path, /^\/mwapi\?method=login&id=a&pass=[0-9a-f]{32}$/)
  const { method, path, body } = generation('api').login('a', 'x')
  assert.deepEqual([method, path], ['POST', '/api/user/login'])
  assert.match(String(body), /^\{"username":"a","password":"[0-9a-f]{64}"\}$/)
})

test('get-info of an Ultra device returns its identity', () => {
  const product = { sn: 'B313210600123', 'product-id': 787, 'hardware-ver': 'A', 'firmware-ver-s': '1.4.225' }
  const response = { result: 0, product: { ...product, 'module-name': 'Ultra Encode AIO' } }
  assert.deepEqual(generation('usapi').identity(response, undefined), {
    sn: 'B313210600123',
    name: 'Ultra Encode AIO',
    module: products.ULTRA_ENCODE,
    'product-id': 787,
    'module-name': 'Ultra Encode AIO',
    'hardware-ver': 'A',
    'firmware-ver': '1.4.225'
  })
})

test('Pro Convert encoders, decoders and USB Fusion are distinguished by serial number, else by their ports', () => {
  const { identity } = generation('mwapi')
  assert.equal(identity(ENCODER_SUMMARY, undefined)?.module, products.PRO_CONVERT_ENCODER)
  const device = { 'serial-no': 'X999000001', model: 'Something' }
  const moduleOf = (more: object, family?: number) =>
    identity({ ...DECODER_SUMMARY, device: { ...device, ...more } }, family)?.module
  assert.equal(moduleOf({ 'output-state': 'active' }), products.PRO_CONVERT_DECODER)
  assert.equal(moduleOf({ 'input-state': 'no-signal' }), products.PRO_CONVERT_ENCODER)
  assert.equal(moduleOf({ 'input-hdmi-1-state': 'no-signal' }), products.USB_FUSION)
  assert.equal(moduleOf({ model: 'USB Fusion' }), products.USB_FUSION)
  assert.equal(moduleOf({ 'input-state': 'x' }, products.PRO_CONVERT_AUDIO), products.PRO_CONVERT_AUDIO)
  assert.equal(moduleOf({ 'input-state': 'x' }, products.THIRD_PARTY), products.PRO_CONVERT_ENCODER)
})

test('the family of a newer device is taken from its name, else from the user, else it is OTHERS', () => {
  const { identity } = generation('api')
  const moduleOf = (name: string, family?: number) =>
    identity({ 'serial-number': 'X999000001', 'product-name': name }, family)?.module
  assert.equal(moduleOf('Modator 2U'), products.MODATOR)
  assert.equal(moduleOf('Box'), products.OTHERS)
  assert.equal(moduleOf('Box', products.XMIT), products.XMIT)
})

test('a response without a valid serial number has no identity', () => {
  for (const sn of [undefined, '', 'abc', 'x'.repeat(65), 'a b c d', '../../x', 7, null])
    for (const { identity } of listGenerations())
      assert.equal(
        identity({ product: { sn }, device: { 'serial-no': sn }, 'serial-number': sn }, undefined),
        undefined,
        String(sn)
      )
  for (const response of [null, [], 'x', 7, {}])
    for (const { identity } of listGenerations()) assert.equal(identity(response, undefined), undefined)
})

test('the cookie for a session id in the body is named after the serial number', () => {
  const { cookie } = generation('api')
  assert.equal(cookie?.({ sid: 'abc-1' }, 'A5'), 'sid-A5=abc-1')
  for (const sid of ['a;b', 'a b', '', 7, undefined, 'x'.repeat(300)]) assert.equal(cookie?.({ sid }, 'A5'), undefined)
  assert.equal(cookie?.({ sid: 'abc' }, ''), undefined)
})

test.run()
