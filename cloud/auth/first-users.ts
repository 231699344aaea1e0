// A new organisation: its groups, its first user, and its invitation.
import { generateCode } from '../../accounts/one-time-code.ts'
import { hashFirstPassword } from '../../accounts/passwords.ts'
import {
  ALL_PERMISSIONS,
  FIRMWARE_PERMISSIONS,
  GROUP_ADMIN,
  GROUP_USER,
  GROUP_VIEWER,
  USER_PERMISSIONS,
  VIEWER_PERMISSIONS
} from '../../contract/access/permissions.ts'
import type { Store } from '../store/store.ts'

export const FIRST_USER_ID = 1

/** Groups of four letters and digits in an invitation: 60 bits, which nobody guesses. */
const CODE_GROUPS = 3

export const generateInvitation = (): string => generateCode(CODE_GROUPS)

/** Creates an organisation unless it exists. */
export async function createOrganisation(store: Store, organisation: string, now = Date.now()): Promise<void> {
  const exists = await store.within(organisation, (scope) =>
    scope.select('organisations').select('created').executeTakeFirst()
  )
  if (exists) return
  const password_hash = await hashFirstPassword()
  await store.within(organisation, async (scope) => {
    const invitation = generateInvitation()
    // Another node may have created it meanwhile.
    const { numInsertedOrUpdatedRows } = await scope
      .insert('organisations', { invitation, created: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) return
    const groups = [
      { id: GROUP_ADMIN, name: 'Admin', permission: ALL_PERMISSIONS },
      { id: GROUP_USER, name: 'User', permission: (USER_PERMISSIONS & ~FIRMWARE_PERMISSIONS) >>> 0 },
      { id: GROUP_VIEWER, name: 'Viewer', permission: VIEWER_PERMISSIONS }
    ]
    for (const group of groups) await scope.insert('user_groups', { ...group, type: group.id }).execute()
    const user = { id: FIRST_USER_ID, name: 'Admin', group_id: GROUP_ADMIN, password_hash, default_password: 1 }
    await scope.insert('users', user).execute()
  })
}
