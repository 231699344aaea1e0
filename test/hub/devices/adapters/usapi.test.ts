import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import type { Adapter } from '../../../../hub/devices/adapters/adapter.ts'
import { adapterOf } from '../../../../hub/devices/adapters/generations.ts'
import { GET_STATUS } from './examples.ts'

const test = suite('usapi')
const usapi = adapterOf('usapi') as Adapter
const readStatusWith = (overrides: object) => usapi.readStatus({ ...GET_STATUS, ...overrides })

test('the documented response is read', () => {
  assert.deepEqual(usapi.readStatus(GET_STATUS), {
    name: 'Hall 1',
    cpu: 25,
    rx: 114528,
    tx: 11858456,
    status: {
      'cur-status': 68,
      eth: '192.0.2.112',
      'link-speed': 1000,
      'up-time': 2593745,
      temperature: 68.6,
      memory: 44.36015625,
      inputs: [
        { name: 'HDMI', signal: '1920x1080p, 50.00 Hz' },
        { name: 'SDI', signal: 'no-signal' }
      ],
      encoder: { width: 1920, height: 1080, fps: 50 },
      recording: { on: false, result: 0 },
      live: {
        on: true,
        'run-ms': 2593699403,
        result: 2,
        sessions: [{ id: 0, type: 120, use: true, result: 22 }]
      },
      disks: [
        { kind: 'usb', state: 'none' },
        { kind: 'sd', state: 'none' },
        { kind: 'nas', state: 'none' }
      ]
    },
    warns: 0,
    input: '1920x1080p, 50.00 Hz'
  })
})

test('the device’s own stream is on only if it is not idle, because the bit is also set while the device pushes to the hub', () => {
  const live = (mask: number, status: unknown) =>
    readStatusWith({ 'cur-status': mask, 'live-status': status })?.status.live
  assert.deepEqual(live(4, { result: 27, 'run-ms': 0 }), { on: false, result: 27 })
  assert.deepEqual(live(4, { result: 0, 'run-ms': 0 }), { on: true, 'run-ms': 0, result: 0 })
  assert.deepEqual(live(4, {}), { on: true })
  assert.deepEqual(live(0, { result: 2, 'run-ms': 900 }), { on: false, result: 2 }, 'the last stream')
  assert.equal(readStatusWith({ 'cur-status': 'x', 'live-status': null })?.status.live, undefined)
})

test('network addresses, web page ports and the tally are read if they are reported', () => {
  const status = readStatusWith({
    mobile: { ip: '10.1.1.1' },
    softap: { ip: '10.2.2.2' },
    rndis: { ip: '192.168.66.1' },
    web: { 'is-http': 1, 'http-port': 80, 'is-https': 0, 'https-port': 443 },
    'ndi-tally': { id: 1, 'on-preview': 0, 'on-program': 1 }
  })?.status
  assert.deepEqual([status?.mobile, status?.softap, status?.rndis], ['10.1.1.1', '10.2.2.2', '192.168.66.1'])
  assert.deepEqual([status?.['http-port'], status?.['https-port']], [80, undefined])
  assert.deepEqual(status?.tally, { preview: false, program: true })
  assert.equal(readStatusWith({ 'ndi-tally': { 'on-preview': 7, 'on-program': 1 } })?.status.tally, undefined)
})

test('a lost signal has a warning', () => {
  const lostSignal = readStatusWith({ 'input-signal': { status: 0, cx: 0, cy: 0 } })
  assert.deepEqual([lostSignal?.warns, lostSignal?.input], [DEVICE_WARNING_BITS.noSignal, 'no-signal'])
})

test('a signal that is not reported is neither present nor lost', () => {
  const unknown = readStatusWith({ 'input-signal': undefined })
  assert.deepEqual([unknown?.warns, unknown?.input], [0, undefined])
})

test('an interlaced signal and one without a frame rate are read', () => {
  assert.equal(
    readStatusWith({ 'input-signal': { status: 1, cx: 1920, cy: 1080, interlaced: 1, 'frame-rate': 59.94 } })?.input,
    '1920x1080i, 59.94 Hz'
  )
  assert.equal(readStatusWith({ 'input-signal': { status: 1, cx: 720, cy: 576 } })?.input, '720x576p')
})

test('an available firmware version has a warning', () => {
  assert.equal(readStatusWith({ upgrade: { ver: '2.9.120' } })?.warns, DEVICE_WARNING_BITS.firmwareOld)
})

test('warnings are combined', () => {
  const warns = DEVICE_WARNING_BITS.noSignal | DEVICE_WARNING_BITS.storageFull | DEVICE_WARNING_BITS.usbInvalid
  const disks = [
    { 'disk-type': 0, 'disk-status': -5, 'total-size': 0 },
    { 'disk-type': 1, 'total-size': 100, 'free-size': 0 }
  ]
  assert.equal(readStatusWith({ 'input-signal': { status: 0 }, 'disk-info': disks })?.warns, warns)
})

test('a response with an error code, or without a code, is not read', () => {
  for (const response of [{ ...GET_STATUS, result: -17 }, {}, null, [], 'x', 7, undefined])
    assert.equal(usapi.readStatus(response), undefined, JSON.stringify(response))
})

test('a rename is sent escaped', () => {
  assert.deepEqual(usapi.rename('Hall 1 & 2 会'), {
    method: 'GET',
    path: '/usapi?method=set-name&name=Hall%201%20%26%202%20%E4%BC%9A'
  })
})

test.run()
