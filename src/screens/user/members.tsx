import { GROUP_VIEWER } from '../../../contract/access/permissions.ts'
import { moveUsers, type User, type UserGroup } from '../../../contract/access/user.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { $users } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { useStore } from '../../ui/use-store.ts'
import { isMovable, moveReason } from './management.ts'
import { ADMIN_ID, adminProtectedReason, moveUsersTo, nameOf } from './store.ts'
import { TEXT } from './text.ts'

const TAKE_OUT: Action<User> = {
  call: moveUsers,
  icon: 'close',
  verb: TEXT.takeOut,
  isApplicable: (user) => user['group-id'] !== GROUP_VIEWER,
  disabledReason: (users) => adminProtectedReason(users) ?? moveReason(users),
  run: (users) => moveUsersTo(users, GROUP_VIEWER)
}

/**
 * The members of a group. A user is always in exactly one group: adding moves the user here, removing moves the user to
 * Viewer.
 */
export function Members({ group }: { group: UserGroup }) {
  const { id: groupId } = group
  const users = useStore($users).value?.users ?? []
  const members = users.filter((user) => user['group-id'] === groupId)
  const others = users.filter((user) => user['group-id'] !== groupId && user.id !== ADMIN_ID && isMovable(user, group))
  return (
    <Card
      title={t(TEXT.members)}
      note={String(members.length)}
      action={
        others.length > 0 && (
          <MenuButton
            label={t(TEXT.addMember)}
            icon="plus"
            items={others.map((user) => ({
              label: t(TEXT.inside, user.name, user['group-name']),
              onSelect: () => void moveUsersTo([user], groupId)
            }))}
          />
        )
      }
    >
      <ul className="lines">
        {members.map((user) => (
          <li key={user.id}>
            <span className="cut">
              {user.name} <span className="muted">{user.nick}</span>
            </span>
            <Actions actions={[TAKE_OUT]} rows={[user]} nameOf={nameOf} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
