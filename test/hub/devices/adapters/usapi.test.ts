import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { WARNING } from '../../../../contract/device/device.ts'
import { usapi } from '../../../../hub/devices/adapters/usapi.ts'
import { GET_STATUS } from './examples.ts'

const test = suite('usapi')
const read = (more: object) => usapi.read({ ...GET_STATUS, ...more })

test('the documented answer is read', () => {
  assert.deepEqual(usapi.read(GET_STATUS), {
    name: 'Hall 1',
    cpu: 25,
    rx: 114528,
    tx: 11858456,
    status: {
      ...{ 'cur-status': 68, eth: '192.0.2.112', 'link-speed': 1000, 'up-time': 2593745, temperature: 68.6 },
      memory: 44.36015625,
      inputs: [
        { name: 'HDMI', signal: '1920x1080p, 50.00 Hz' },
        { name: 'SDI', signal: 'no-signal' }
      ],
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

test('it streams by itself only while that is not idle: the bit stands, too, while it sends to the hub', () => {
  const live = (mask: number, status: unknown) => read({ 'cur-status': mask, 'live-status': status })?.status.live
  assert.deepEqual(live(4, { result: 27, 'run-ms': 0 }), { on: false, result: 27 })
  assert.deepEqual(live(4, { result: 0, 'run-ms': 0 }), { on: true, 'run-ms': 0, result: 0 })
  assert.deepEqual(live(4, {}), { on: true })
  assert.deepEqual(live(0, { result: 2, 'run-ms': 900 }), { on: false, result: 2 }, 'what ran before')
  assert.equal(read({ 'cur-status': 'x', 'live-status': null })?.status.live, undefined)
})

test('networks, ports of the web page and the tally are told where they are said', () => {
  const status = read({
    ...{ mobile: { ip: '10.1.1.1' }, softap: { ip: '10.2.2.2' }, rndis: { ip: '192.168.66.1' } },
    ...{ web: { 'is-http': 1, 'http-port': 80, 'is-https': 0, 'https-port': 443 } },
    'ndi-tally': { id: 1, 'on-preview': 0, 'on-program': 1 }
  })?.status
  assert.deepEqual([status?.mobile, status?.softap, status?.rndis], ['10.1.1.1', '10.2.2.2', '192.168.66.1'])
  assert.deepEqual([status?.['http-port'], status?.['https-port']], [80, undefined])
  assert.deepEqual(status?.tally, { preview: false, program: true })
  assert.equal(read({ 'ndi-tally': { 'on-preview': 7, 'on-program': 1 } })?.status.tally, undefined)
})

test('a lost signal warns', () => {
  const lost = read({ 'input-signal': { status: 0, cx: 0, cy: 0 } })
  assert.deepEqual([lost?.warns, lost?.input], [WARNING.noSignal, 'no-signal'])
})

test('a signal that is not spoken of is neither there nor lost', () => {
  const unknown = read({ 'input-signal': undefined })
  assert.deepEqual([unknown?.warns, unknown?.input], [0, undefined])
})

test('an interlaced signal, and one without a rate', () => {
  assert.equal(
    read({ 'input-signal': { status: 1, cx: 1920, cy: 1080, interlaced: 1, 'frame-rate': 59.94 } })?.input,
    '1920x1080i, 59.94 Hz'
  )
  assert.equal(read({ 'input-signal': { status: 1, cx: 720, cy: 576 } })?.input, '720x576p')
})

test('a newer version that is offered warns', () => {
  assert.equal(read({ upgrade: { ver: '2.9.120' } })?.warns, WARNING.firmwareOld)
})

test('warnings add up', () => {
  const warns = WARNING.noSignal | WARNING.storageFull | WARNING.usbInvalid
  const disks = [
    { 'disk-type': 0, 'disk-status': -5, 'total-size': 0 },
    { 'disk-type': 1, 'total-size': 100, 'free-size': 0 }
  ]
  assert.equal(read({ 'input-signal': { status: 0 }, 'disk-info': disks })?.warns, warns)
})

test('an answer that says it failed, or says nothing, is none', () => {
  for (const answer of [{ ...GET_STATUS, result: -17 }, {}, null, [], 'x', 7, undefined])
    assert.equal(usapi.read(answer), undefined, JSON.stringify(answer))
})

test('a new name goes out escaped', () => {
  assert.deepEqual(usapi.rename('Hall 1 & 2 会'), {
    method: 'GET',
    path: '/usapi?method=set-name&name=Hall%201%20%26%202%20%E4%BC%9A'
  })
})

test.run()
