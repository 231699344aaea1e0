import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import { relayedMethods } from '../../../contract/device/api-definitions.ts'
import { DEVICE_STATUS_BITS, DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { handleUsapi } from '../../../fleet/apis/usapi.ts'
import type { Adapter } from '../../../hub/devices/adapters/adapter.ts'
import { adapterOf } from '../../../hub/devices/adapters/generations.ts'
import { createApiRequest, createTestAppliance } from '../../kit/fleet/appliance.ts'

const test = suite('usapi')
const adapter = adapterOf('usapi') as Adapter

// biome-ignore lint/suspicious/noExplicitAny: the response has the fields of the documented API
const call = (device: ReturnType<typeof createTestAppliance>, query: string): any =>
  handleUsapi(device, createApiRequest('GET', `/usapi?${query}`))

test('get-status has the documented fields', () => {
  const device = createTestAppliance('encodeAio')
  const status = call(device, 'method=get-status')
  assert.equal(status.result, 0)
  assert.equal(status['box-name'], 'Main Hall PTZ')
  assert.match(status['cur-time'], /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.ok(status['cpu-temperature'] > 20_000 && status['cpu-temperature'] < 90_000)
  for (const field of ['uptime', 'cpu-usage', 'mem-total', 'mem-free', 'eth-rx', 'eth-tx'])
    assert.equal(typeof status.sysstat[field], 'number', field)
  assert.equal(status['input-signal'].status, 1)
  assert.ok(status['input-signal'].cx >= 1280)
  assert.equal(status['live-status'].result, 27)
  assert.ok(Array.isArray(status['live-status'].live))
  assert.ok(Array.isArray(status['rec-status'].rec))
  const [disk] = status['disk-info']
  assert.equal(disk['free-size'], disk['total-size'] - disk['used-size'])
  assert.match(status.eth.ip, /^10\.20\.\d+\.\d+$/)
})

test('get-info has the identity of the device', () => {
  const { product, ...info } = call(createTestAppliance('encodeAio'), 'method=get-info')
  assert.equal(product.sn, 'B313210600123')
  assert.equal(product['product-id'], 787)
  assert.equal(product['module-name'], 'Ultra Encode AIO')
  assert.equal(product['product-name'], 'Ultra Encode')
  assert.match(product['hardware-ver'], /^[A-Z]$/)
  assert.match(product['firmware-ver-s'], /^\d+\.\d+\.\d+$/)
  assert.ok(info['mac-addr'] && info['input-source'])
})

test('streaming and recording set their bits in cur-status', () => {
  const device = createTestAppliance('encodeAio')
  assert.equal(call(device, 'method=start-live').result, 0)
  assert.equal(call(device, 'method=start-rec').result, 0)
  assert.equal(call(device, 'method=start-rec').result, 1)
  device.time += 5000
  const status = call(device, 'method=get-status')
  assert.equal(status['cur-status'], DEVICE_STATUS_BITS.recording | DEVICE_STATUS_BITS.streaming)
  assert.equal(status['rec-status']['run-ms'], 5000)
  assert.equal(call(device, 'method=stop-live').result, 0)
  assert.equal(call(device, 'method=stop-rec').result, 0)
  assert.equal(call(device, 'method=get-status')['cur-status'], 0)
})

test('a stream or recording that cannot start has a code for the reason', () => {
  const device = createTestAppliance('encodeAio')
  device.behaviour = 'no-signal'
  assert.equal(call(device, 'method=start-live').result, -35)
  device.behaviour = 'full'
  assert.equal(call(device, 'method=start-rec').result, -16)
  assert.equal(call(createTestAppliance('encodeHdmi'), 'method=start-rec').result, -10)
})

test('only a valid name is accepted', () => {
  const device = createTestAppliance('encodeAio')
  assert.equal(call(device, 'method=set-name&name=Lecture%202.14').result, 0)
  assert.equal(call(device, 'method=get-status')['box-name'], 'Lecture 2.14')
  for (const name of ['', '%20x', 'x%3Cscript%3E', 'x'.repeat(65)])
    assert.equal(call(device, `method=set-name&name=${name}`).result, -10, name)
  assert.equal(call(device, 'method=set-name').result, -10)
  assert.equal(device.name(), 'Lecture 2.14')
})

test('every request that the hub relays is supported; an unknown one is refused', () => {
  for (const method of Object.keys(relayedMethods('usapi') ?? {})) {
    const { result } = call(createTestAppliance('encodeAio'), `method=${method}&name=x`)
    assert.equal(result, 0, method)
  }
  assert.equal(call(createTestAppliance('encodeAio'), 'method=format-disk').result, -10)
  assert.equal(call(createTestAppliance('encodeAio'), '').result, -10)
})

test('a second reboot request is a repeated request', () => {
  const device = createTestAppliance('streamSdi')
  assert.equal(call(device, 'method=reboot').result, 0)
  assert.equal(call(device, 'method=reboot').result, 1)
})

test('the hub reads the warnings', () => {
  const device = createTestAppliance('streamHdmi')
  const warns = () => adapter.readStatus(call(device, 'method=get-status'))?.warns
  assert.equal(warns(), 0)
  device.behaviour = 'no-signal'
  assert.equal(warns(), DEVICE_WARNING_BITS.noSignal)
  device.behaviour = 'full'
  assert.equal(warns(), DEVICE_WARNING_BITS.storageFull)
})

test.run()
