import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, SUCCESS, UNSUPPORTED } from '../../../contract/codes.ts'
import { WARNING } from '../../../contract/device/device.ts'
import { RELAYED } from '../../../contract/relay.ts'
import { mwapi } from '../../../fleet/apis/mwapi.ts'
import { mwapi as adapter } from '../../../hub/devices/adapters/mwapi.ts'
import { applianceOf, asked } from '../../kit/appliance.ts'

const test = suite('mwapi')

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client of the documented API would
const call = (device: ReturnType<typeof applianceOf>, query: string): any =>
  mwapi(device, asked('GET', `/mwapi?${query}`))

const DEVICE =
  'name model serial-no hw-revision fw-version up-to-date cpu-usage memory-usage core-temp board-id up-time'
const ETHERNET = 'state mac-addr ip-addr ip-mask gw-addr dns-addr tx-speed-kbps rx-speed-kbps'

test('get-summary-info has the documented fields, for each kind', () => {
  for (const [model, more] of [
    ['hdmiToNdi', 'input-state ptz-proto ptz-state fan-rpm'],
    ['ndiToHdmi', 'output-state'],
    ['usbFusion', 'input-hdmi-1-state input-hdmi-2-state input-web-camera-state hdmi-output-state storage-size fan-rpm']
  ] as const) {
    const { status, device, ethernet, ndi, out } = call(applianceOf(model), 'method=get-summary-info')
    assert.equal(status, SUCCESS)
    for (const field of `${DEVICE} ${more}`.split(' ')) assert.ok(field in device, `${model}: ${field}`)
    for (const field of ETHERNET.split(' ')) assert.ok(field in ethernet, `${model}: ${field}`)
    assert.ok(model === 'usbFusion' ? out : ndi, model)
  }
})

test('the hub reads the signal', () => {
  const device = applianceOf('hdmiToNdi')
  const read = () => adapter.read(call(device, 'method=get-summary-info'))
  assert.match(read()?.input ?? '', /^\d+x\d+p\d+$/)
  assert.equal(read()?.warns, 0)
  device.behaviour = 'no-signal'
  assert.equal(read()?.warns, WARNING.noSignal)
})

test('set-eth-config renames and changes nothing else', () => {
  const device = applianceOf('hdmiToNdi')
  assert.equal(call(device, 'method=set-eth-config&name=Organ').status, SUCCESS)
  assert.equal(call(device, 'method=get-summary-info').device.name, 'Organ')
  assert.equal(call(device, 'method=set-eth-config&name=x&dhcp=true').status, UNSUPPORTED)
  assert.equal(call(device, 'method=set-eth-config&name=%20').status, INVALID_ARG)
  assert.equal(call(device, 'method=set-eth-config').status, INVALID_ARG)
  assert.equal(device.name(), 'Organ')
})

test('every call that the hub relays is known; an unknown one is refused', () => {
  for (const method of Object.keys(RELAYED.mwapi))
    assert.equal(call(applianceOf('ndiToHdmi'), `method=${method}&name=x`).status, SUCCESS, method)
  assert.equal(call(applianceOf('ndiToHdmi'), 'method=reset-all-settings').status, UNSUPPORTED)
})

test('USB Fusion takes the method in the path too', () => {
  const answer = mwapi(applianceOf('usbFusion'), asked('POST', '/mwapi/V2.0/get-summary-info'))
  assert.equal((answer as { status: number }).status, SUCCESS)
})

test.run()
