// Names who sees an object, from its masks.
import { GROUP_ADMIN, hasAnyBit } from '../../../contract/access/permissions.ts'
import type { User, UserGroup } from '../../../contract/access/user.ts'
import { ALL_GROUPS, type Visibility } from '../../../contract/access/visibility.ts'
import { type Translation, t } from '../../text/language.ts'

const TEXT = {
  everyone: ['Everyone', '所有人'],
  nobody: ['Administrators only', '仅管理员'],
  separator: [', ', '、']
} as const satisfies Record<string, Translation>

/** The user groups and users that a mask can name. */
export interface Audiences {
  groups: readonly UserGroup[]
  users: readonly User[]
}

/** Administrators see every object, so they are not listed. */
export const listedAudiences = ({ groups = [], users = [] }: Partial<Audiences> = {}): Audiences => ({
  groups: groups.filter(({ type }) => type !== GROUP_ADMIN),
  users: users.filter((user) => user['group-id'] !== GROUP_ADMIN)
})

/** Such as 'Everyone', or names of user groups and users. */
export function audienceText(masks: Visibility, { groups, users }: Audiences): string {
  if (masks['group-mask'] === ALL_GROUPS) return t(TEXT.everyone)
  const names = [
    ...groups.filter(({ id }) => hasAnyBit(masks['group-mask'], id)),
    ...users.filter(({ id }) => hasAnyBit(masks['usr-mask'], id))
  ].map(({ name }) => name)
  return names.join(t(TEXT.separator)) || t(TEXT.nobody)
}
