// What an empty database is given: the three groups that always exist, and the first user (design 3, reference 3.11).
import {
  ALL_PERMISSIONS,
  GROUP_ADMIN,
  GROUP_USER,
  GROUP_VIEWER,
  USER_PERMISSIONS,
  VIEWER_PERMISSIONS
} from '../../contract/permissions.ts'
import { FIRST_USER } from '../../contract/user.ts'
import type { Store } from '../store/store.ts'
import { FIRST_PASSWORD, hashPassword } from './passwords.ts'

const FIRST_NAME = 'Admin'

export async function prepareFirstStart({ users, database }: Store): Promise<void> {
  if (users.count() > 0) return
  const hash = await hashPassword(FIRST_PASSWORD)
  database.transaction(() => {
    users.addGroup(GROUP_ADMIN, 'Admin', ALL_PERMISSIONS, GROUP_ADMIN)
    users.addGroup(GROUP_USER, 'User', USER_PERMISSIONS, GROUP_USER)
    users.addGroup(GROUP_VIEWER, 'Viewer', VIEWER_PERMISSIONS, GROUP_VIEWER)
    users.add(FIRST_USER, FIRST_NAME, GROUP_ADMIN, hash, true)
  })
}
