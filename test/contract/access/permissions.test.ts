import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FEATURE_BITS } from '../../../contract/access/features.ts'
import * as permissions from '../../../contract/access/permissions.ts'
import {
  ADMIN_GRANTED_PERMISSIONS,
  ALL_PERMISSIONS,
  addRequiredPermissions,
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
  hasAnyBit,
  INPUT_OUTPUT_EDIT,
  INPUT_OUTPUT_VIEW,
  isPermitted,
  NDI_EDIT,
  NDI_VIEW,
  PERMISSION_BITS,
  removeDependentPermissions,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW,
  USER_CONTROL,
  USER_PERMISSIONS,
  VIEWER_PERMISSIONS,
  viewerPermissions
} from '../../../contract/access/permissions.ts'

const test = suite('permissions')

/** Names of the permissions, in order of their bits. */
const NAMES = [
  'FIRMWARE_VIEW',
  'FIRMWARE_MANAGER',
  'DEVICE_VIEW',
  'DEVICE_CONTROL',
  'DEVICE_ADV_CONTROL',
  'DEVICE_SECURITY',
  'DEVICE_GROUP_VIEW',
  'DEVICE_GROUP_CONTROL',
  'INPUT_OUTPUT_VIEW',
  'INPUT_OUTPUT_EDIT',
  'CHANNEL_VIEW',
  'CHANNEL_CONTROL',
  'CHANNEL_EDIT',
  'USER_CONTROL',
  'SYSTEM_CONFIG_VIEW',
  'SYSTEM_CONFIG_EDIT',
  'NDI_VIEW',
  'NDI_EDIT'
]

test('each permission has its bit', () => {
  const exportedBits = new Map<string, unknown>(Object.entries(permissions))
  NAMES.forEach((name, bit) => {
    assert.equal(exportedBits.get(name), 2 ** bit, name)
  })
})

test('the masks of the built-in groups have the documented values', () => {
  assert.equal(ALL_PERMISSIONS, 4294967295)
  const bitsTo15 = 2 ** 16 - 1
  assert.equal(USER_PERMISSIONS, 57183)
  assert.equal(USER_PERMISSIONS, bitsTo15 - DEVICE_SECURITY - DEVICE_GROUP_CONTROL - USER_CONTROL)
  assert.equal(VIEWER_PERMISSIONS, 1348)
  assert.equal(VIEWER_PERMISSIONS, DEVICE_VIEW + DEVICE_GROUP_VIEW + INPUT_OUTPUT_VIEW + CHANNEL_VIEW)
})

test('viewers of a hub with an NDI router also view NDI', () => {
  assert.equal(viewerPermissions(0), VIEWER_PERMISSIONS)
  assert.equal(viewerPermissions(FEATURE_BITS.ndiRouter), VIEWER_PERMISSIONS + NDI_VIEW)
  assert.equal(viewerPermissions(~FEATURE_BITS.ndiRouter), VIEWER_PERMISSIONS)
})

test('masks are unsigned: bit 31 works like any other bit', () => {
  assert.ok(hasAnyBit(2 ** 31, 2 ** 31))
  assert.ok(hasAnyBit(ALL_PERMISSIONS, 2 ** 31))
  assert.ok(!hasAnyBit(2 ** 31 - 1, 2 ** 31))
  for (let bit = 0; bit < 32; bit++) {
    assert.ok(hasAnyBit(ALL_PERMISSIONS, 2 ** bit), String(bit))
    assert.ok(!hasAnyBit(ALL_PERMISSIONS - 2 ** bit, 2 ** bit), String(bit))
  }
})

test('hasAnyBit needs one of several bits and is false for no bits', () => {
  assert.ok(hasAnyBit(CHANNEL_VIEW, DEVICE_VIEW | CHANNEL_VIEW))
  assert.ok(!hasAnyBit(DEVICE_VIEW, CHANNEL_VIEW))
  assert.ok(!hasAnyBit(ALL_PERMISSIONS, 0))
  assert.ok(!hasAnyBit(0, ALL_PERMISSIONS))
})

test('a call is permitted according to its declared access', () => {
  const noPermissions = { permission: 0, type: GROUP_CUSTOM }
  assert.ok(isPermitted('public', noPermissions))
  assert.ok(isPermitted('session', noPermissions))
  assert.ok(!isPermitted(CHANNEL_VIEW, noPermissions))
  assert.ok(isPermitted(CHANNEL_VIEW, { permission: CHANNEL_VIEW, type: GROUP_CUSTOM }))
  assert.ok(!isPermitted('admin', { permission: ALL_PERMISSIONS, type: GROUP_USER }), 'the group decides, not the mask')
  assert.ok(isPermitted('admin', { permission: 0, type: GROUP_ADMIN }))
})

test('granting a permission grants the permissions that it requires, transitively', () => {
  for (const [mask, wider] of [
    [0, 0],
    [FIRMWARE_MANAGER, 0x3],
    [DEVICE_CONTROL, 0xd],
    [DEVICE_ADV_CONTROL, 0x1d],
    [DEVICE_SECURITY, 0x64],
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
    assert.equal(addRequiredPermissions(mask), wider, mask.toString(16))
})

test('removing a permission removes the permissions that require it, transitively', () => {
  const without = (bit: number) => removeDependentPermissions((0x3ffff & ~bit) >>> 0)
  for (const [bit, narrower] of [
    // Without FIRMWARE_VIEW, also without FIRMWARE_MANAGER, DEVICE_CONTROL and DEVICE_ADV_CONTROL.
    [FIRMWARE_VIEW, 0x3ffe4],
    [DEVICE_VIEW, 0x3ff03],
    [DEVICE_CONTROL, 0x3ffe7],
    [DEVICE_GROUP_VIEW, 0x3ff1f],
    [INPUT_OUTPUT_VIEW, 0x3e0ff],
    [CHANNEL_VIEW, 0x3e3ff],
    [CHANNEL_EDIT, 0x3efff],
    [SYSTEM_CONFIG_VIEW, 0x33fff],
    [NDI_VIEW, 0xffff]
  ] as const)
    assert.equal(without(bit), narrower, bit.toString(16))
})

test('for any mask the results are consistent, and bits without a permission are not changed', () => {
  for (const bit of PERMISSION_BITS)
    for (const other of PERMISSION_BITS)
      for (const mask of [bit | other, (0x3ffff & ~(bit | other)) >>> 0]) {
        const wider = addRequiredPermissions(mask)
        const narrower = removeDependentPermissions(mask)
        assert.equal(wider & mask, mask)
        assert.equal(narrower & mask, narrower)
        assert.equal(removeDependentPermissions(wider), wider)
        assert.equal(addRequiredPermissions(narrower), narrower)
        assert.equal(addRequiredPermissions(wider), wider)
      }
  assert.equal(addRequiredPermissions(((2 ** 31) | CHANNEL_VIEW) >>> 0), 2 ** 31 + 0x500)
  assert.equal(removeDependentPermissions(((2 ** 31) | CHANNEL_VIEW) >>> 0), 2 ** 31)
})

test('no permission requires one that only the Admin group grants', () => {
  for (const bit of PERMISSION_BITS)
    assert.equal(addRequiredPermissions(bit) & ADMIN_GRANTED_PERMISSIONS & ~bit, 0, bit.toString(16))
})

test.run()
