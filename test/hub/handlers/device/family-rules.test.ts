// The rules of the product families, as the hub applies them.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CLIENT_OFFLINE, SUCCESS, UNSUPPORTED } from '../../../../contract/codes.ts'
import { startLive, startRecording } from '../../../../contract/device/action.ts'
import { acceptDevices, configureDevices, queryDevice } from '../../../../contract/device/device.ts'
import {
  DIRECTOR,
  OTHERS,
  PRODUCT_FAMILIES,
  THIRD_PARTY,
  ULTRA_ENCODE,
  ULTRA_STREAM,
  VENDOR_API_CLASS
} from '../../../../contract/device/products.ts'
import { webPagePath } from '../../../../contract/device/web-page.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'

const test = suite('rules of the product families')
hubForEach(test)

/** Registers and accepts a device without a link. @returns its serial number */
async function accept(index: number, module: number, productId: number, apiClass?: string): Promise<string> {
  const hasId = productId > 0
  const sn = hasId
    ? `A${productId.toString(16).toUpperCase().padStart(3, '0')}${210_000_000 + index}`
    : `OTHER-${index}`
  const hello = helloOf(index, { sn, module, 'product-id': productId, ...(apiClass && { 'api-class': apiClass }) })
  hub.parts.registry.register(hello, '192.0.2.10')
  assert.deepEqual((await admin.send(acceptDevices, { sn: [sn] })).details, [{ sn, result: SUCCESS }])
  return sn
}

const CAPABLE: readonly [module: number, productIds: readonly number[]][] = [
  [ULTRA_STREAM, [769, 770]],
  [DIRECTOR, [1297, 1305, 1318, 1320]],
  [ULTRA_ENCODE, [787, 789, 790]]
]

test('recordings and live streams are started on Ultra Stream, Director and the Ultra Encode models 787, 789 and 790', async () => {
  let index = 0
  for (const [module, productIds] of CAPABLE)
    for (const productId of productIds) {
      const sn = [await accept(++index, module, productId)]
      // The hub tries, and the device is offline.
      assert.equal((await admin.send(startRecording, { sn })).result, CLIENT_OFFLINE, String(productId))
      assert.equal((await admin.send(startLive, { sn })).result, CLIENT_OFFLINE, String(productId))
    }
})

test('recordings and live streams are refused for the other Ultra Encode models and all other families', async () => {
  let index = 0
  const others = PRODUCT_FAMILIES.filter(({ id }) => !CAPABLE.some(([module]) => module === id))
  for (const [module, productId] of [
    ...[772, 773, 785, 786].map((id) => [ULTRA_ENCODE, id] as const),
    ...others.map(({ id }) => [id, 0] as const)
  ]) {
    const sn = [await accept(++index, module, productId, VENDOR_API_CLASS)]
    assert.equal((await admin.send(startRecording, { sn })).result, UNSUPPORTED, `${module} ${productId}`)
    assert.equal((await admin.send(startLive, { sn })).result, UNSUPPORTED, `${module} ${productId}`)
  }
})

test('every family but Ultra Stream has a connection configuration, Third Party and Others only with the marker of the vendor', async () => {
  const config = { input: { protocol: 2, 'stream-index': 0 } }
  for (const [index, { id, name }] of PRODUCT_FAMILIES.entries()) {
    const sn = await accept(index + 1, id, 0)
    const expected = [ULTRA_STREAM, THIRD_PARTY, OTHERS].includes(id) ? UNSUPPORTED : SUCCESS
    assert.equal((await admin.send(configureDevices, { sn: [sn], config })).result, expected, name)
    assert.deepEqual(
      (await admin.send(queryDevice, { sn })).dev.config,
      expected === SUCCESS ? config : undefined,
      name
    )
  }
  for (const [index, id] of [THIRD_PARTY, OTHERS].entries()) {
    const own = await accept(90 + index, id, 0, VENDOR_API_CLASS)
    assert.equal((await admin.send(configureDevices, { sn: [own], config })).result, SUCCESS)
  }
})

test('the hub opens no web page of Others and of third-party devices', async () => {
  for (const [index, { id, name }] of PRODUCT_FAMILIES.entries()) {
    const { status } = await admin.raw('GET', webPagePath(await accept(index + 1, id, 0)))
    // 502: the hub tries, and the device is offline.
    assert.equal(status, id === OTHERS || id === THIRD_PARTY ? 403 : 502, name)
  }
})

test.run()
