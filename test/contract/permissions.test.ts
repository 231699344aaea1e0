import assert from 'node:assert/strict'
import { suite } from 'uvu'
import * as permissions from '../../contract/permissions.ts'
import {
  ADMIN_ONLY,
  ALL_PERMISSIONS,
  CHANNEL_CONTROL,
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_CONTROL,
  DEVICE_GROUP_CONTROL,
  DEVICE_GROUP_VIEW,
  DEVICE_SECURITY,
  DEVICE_VIEW,
  FIRMWARE_MANAGER,
  FIRMWARE_VIEW,
  GROUP_ADMIN,
  GROUP_CUSTOM,
  GROUP_USER,
  holds,
  INPUT_OUTPUT_EDIT,
  INPUT_OUTPUT_VIEW,
  NDI_EDIT,
  NDI_VIEW,
  PERMISSION_BITS,
  permits,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW,
  USER_CONTROL,
  USER_PERMISSIONS,
  VIEWER_PERMISSIONS,
  withNeeded,
  withoutDependent
} from '../../contract/permissions.ts'

const test = suite('permissions')

/** The names in the order of reference 3.11. */
const NAMES = [
  ...['FIRMWARE_VIEW', 'FIRMWARE_MANAGER', 'DEVICE_VIEW', 'DEVICE_CONTROL', 'DEVICE_ADV_CONTROL', 'DEVICE_SECURITY'],
  ...['DEVICE_GROUP_VIEW', 'DEVICE_GROUP_CONTROL', 'INPUT_OUTPUT_VIEW', 'INPUT_OUTPUT_EDIT', 'CHANNEL_VIEW'],
  ...['CHANNEL_CONTROL', 'CHANNEL_EDIT', 'USER_CONTROL', 'SYSTEM_CONFIG_VIEW', 'SYSTEM_CONFIG_EDIT', 'NDI_VIEW'],
  'NDI_EDIT'
]

test('each right is the bit that the reference gives it', () => {
  const rights = new Map<string, unknown>(Object.entries(permissions))
  NAMES.forEach((name, bit) => {
    assert.equal(rights.get(name), 2 ** bit, name)
  })
})

test('the masks of the groups agree with the check values of the reference', () => {
  assert.equal(ALL_PERMISSIONS, 4294967295)
  const bitsTo15 = 2 ** 16 - 1
  assert.equal(USER_PERMISSIONS, 57183)
  assert.equal(USER_PERMISSIONS, bitsTo15 - DEVICE_SECURITY - DEVICE_GROUP_CONTROL - USER_CONTROL)
  assert.equal(VIEWER_PERMISSIONS, 1348)
  assert.equal(VIEWER_PERMISSIONS, DEVICE_VIEW + DEVICE_GROUP_VIEW + INPUT_OUTPUT_VIEW + CHANNEL_VIEW)
})

test('masks are unsigned: bit 31 counts like any other', () => {
  assert.ok(holds(2 ** 31, 2 ** 31))
  assert.ok(holds(ALL_PERMISSIONS, 2 ** 31))
  assert.ok(!holds(2 ** 31 - 1, 2 ** 31))
  for (let bit = 0; bit < 32; bit++) {
    assert.ok(holds(ALL_PERMISSIONS, 2 ** bit), String(bit))
    assert.ok(!holds(ALL_PERMISSIONS - 2 ** bit, 2 ** bit), String(bit))
  }
})

test('one of several bits is enough, and no bits are held by nobody', () => {
  assert.ok(holds(CHANNEL_VIEW, DEVICE_VIEW | CHANNEL_VIEW))
  assert.ok(!holds(DEVICE_VIEW, CHANNEL_VIEW))
  assert.ok(!holds(ALL_PERMISSIONS, 0))
  assert.ok(!holds(0, ALL_PERMISSIONS))
})

test('a call is open to whom it is declared for', () => {
  const nothing = { permission: 0, type: GROUP_CUSTOM }
  assert.ok(permits('public', nothing))
  assert.ok(permits('session', nothing))
  assert.ok(!permits(CHANNEL_VIEW, nothing))
  assert.ok(permits(CHANNEL_VIEW, { permission: CHANNEL_VIEW, type: GROUP_CUSTOM }))
  assert.ok(!permits('admin', { permission: ALL_PERMISSIONS, type: GROUP_USER }), 'the group decides, not the mask')
  assert.ok(permits('admin', { permission: 0, type: GROUP_ADMIN }))
})

test('granting a right grants what it needs, and what that needs in turn', () => {
  for (const [mask, wider] of [
    [0, 0],
    [FIRMWARE_MANAGER, 0x3],
    [DEVICE_CONTROL, 0xd],
    [DEVICE_ADV_CONTROL, 0x1d],
    [DEVICE_SECURITY, 0x24],
    [DEVICE_GROUP_CONTROL, 0xc4],
    [INPUT_OUTPUT_EDIT, 0x300],
    [CHANNEL_VIEW, 0x500],
    [CHANNEL_CONTROL, 0xd00],
    [CHANNEL_EDIT, 0x1f00],
    [SYSTEM_CONFIG_EDIT, 0xc000],
    [NDI_EDIT, 0x30000],
    [DEVICE_CONTROL | NDI_EDIT, 0x3000d],
    [USER_PERMISSIONS, USER_PERMISSIONS],
    [VIEWER_PERMISSIONS, VIEWER_PERMISSIONS],
    [ALL_PERMISSIONS, ALL_PERMISSIONS]
  ] as const)
    assert.equal(withNeeded(mask), wider, mask.toString(16))
})

test('clearing a right clears what needs it, and what needs that in turn', () => {
  const without = (bit: number) => withoutDependent((0x3ffff & ~bit) >>> 0)
  for (const [bit, narrower] of [
    // Firmware view goes, and with it firmware manager and both kinds of device control.
    [FIRMWARE_VIEW, 0x3ffe4],
    [DEVICE_VIEW, 0x3ff03],
    [DEVICE_CONTROL, 0x3ffe7],
    [DEVICE_GROUP_VIEW, 0x3ff3f],
    [INPUT_OUTPUT_VIEW, 0x3e0ff],
    [CHANNEL_VIEW, 0x3e3ff],
    [CHANNEL_EDIT, 0x3efff],
    [SYSTEM_CONFIG_VIEW, 0x33fff],
    [NDI_VIEW, 0xffff]
  ] as const)
    assert.equal(without(bit), narrower, bit.toString(16))
})

test('of any mask: what is added needs no more, what is left lacks nothing, and neither touches bits that are no right', () => {
  for (const one of PERMISSION_BITS)
    for (const other of PERMISSION_BITS)
      for (const mask of [one | other, (0x3ffff & ~(one | other)) >>> 0]) {
        const wider = withNeeded(mask)
        const narrower = withoutDependent(mask)
        assert.equal(wider & mask, mask)
        assert.equal(narrower & mask, narrower)
        assert.equal(withoutDependent(wider), wider)
        assert.equal(withNeeded(narrower), narrower)
        assert.equal(withNeeded(wider), wider)
      }
  assert.equal(withNeeded(((2 ** 31) | CHANNEL_VIEW) >>> 0), 2 ** 31 + 0x500)
  assert.equal(withoutDependent(((2 ** 31) | CHANNEL_VIEW) >>> 0), 2 ** 31)
})

test('no right that a custom group can hold needs one of the Admin group alone', () => {
  for (const bit of PERMISSION_BITS) assert.equal(withNeeded(bit) & ADMIN_ONLY & ~bit, 0, bit.toString(16))
})

test.run()
