import assert from 'node:assert/strict'
import { suite } from 'uvu'
import * as permissions from '../../contract/permissions.ts'
import {
  ALL_PERMISSIONS,
  CHANNEL_VIEW,
  DEVICE_GROUP_CONTROL,
  DEVICE_GROUP_VIEW,
  DEVICE_SECURITY,
  DEVICE_VIEW,
  GROUP_ADMIN,
  GROUP_CUSTOM,
  GROUP_USER,
  holds,
  INPUT_OUTPUT_VIEW,
  permits,
  USER_CONTROL,
  USER_PERMISSIONS,
  VIEWER_PERMISSIONS
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

test.run()
