// Third-party devices: the hub controls those that carry the marker of the vendor, and refuses every call to the
// others.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CLIENT_OFFLINE, SUCCESS, UNSUPPORTED } from '../../../../contract/codes.ts'
import { rebootDevices, renameDevice, startRecording } from '../../../../contract/device/action.ts'
import { acceptDevices, configureDevices, listDevices, queryDevice } from '../../../../contract/device/device.ts'
import { THIRD_PARTY, VENDOR_API_CLASS } from '../../../../contract/device/products.ts'
import { webPagePath } from '../../../../contract/device/web-page.ts'
import { startPortForward } from '../../../../contract/port-forward.ts'
import { type SimulatedFleet, startSimulatedFleet } from '../../../kit/fleet/simulated-fleet.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'

const test = suite('class of devices')
let fleet: SimulatedFleet
test.after.each(() => {
  fleet.close()
})
hubForEach(test, { actions: { response: 2500, poll: 4000 } })
test.before.each(async () => {
  fleet = await startSimulatedFleet(hub, admin)
})

test('a third-party device with the marker of the vendor is renamed, rebooted, configured, forwarded and opened', async () => {
  const sn = await fleet.add('brandedEncoder')
  const { dev } = await admin.send(queryDevice, { sn })
  assert.deepEqual([dev.module, dev['api-class']], [THIRD_PARTY, VENDOR_API_CLASS])
  assert.equal((await admin.send(renameDevice, { sn, name: 'Balcony 2' })).result, SUCCESS)
  assert.equal((await admin.send(listDevices, { key: sn })).list[0]?.name, 'Balcony 2')
  const config = { input: { protocol: 2, 'stream-index': 0 } }
  assert.equal((await admin.send(configureDevices, { sn: [sn], config })).result, SUCCESS)
  assert.equal((await admin.send(startPortForward, { sn, 'remote-port': 80 })).result, SUCCESS)
  assert.equal((await admin.raw('GET', webPagePath(sn))).status, 303)
  const relayed = await admin.raw('POST', `/socket/api/system/set-device-name?sc-client-id=${sn}`, {
    body: '{"name":"Balcony 3"}'
  })
  assert.equal(((await relayed.json()) as { status: number }).status, SUCCESS)
  assert.equal((await admin.send(rebootDevices, { sn: [sn] })).result, SUCCESS)
})

test('a third-party device without the marker is refused every call, even if it has an API and is online', async () => {
  const camera = await fleet.add('ptzCamera')
  const { dev } = await admin.send(queryDevice, { sn: camera })
  assert.deepEqual([dev.module, dev['api-class']], [THIRD_PARTY, 'onvif'])
  const other = helloOf(2, {
    module: THIRD_PARTY,
    sn: '3RDPARTY-OTHER1',
    'product-id': 787,
    'api-class': 'x',
    api: 'usapi'
  })
  hub.parts.registry.register(other, '192.0.2.10')
  await admin.send(acceptDevices, { sn: [other.sn] })
  for (const sn of [camera, other.sn]) {
    assert.equal((await admin.send(renameDevice, { sn, name: 'Balcony' })).result, UNSUPPORTED)
    assert.equal((await admin.send(rebootDevices, { sn: [sn] })).result, UNSUPPORTED)
    assert.equal((await admin.send(startRecording, { sn: [sn] })).result, UNSUPPORTED)
    const config = { input: { protocol: 2, 'stream-index': 0 } }
    assert.equal((await admin.send(configureDevices, { sn: [sn], config })).result, UNSUPPORTED)
    assert.equal((await admin.send(startPortForward, { sn, 'remote-port': 80 })).result, UNSUPPORTED)
    const page = await admin.raw('GET', webPagePath(sn))
    assert.equal(page.status, 403)
    assert.match(await page.text(), /cannot open pages of this kind/)
    const relayed = await admin.raw('GET', `/socket/usapi?method=get-info&sc-client-id=${sn}`)
    assert.equal(((await relayed.json()) as { result: number }).result, UNSUPPORTED)
  }
})

test('the class of a device follows its hello, and a device without a class has none', async () => {
  const hello = helloOf(1, { module: THIRD_PARTY, sn: '3RDPARTY-CLASS', 'product-id': 0, api: 'api' })
  hub.parts.registry.register(hello, '192.0.2.10')
  await admin.send(acceptDevices, { sn: [hello.sn] })
  const reboot = async () => (await admin.send(rebootDevices, { sn: [hello.sn] })).result
  assert.equal((await admin.send(queryDevice, { sn: hello.sn })).dev['api-class'], undefined)
  assert.equal(await reboot(), UNSUPPORTED)
  hub.parts.registry.register({ ...hello, 'api-class': VENDOR_API_CLASS }, '192.0.2.10')
  assert.equal((await admin.send(queryDevice, { sn: hello.sn })).dev['api-class'], VENDOR_API_CLASS)
  assert.equal(await reboot(), CLIENT_OFFLINE)
})

test('the page of a device of the family Others is not opened', async () => {
  const sn = await fleet.add('workstation')
  const page = await admin.raw('GET', webPagePath(sn))
  assert.equal(page.status, 403)
  assert.equal(page.headers.get('set-cookie'), null)
})

test.run()
