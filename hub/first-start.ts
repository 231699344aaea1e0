// What an empty database is given: the three groups that always exist, and the first user (design 3, reference 3.11).
import { createHash } from 'node:crypto'
import {
  ALL_PERMISSIONS,
  GROUP_ADMIN,
  GROUP_USER,
  GROUP_VIEWER,
  USER_PERMISSIONS,
  VIEWER_PERMISSIONS
} from '../contract/permissions.ts'
import { hashPassword } from './passwords.ts'
import type { Store } from './store/store.ts'

const FIRST_USER = 'Admin'
const FIRST_PASSWORD = 'Admin'

export async function prepareFirstStart({ users, database }: Store): Promise<void> {
  if (users.count() > 0) return
  const hash = await hashPassword(createHash('md5').update(FIRST_PASSWORD).digest('hex'))
  database.transaction(() => {
    users.addGroup(GROUP_ADMIN, 'Admin', ALL_PERMISSIONS, GROUP_ADMIN)
    users.addGroup(GROUP_USER, 'User', USER_PERMISSIONS, GROUP_USER)
    users.addGroup(GROUP_VIEWER, 'Viewer', VIEWER_PERMISSIONS, GROUP_VIEWER)
    users.add(1, FIRST_USER, GROUP_ADMIN, hash, true)
  })
}
