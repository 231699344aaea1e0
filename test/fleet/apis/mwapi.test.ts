import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, SUCCESS, UNSUPPORTED } from '../../../contract/codes.ts'
import { relayedMethods } from '../../../contract/device/api-definitions.ts'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { handleMwapi } from '../../../fleet/apis/mwapi.ts'
import type { Adapter } from '../../../hub/devices/adapters/adapter.ts'
import { adapterOf } from '../../../hub/devices/adapters/generations.ts'
import { createApiRequest, createTestAppliance } from '../../kit/fleet/appliance.ts'

const test = suite('mwapi')
const adapter = adapterOf('mwapi') as Adapter

// biome-ignore lint/suspicious/noExplicitAny: the response has the fields of the documented API
const call = (device: ReturnType<typeof createTestAppliance>, query: string): any =>
  handleMwapi(device, createApiRequest('GET', `/mwapi?${query}`))

const DEVICE =
  'name model serial-no hw-revision fw-version up-to-date cpu-usage memory-usage core-temp board-id up-time'
const ETHERNET = 'state mac-addr ip-addr ip-mask gw-addr dns-addr tx-speed-kbps rx-speed-kbps'

test('get-summary-info has the documented fields for each kind of device', () => {
  for (const [model, fields] of [
    ['hdmiToNdi', 'input-state ptz-proto ptz-state fan-rpm'],
    ['ndiToHdmi', 'output-state'],
    ['usbFusion', 'input-hdmi-1-state input-hdmi-2-state input-web-camera-state hdmi-output-state storage-size fan-rpm']
  ] as const) {
    const { status, device, ethernet, ndi, out } = call(createTestAppliance(model), 'method=get-summary-info')
    assert.equal(status, SUCCESS)
    for (const field of `${DEVICE} ${fields}`.split(' ')) assert.ok(field in device, `${model}: ${field}`)
    for (const field of ETHERNET.split(' ')) assert.ok(field in ethernet, `${model}: ${field}`)
    assert.ok(model === 'usbFusion' ? out : ndi, model)
  }
})

test('the hub reads the input signal', () => {
  const device = createTestAppliance('hdmiToNdi')
  const readStatus = () => adapter.readStatus(call(device, 'method=get-summary-info'))
  assert.match(readStatus()?.input ?? '', /^\d+x\d+p\d+$/)
  assert.equal(readStatus()?.warns, 0)
  device.behaviour = 'no-signal'
  assert.equal(readStatus()?.warns, DEVICE_WARNING_BITS.noSignal)
})

test('set-eth-config renames the device, and refuses other settings', () => {
  const device = createTestAppliance('hdmiToNdi')
  assert.equal(call(device, 'method=set-eth-config&name=Organ').status, SUCCESS)
  assert.equal(call(device, 'method=get-summary-info').device.name, 'Organ')
  assert.equal(call(device, 'method=set-eth-config&name=x&dhcp=true').status, UNSUPPORTED)
  assert.equal(call(device, 'method=set-eth-config&name=%20').status, INVALID_ARG)
  assert.equal(call(device, 'method=set-eth-config').status, INVALID_ARG)
  assert.equal(device.name(), 'Organ')
})

test('every request that the hub relays is supported; an unknown one is refused', () => {
  for (const method of Object.keys(relayedMethods('mwapi') ?? {}))
    assert.equal(call(createTestAppliance('ndiToHdmi'), `method=${method}&name=x`).status, SUCCESS, method)
  assert.equal(call(createTestAppliance('ndiToHdmi'), 'method=reset-all-settings').status, UNSUPPORTED)
})

test('USB Fusion also accepts the method in the path', () => {
  const response = handleMwapi(
    createTestAppliance('usbFusion'),
    createApiRequest('POST', '/mwapi/V2.0/get-summary-info')
  )
  assert.equal((response as { status: number }).status, SUCCESS)
})

test.run()
