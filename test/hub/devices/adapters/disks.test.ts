import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { WARNING } from '../../../../contract/device/device.ts'
import { disksOf, diskWarnings } from '../../../../hub/devices/adapters/disks.ts'

const test = suite('disks')
const warningsOf = (value: unknown) => diskWarnings(disksOf(value))
const disk = (type: number, total: number, free: number, more: object = {}) => ({
  'disk-type': type,
  'disk-status': 0,
  'total-size': total,
  'free-size': free,
  ...more
})

test('an empty slot and a disk with room warn of nothing', () => {
  assert.equal(warningsOf([disk(0, 0, 0), disk(1, 0, 0), disk(2, 0, 0)]), 0)
  assert.equal(warningsOf([disk(0, 1000, 11), disk(1, 1000, 500)]), 0)
})

test('99 percent in use is full: USB apart from the others', () => {
  assert.equal(warningsOf([disk(0, 1000, 10)]), WARNING.usbFull)
  assert.equal(warningsOf([disk(1, 1000, 0)]), WARNING.storageFull)
  assert.equal(warningsOf([disk(2, 1e15, 0)]), WARNING.storageFull)
  assert.equal(warningsOf([disk(0, 10, 0), disk(1, 10, 0)]), WARNING.usbFull | WARNING.storageFull)
})

test('where the free size makes no sense, the share counts', () => {
  assert.equal(warningsOf([disk(1, 1000, 2000, { usage: 99 })]), WARNING.storageFull)
  assert.equal(warningsOf([disk(1, 1000, -1, { usage: 98 })]), 0)
  assert.equal(warningsOf([disk(1, 1000, -1)]), 0)
})

test('a USB disk without a size that has a state is invalid; other slots are not', () => {
  assert.equal(warningsOf([disk(0, 0, 0, { 'disk-status': 3 })]), WARNING.usbInvalid)
  assert.equal(warningsOf([disk(0, 0, 0, { 'disk-status': -5 })]), WARNING.usbInvalid)
  assert.equal(warningsOf([disk(1, 0, 0, { 'disk-status': 3 })]), 0)
})

test('what is no list of disks warns of nothing', () => {
  for (const value of [undefined, null, {}, 'full', [null, 1, 'x', []]]) assert.equal(warningsOf(value), 0)
})

test('each disk is told with its kind, its state and its room; a slot without one as empty', () => {
  const said = [
    disk(0, 0, 0),
    disk(0, 0, 0, { 'disk-status': 2 }),
    disk(1, 1000, 400, { 'fs-label': 'MEDIA', 'free-sec': 3600 }),
    disk(2, 1000, 5),
    disk(9, 1000, 5)
  ]
  assert.deepEqual(disksOf(said), [
    { kind: 'usb', state: 'none' },
    { kind: 'usb', state: 'invalid' },
    { kind: 'sd', state: 'ok', total: 1000, free: 400, label: 'MEDIA', 'free-sec': 3600 },
    { kind: 'nas', state: 'full', total: 1000, free: 5 }
  ])
  assert.equal(disksOf('full'), undefined)
})

test.run()
