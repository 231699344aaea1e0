import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import { IN_PROGRESS, INVALID_ARG, NO_SPACE, NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import { RUNNING, WARNING } from '../../../contract/device/device.ts'
import { RELAYED } from '../../../contract/relay.ts'
import { newer } from '../../../fleet/apis/newer.ts'
import { api as adapter } from '../../../hub/devices/adapters/api.ts'
import { applianceOf, asked } from '../../kit/appliance.ts'

const test = suite('newer API')

type Device = ReturnType<typeof applianceOf>
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client of the documented API would
const get = (device: Device, path: string): any => newer(device, asked('GET', `/api${path}`))
// biome-ignore lint/suspicious/noExplicitAny: as above
const post = (device: Device, path: string, body = {}): any => newer(device, asked('POST', `/api${path}`, body))

test('basic information and device information have the documented fields', () => {
  const device = applianceOf('modator')
  const basic = get(device, '/system/basic-info')
  for (const field of ['device-name', 'mdns-url', 'uptime', 'cpu', 'mem', 'datetime', 'auto-reboot'])
    assert.ok(field in basic, field)
  assert.equal(basic.status, SUCCESS)
  assert.equal(basic.code, 'MW_STATUS_SUCCESS')
  const info = get(device, '/system/device-info')
  for (const field of ['product-id', 'product-name', 'hardware-rev', 'serial-number', 'firmware-ver', 'capability'])
    assert.ok(field in info, field)
})

test('a Director records and streams, and the hub reads it', () => {
  const device = applianceOf('directorMini')
  assert.equal(post(device, '/record/start-record').status, SUCCESS)
  assert.equal(post(device, '/record/start-record').status, IN_PROGRESS)
  assert.equal(post(device, '/live/start-quick-stream').status, SUCCESS)
  const read = () => adapter.read(get(device, '/system/basic-info'))
  assert.equal(read()?.status['cur-status'], RUNNING.recording | RUNNING.streaming)
  assert.equal(post(device, '/record/stop-record').status, SUCCESS)
  assert.equal(post(device, '/live/stop-quick-stream').status, SUCCESS)
  assert.equal(read()?.status['cur-status'], 0)
  device.behaviour = 'full'
  assert.equal(post(device, '/record/start-record').status, NO_SPACE)
  assert.equal(read()?.warns, WARNING.storageFull)
})

test('set-device-name renames', () => {
  const device = applianceOf('audioDx')
  const answer = post(device, '/system/set-device-name', { name: 'Rack 2' })
  assert.deepEqual(answer, { status: SUCCESS, code: 'MW_STATUS_SUCCESS', 'ext-need-reboot': false })
  assert.equal(device.name(), 'Rack 2')
  for (const name of ['', 7, null, 'a\u0000b', ' x'])
    assert.equal(post(device, '/system/set-device-name', { name }).status, INVALID_ARG)
  assert.equal(device.name(), 'Rack 2')
})

test('every call that the hub relays is known to a Director; only the general ones to the others', () => {
  for (const path of Object.keys(RELAYED.api))
    assert.equal(post(applianceOf('directorOne'), path, { name: 'x' }).status, SUCCESS, path)
  assert.equal(post(applianceOf('router'), '/record/start-record').status, NOT_EXIST)
  assert.equal(post(applianceOf('router'), '/reboot').status, SUCCESS)
  assert.equal(get(applianceOf('router'), '/reboot').status, NOT_EXIST)
})

test.run()
