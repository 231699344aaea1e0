import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import { diskWarnings, readDisks } from '../../../../hub/devices/adapters/disks.ts'

const test = suite('disks')
const warningsOf = (value: unknown) => diskWarnings(readDisks(value))
const disk = (type: number, total: number, free: number, more: object = {}) => ({
  'disk-type': type,
  'disk-status': 0,
  'total-size': total,
  'free-size': free,
  ...more
})

test('an empty slot and a disk with free space have no warning', () => {
  assert.equal(warningsOf([disk(0, 0, 0), disk(1, 0, 0), disk(2, 0, 0)]), 0)
  assert.equal(warningsOf([disk(0, 1000, 11), disk(1, 1000, 500)]), 0)
})

test('a disk with 99 percent used is full; USB disks have a warning of their own', () => {
  assert.equal(warningsOf([disk(0, 1000, 10)]), DEVICE_WARNING_BITS.usbFull)
  assert.equal(warningsOf([disk(1, 1000, 0)]), DEVICE_WARNING_BITS.storageFull)
  assert.equal(warningsOf([disk(2, 1e15, 0)]), DEVICE_WARNING_BITS.storageFull)
  assert.equal(
    warningsOf([disk(0, 10, 0), disk(1, 10, 0)]),
    DEVICE_WARNING_BITS.usbFull | DEVICE_WARNING_BITS.storageFull
  )
})

test('without a valid free size, the used percentage counts', () => {
  assert.equal(warningsOf([disk(1, 1000, 2000, { usage: 99 })]), DEVICE_WARNING_BITS.storageFull)
  assert.equal(warningsOf([disk(1, 1000, -1, { usage: 98 })]), 0)
  assert.equal(warningsOf([disk(1, 1000, -1)]), 0)
})

test('a USB disk with a status and no size is invalid; other slots are not', () => {
  assert.equal(warningsOf([disk(0, 0, 0, { 'disk-status': 3 })]), DEVICE_WARNING_BITS.usbInvalid)
  assert.equal(warningsOf([disk(0, 0, 0, { 'disk-status': -5 })]), DEVICE_WARNING_BITS.usbInvalid)
  assert.equal(warningsOf([disk(1, 0, 0, { 'disk-status': 3 })]), 0)
})

test('anything but a list of disks has no warning', () => {
  for (const value of [undefined, null, {}, 'full', [null, 1, 'x', []]]) assert.equal(warningsOf(value), 0)
})

test('each disk is read with its kind, state and free space, and an empty slot as empty', () => {
  const reported = [
    disk(0, 0, 0),
    disk(0, 0, 0, { 'disk-status': 2 }),
    disk(1, 1000, 400, { 'fs-label': 'MEDIA', 'free-sec': 3600 }),
    disk(2, 1000, 5),
    disk(9, 1000, 5)
  ]
  assert.deepEqual(readDisks(reported), [
    { kind: 'usb', state: 'none' },
    { kind: 'usb', state: 'invalid' },
    { kind: 'sd', state: 'ok', total: 1000, free: 400, label: 'MEDIA', 'free-sec': 3600 },
    { kind: 'nas', state: 'full', total: 1000, free: 5 }
  ])
  assert.equal(readDisks('full'), undefined)
})

test.run()
