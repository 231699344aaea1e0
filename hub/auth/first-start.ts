// Creates the three built-in user groups and the first user in an empty database (docs/wire.md, Users and groups), and
// keeps the mask of the Viewer group in step with the features of the hub.

import { hashFirstPassword } from '../../accounts/passwords.ts'
import {
  ALL_PERMISSIONS,
  GROUP_ADMIN,
  GROUP_USER,
  GROUP_VIEWER,
  USER_PERMISSIONS,
  viewerPermissions
} from '../../contract/access/permissions.ts'
import { ADMIN_USER_ID } from '../../contract/access/user.ts'
import { ADMIN_SESSION_MAX } from '../../contract/limits.ts'
import type { Store } from '../store/store.ts'

const FIRST_USER_NAME = 'Admin'

/** @param features bits of `FEATURE_BITS`; they can differ from those of an earlier version that created the groups */
export async function createFirstUser(store: Store, features: number): Promise<void> {
  const { users, database } = store
  if (users.count() > 0) return updateViewerGroup(store, features)
  const hash = await hashFirstPassword()
  database.transaction(() => {
    users.addGroup(GROUP_ADMIN, 'Admin', ALL_PERMISSIONS, GROUP_ADMIN)
    users.addGroup(GROUP_USER, 'User', USER_PERMISSIONS, GROUP_USER)
    users.addGroup(GROUP_VIEWER, 'Viewer', viewerPermissions(features), GROUP_VIEWER)
    users.add(ADMIN_USER_ID, FIRST_USER_NAME, GROUP_ADMIN, hash, true)
    // A hub that an earlier version has set up keeps its sessions as they are.
    store.settings.set('admin-session', ADMIN_SESSION_MAX)
  })
}

/** Users cannot change the mask of the Viewer group, so the stored one is the default of the version that stored it. */
export function updateViewerGroup({ users, database }: Store, features: number): void {
  const group = users.group(GROUP_VIEWER)
  const permission = viewerPermissions(features)
  if (group && group.permission !== permission) database.transaction(() => users.updateGroup({ ...group, permission }))
}
