// Dependencies between permissions, and the calls that require them (docs/specification.md, section 6).

import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FEATURE_BITS } from '../../contract/access/features.ts'
import * as permissions from '../../contract/access/permissions.ts'
import {
  ALL_PERMISSIONS,
  addRequiredPermissions,
  removeDependentPermissions,
  VIEWER_PERMISSIONS,
  viewerPermissions
} from '../../contract/access/permissions.ts'
import { listDeclaredCalls } from '../../make/wire/declared-calls.ts'

type Name = Extract<
  keyof typeof permissions,
  `${'FIRMWARE' | 'DEVICE' | 'INPUT_OUTPUT' | 'CHANNEL' | 'USER' | 'SYSTEM_CONFIG' | 'NDI'}_${string}`
>

const BITS = { ...permissions }

const bitsOf = (...names: Name[]) => names.reduce((mask, name) => mask | BITS[name], 0)

/** Permissions by the one that requires them. */
const REQUIRED: Readonly<Partial<Record<Name, Name[]>>> = {
  DEVICE_CONTROL: ['DEVICE_VIEW', 'FIRMWARE_VIEW'],
  DEVICE_ADV_CONTROL: ['DEVICE_VIEW', 'DEVICE_CONTROL', 'FIRMWARE_VIEW'],
  DEVICE_GROUP_VIEW: ['DEVICE_VIEW'],
  CHANNEL_VIEW: ['INPUT_OUTPUT_VIEW'],
  CHANNEL_CONTROL: ['CHANNEL_VIEW', 'INPUT_OUTPUT_VIEW'],
  CHANNEL_EDIT: ['CHANNEL_VIEW', 'CHANNEL_CONTROL', 'INPUT_OUTPUT_VIEW', 'INPUT_OUTPUT_EDIT'],
  INPUT_OUTPUT_EDIT: ['INPUT_OUTPUT_VIEW'],
  SYSTEM_CONFIG_EDIT: ['SYSTEM_CONFIG_VIEW'],
  FIRMWARE_MANAGER: ['FIRMWARE_VIEW'],
  NDI_EDIT: ['NDI_VIEW']
}

/** Calls of which each requires the permission. */
const MEANINGS: readonly (readonly [permission: Name, meaning: string, paths: readonly string[]])[] = [
  ['DEVICE_CONTROL', 'operates devices', ['/device/reboot', '/device/rename', '/device/record/start']],
  ['DEVICE_ADV_CONTROL', 'accepts, rejects and deletes devices', ['/device/accept', '/device/reject', '/device/del']],
  ['DEVICE_SECURITY', 'sets the visibility of devices', ['/device/security/set']],
  [
    'DEVICE_GROUP_CONTROL',
    'adds, edits and deletes device groups and sets their visibility',
    ['/catalog/add', '/catalog/rename', '/catalog/set', '/catalog/del']
  ],
  ['USER_CONTROL', 'manages users', ['/usr/add', '/usr/set', '/usr/del', '/usr/set-group', '/usr-group/set']],
  ['CHANNEL_CONTROL', 'starts and stops channels', ['/channel/enable']],
  ['CHANNEL_EDIT', 'adds, edits and deletes channels', ['/channel/add', '/channel/set', '/channel/del']],
  ['INPUT_OUTPUT_EDIT', 'edits inputs and outputs', ['/input/source/add', '/output/set']],
  ['FIRMWARE_MANAGER', 'adds and deletes firmware files', ['/firmware/add', '/firmware/del']],
  ['SYSTEM_CONFIG_EDIT', 'activates a license', ['/license/activate']]
]

const test = suite('permissions')

for (const [name, required] of Object.entries(REQUIRED)) {
  test(`granting ${name} grants ${required.join(', ')} and no more`, () => {
    assert.equal(addRequiredPermissions(BITS[name as Name]), bitsOf(name as Name, ...required))
  })
  test(`clearing what ${name} requires clears it`, () => {
    for (const needed of required) {
      const cleared = removeDependentPermissions(ALL_PERMISSIONS & ~BITS[needed])
      assert.equal(permissions.hasAnyBit(cleared, BITS[name as Name]), false, needed)
    }
  })
}

for (const [name, meaning, paths] of MEANINGS)
  test(`${name} ${meaning}`, () => {
    for (const path of paths)
      assert.equal(listDeclaredCalls().find((call) => call.path === path)?.access, BITS[name], path)
  })

test('with an NDI router a viewer also views NDI', () => {
  assert.equal(viewerPermissions(0), VIEWER_PERMISSIONS)
  assert.equal(viewerPermissions(FEATURE_BITS.ndiRouter), VIEWER_PERMISSIONS + BITS.NDI_VIEW)
})

test('the preview stream needs a session', () => {
  for (const call of listDeclaredCalls().filter(({ path }) => path.startsWith('/preview/')))
    assert.equal(call.access, 'session', call.path)
})

test.run()
