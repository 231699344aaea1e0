import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import type { Adapter } from '../../../../hub/devices/adapters/adapter.ts'
import { adapterOf } from '../../../../hub/devices/adapters/generations.ts'
import { BASIC_INFO, GET_STATUS } from './examples.ts'

const test = suite('api')
const api = adapterOf('api') as Adapter

test('the documented fields are read', () => {
  const reading = api.readStatus(BASIC_INFO)
  assert.deepEqual([reading?.name, reading?.cpu, reading?.status['up-time']], ['Rack 4', 12, 86400])
  assert.deepEqual([reading?.warns, reading?.input, reading?.rx, reading?.tx], [0, undefined, undefined, undefined])
})

test('other fields are read under the names of the Ultra family', () => {
  const reading = api.readStatus({
    ...BASIC_INFO,
    temperature: 51.5,
    'cur-status': 6,
    eth: { ip: '192.0.2.30', 'eth-rx': 1000, 'eth-tx': 2000 },
    'input-signal': { status: 0 },
    'disk-info': [{ 'disk-type': 1, usage: 100, 'total-size': 5 }]
  })
  assert.deepEqual(reading?.status, {
    'cur-status': 6,
    eth: '192.0.2.30',
    'up-time': 86400,
    temperature: 51.5,
    memory: 40,
    inputs: [{ name: '', signal: 'no-signal' }],
    recording: { on: true },
    live: { on: true },
    disks: [{ kind: 'sd', state: 'full', total: 5 }]
  })
  assert.deepEqual([reading?.rx, reading?.tx], [1000, 2000])
  assert.equal(reading?.warns, DEVICE_WARNING_BITS.noSignal | DEVICE_WARNING_BITS.storageFull)
  assert.equal(
    api.readStatus({ ...BASIC_INFO, 'input-signal': GET_STATUS['input-signal'] })?.input,
    '1920x1080p, 50.00 Hz'
  )
})

test('a response with an error code, or without a code, is not read', () => {
  for (const response of [{ ...BASIC_INFO, status: 37 }, {}, null, [], 'x'])
    assert.equal(api.readStatus(response), undefined, JSON.stringify(response))
})

test('a rename and a reboot are sent as JSON', () => {
  const headers = { 'content-type': 'application/json' }
  assert.deepEqual(api.rename('Rack "5"'), {
    method: 'POST',
    path: '/api/system/set-device-name',
    headers,
    body: '{"name":"Rack \\"5\\""}'
  })
  assert.deepEqual(api.actions.reboot, { method: 'POST', path: '/api/reboot', headers, body: '{}' })
})

test.run()
