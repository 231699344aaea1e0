// Fixtures for tests of the user management.
import assert from 'node:assert/strict'
import { DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import { addGroup, addUser, listUsers, type User, type UserGroup } from '../../../contract/access/user.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { newPassword } from '../hub/hub.ts'
import { openConsole } from './console.ts'
import { hub, other } from './hub-for-each.ts'
import { findByRole, nameOf, queryAllByRole } from './page.ts'

export const storedUsers = async (): Promise<User[]> => (await other.send(listUsers, {})).users ?? []
export const storedGroups = async (): Promise<UserGroup[]> => (await other.send(listUsers, {})).groups ?? []
export const findUser = async (name: string) => (await storedUsers()).find((user) => user.name === name)
export const findGroup = async (name: string) => (await storedGroups()).find((group) => group.name === name)

/** Password of the users that `addViewer` adds. */
export const VIEWER_PASSWORD = 'viewer-password'

/** Adds a user, by default to the group Viewer. @returns the user ID */
export async function addViewer(name: string, group = 4): Promise<number> {
  const { result, id } = await other.send(addUser, { name, ...newPassword(VIEWER_PASSWORD), 'group-id': group })
  assert.equal(result, SUCCESS)
  return id
}
export async function addCustomGroup(name: string, permissions = DEVICE_VIEW, members: string[] = []): Promise<number> {
  const { result, id } = await other.send(addGroup, { name, permissions, users: members })
  assert.equal(result, SUCCESS)
  return id
}

export const openUserScreen = (path: string = ROUTES.users, user?: string) =>
  openConsole(hub, { at: path, ...(user && { user }) })
export const groupLink = (id: number | 'new') => linkTo('userGroup', { groupId: String(id) })
export const isDisabled = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true'
export const checkbox = (name: string) => findByRole<HTMLInputElement>('checkbox', name)
/** Names of the checked permissions. */
export const checkedNames = () =>
  queryAllByRole('checkbox')
    .filter((input) => (input as HTMLInputElement).checked)
    .map(nameOf)
