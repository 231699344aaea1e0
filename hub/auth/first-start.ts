// Creates the three built-in user groups and the first user in an empty database (docs/wire.md, Users and groups).
import {
  ALL_PERMISSIONS,
  GROUP_ADMIN,
  GROUP_USER,
  GROUP_VIEWER,
  USER_PERMISSIONS,
  VIEWER_PERMISSIONS
} from '../../contract/access/permissions.ts'
import { ADMIN_USER_ID } from '../../contract/access/user.ts'
import type { Store } from '../store/store.ts'
import { FIRST_PASSWORD_MD5, hashPassword } from './passwords.ts'

const FIRST_USER_NAME = 'Admin'

export async function createFirstUser({ users, database }: Store): Promise<void> {
  if (users.count() > 0) return
  const hash = await hashPassword(FIRST_PASSWORD_MD5)
  database.transaction(() => {
    users.addGroup(GROUP_ADMIN, 'Admin', ALL_PERMISSIONS, GROUP_ADMIN)
    users.addGroup(GROUP_USER, 'User', USER_PERMISSIONS, GROUP_USER)
    users.addGroup(GROUP_VIEWER, 'Viewer', VIEWER_PERMISSIONS, GROUP_VIEWER)
    users.add(ADMIN_USER_ID, FIRST_USER_NAME, GROUP_ADMIN, hash, true)
  })
}
