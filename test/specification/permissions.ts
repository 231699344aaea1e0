// Section 6: permission bits, user groups, dependencies between permissions, and access to objects.

import assert from 'node:assert/strict'
import { FEATURE_BITS } from '../../contract/access/features.ts'
import * as permissions from '../../contract/access/permissions.ts'
import {
  ADMIN_GRANTED_PERMISSIONS,
  ALL_PERMISSIONS,
  addRequiredPermissions,
  FIRMWARE_PERMISSIONS,
  PERMISSION_BITS,
  removeDependentPermissions,
  VIEWER_PERMISSIONS,
  viewerPermissions
} from '../../contract/access/permissions.ts'
import { listDeclaredCalls } from '../../contract/requests.ts'
import { accessDenied, adminRequired } from '../../src/ui/text.ts'
import { checked, part, type Row, type Section, tested, valueRows } from './rows.ts'

const ORDER = [
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
] as const

type Name = (typeof ORDER)[number]

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

const dependencyRows = Object.entries(REQUIRED).flatMap(([name, required]) => [
  checked(`Granting ${name} grants ${required.join(', ')} and no more.`, () =>
    assert.equal(addRequiredPermissions(BITS[name as Name]), bitsOf(name as Name, ...required))
  ),
  ...required.map((needed) =>
    checked(`Clearing ${needed} clears ${name}.`, () => {
      const cleared = removeDependentPermissions(ALL_PERMISSIONS & ~BITS[needed])
      assert.equal(permissions.hasAnyBit(cleared, BITS[name as Name]), false)
    })
  )
])

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

const meaningRow = ([name, meaning, paths]: (typeof MEANINGS)[number]): Row =>
  checked(`${name} ${meaning}.`, () => {
    for (const path of paths)
      assert.equal(listDeclaredCalls().find((call) => call.path === path)?.access, BITS[name], path)
  })

const GROUPS_TEST = 'src/screens/user/groups.test.tsx'

export const PERMISSIONS: Section = {
  number: 6,
  title: 'Roles and permissions',
  file: 'permissions.ts',
  parts: [
    part(
      'Permission bits',
      ORDER.map((name, bit) => checked(`Bit ${bit} is ${name}.`, () => assert.equal(BITS[name], 2 ** bit))),
      checked('There are no other permission bits.', () => assert.equal(PERMISSION_BITS.length, ORDER.length)),
      valueRows((name, value) => `The mask ${name} is ${value}.`, { ...permissions }, { ALL_PERMISSIONS: 4294967295 })
    ),
    part(
      'User groups',
      checked('A viewer views devices, device groups, inputs, outputs and channels.', () =>
        assert.equal(
          VIEWER_PERMISSIONS,
          bitsOf('DEVICE_VIEW', 'CHANNEL_VIEW', 'DEVICE_GROUP_VIEW', 'INPUT_OUTPUT_VIEW')
        )
      ),
      checked('Device security, device group control and user control are for the Admin group to grant.', () =>
        assert.equal(ADMIN_GRANTED_PERMISSIONS, bitsOf('DEVICE_SECURITY', 'DEVICE_GROUP_CONTROL', 'USER_CONTROL'))
      ),
      checked('With an NDI router a viewer also views NDI.', () => {
        assert.equal(viewerPermissions(0), VIEWER_PERMISSIONS)
        assert.equal(viewerPermissions(FEATURE_BITS.ndiRouter), VIEWER_PERMISSIONS + BITS.NDI_VIEW)
      }),
      tested(
        'Only an administrator grants them.',
        'hub/handlers/user/user-management.test.ts',
        'an administrator grants device security, device group control and user control; nobody else does'
      ),
      tested(
        'The members of the Admin group are for the Admin group to manage.',
        'hub/handlers/user/user-management.test.ts',
        'only the Admin group touches its members'
      ),
      checked('Firmware permissions are not on the cloud variant.', () =>
        assert.equal(FIRMWARE_PERMISSIONS, bitsOf('FIRMWARE_VIEW', 'FIRMWARE_MANAGER'))
      ),
      tested('The editor hides them there.', GROUPS_TEST, 'firmware permissions are not shown on the cloud variant'),
      tested(
        'Other users cannot open user management.',
        'src/screens/user/users.test.tsx',
        'other users neither see the menu entry nor can open the screen'
      )
    ),
    part('Meaning of the permissions', MEANINGS.map(meaningRow)),
    part(
      'Dependencies',
      dependencyRows,
      tested(
        'The editor announces what it grants and clears.',
        GROUPS_TEST,
        'granting a permission grants those that it needs, clearing one clears those that need it, and both are announced'
      )
    ),
    part(
      'Access to objects',
      tested(
        'A device is open to selected users and groups.',
        'hub/handlers/user/visibility.test.ts',
        'a device is visible only to the selected groups and users and to administrators'
      ),
      tested(
        'A device group is open to selected users and groups.',
        'hub/handlers/catalog/catalog.test.ts',
        'a device that inherits is visible to callers who may see its group, the parent groups, or by the global default'
      ),
      tested(
        'There are global defaults.',
        'src/screens/user/visible-objects.test.tsx',
        'the defaults of devices and channels are shown with the user groups and users, and changed'
      ),
      tested(
        'Third-party devices have no commands, and the family Others has no page.',
        'src/screens/device-detail/detail.test.tsx',
        'a third-party device has no commands, a device without recording has no recording commands, and some families have no page'
      ),
      checked('The preview stream needs a session.', () => {
        for (const call of listDeclaredCalls().filter(({ path }) => path.startsWith('/preview/')))
          assert.equal(call.access, 'session', call.path)
      }),
      tested(
        'An object without access is answered as one that does not exist.',
        'hub/handlers/channel/security.test.ts',
        'every call answers a user without access to a channel as if the channel did not exist'
      ),
      tested(
        'Every call admits exactly the users with its permission.',
        'hub/every-call.test.ts',
        'each call admits exactly the callers of its row and the exceptions; all others get result 37 or 31 without further fields'
      )
    ),
    part(
      'Messages about permissions',
      checked("A screen without permission reads 'You do not have access permission'.", () =>
        assert.equal(accessDenied[0], 'You do not have access permission')
      ),
      checked("A screen of administrators reads 'Admin account permission required'.", () =>
        assert.equal(adminRequired[0], 'Admin account permission required')
      ),
      tested(
        "A switch without permission reads 'You do not have operation permission'.",
        'src/screens/channel/outputs.test.tsx',
        'a user without permission to control channels sees the switches disabled, with the reason'
      )
    )
  ]
}
