import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import { IN_PROGRESS, INVALID_ARG, NO_SPACE, NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import { relayedMethods } from '../../../contract/device/api-definitions.ts'
import { DEVICE_STATUS_BITS, DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { handleApi } from '../../../fleet/apis/api.ts'
import type { Adapter } from '../../../hub/devices/adapters/adapter.ts'
import { adapterOf } from '../../../hub/devices/adapters/generations.ts'
import { createApiRequest, createTestAppliance } from '../../kit/fleet/appliance.ts'

const test = suite('API of newer devices')
const adapter = adapterOf('api') as Adapter

type Device = ReturnType<typeof createTestAppliance>
// biome-ignore lint/suspicious/noExplicitAny: the response has the fields of the documented API
const get = (device: Device, path: string): any => handleApi(device, createApiRequest('GET', `/api${path}`))
// biome-ignore lint/suspicious/noExplicitAny: as above
const post = (device: Device, path: string, body = {}): any =>
  handleApi(device, createApiRequest('POST', `/api${path}`, body))

test('basic information and device information have the documented fields', () => {
  const device = createTestAppliance('modator')
  const basic = get(device, '/system/basic-info')
  for (const field of ['device-name', 'mdns-url', 'uptime', 'cpu', 'mem', 'datetime', 'auto-reboot'])
    assert.ok(field in basic, field)
  assert.equal(basic.status, SUCCESS)
  assert.equal(basic.code, 'MW_STATUS_SUCCESS')
  const info = get(device, '/system/device-info')
  for (const field of ['product-id', 'product-name', 'hardware-rev', 'serial-number', 'firmware-ver', 'capability'])
    assert.ok(field in info, field)
})

test('a Director records and streams, and the hub reads its status', () => {
  const device = createTestAppliance('directorMini')
  assert.equal(post(device, '/record/start-record').status, SUCCESS)
  assert.equal(post(device, '/record/start-record').status, IN_PROGRESS)
  assert.equal(post(device, '/live/start-quick-stream').status, SUCCESS)
  const readStatus = () => adapter.readStatus(get(device, '/system/basic-info'))
  assert.equal(readStatus()?.status['cur-status'], DEVICE_STATUS_BITS.recording | DEVICE_STATUS_BITS.streaming)
  assert.equal(post(device, '/record/stop-record').status, SUCCESS)
  assert.equal(post(device, '/live/stop-quick-stream').status, SUCCESS)
  assert.equal(readStatus()?.status['cur-status'], 0)
  device.behaviour = 'full'
  assert.equal(post(device, '/record/start-record').status, NO_SPACE)
  assert.equal(readStatus()?.warns, DEVICE_WARNING_BITS.storageFull)
})

test('set-device-name renames', () => {
  const device = createTestAppliance('audioDx')
  const response = post(device, '/system/set-device-name', { name: 'Rack 2' })
  assert.deepEqual(response, { status: SUCCESS, code: 'MW_STATUS_SUCCESS', 'ext-need-reboot': false })
  assert.equal(device.name(), 'Rack 2')
  for (const name of ['', 7, null, 'a\u0000b', ' x'])
    assert.equal(post(device, '/system/set-device-name', { name }).status, INVALID_ARG)
  assert.equal(device.name(), 'Rack 2')
})

test('a Director supports every request that the hub relays, other devices only the general ones', () => {
  for (const path of Object.keys(relayedMethods('api') ?? {}))
    assert.equal(post(createTestAppliance('directorOne'), path, { name: 'x' }).status, SUCCESS, path)
  assert.equal(post(createTestAppliance('router'), '/record/start-record').status, NOT_EXIST)
  assert.equal(post(createTestAppliance('router'), '/reboot').status, SUCCESS)
  assert.equal(get(createTestAppliance('router'), '/reboot').status, NOT_EXIST)
})

test.run()
