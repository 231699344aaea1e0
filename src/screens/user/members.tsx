import { GROUP_VIEWER } from '../../../contract/permissions.ts'
import { moveUsers, type User, type UserGroup } from '../../../contract/user.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { $people } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { useStore } from '../../ui/use-store.ts'
import { ADMIN, keepsAdmin, moveTo, nameOf } from './store.ts'
import { TEXT } from './text.ts'

const TAKE_OUT: Action<User> = {
  call: moveUsers,
  icon: 'close',
  verb: TEXT.takeOut,
  fits: (user) => user['group-id'] !== GROUP_VIEWER,
  barred: keepsAdmin,
  run: (users) => moveTo(users, GROUP_VIEWER)
}

/** Who is in a group. A user is in one group always: who is added leaves another, who is taken out goes to Viewer. */
export function Members({ group: { id: groupId } }: { group: UserGroup }) {
  const users = useStore($people).value?.users ?? []
  const members = users.filter((user) => user['group-id'] === groupId)
  const others = users.filter((user) => user['group-id'] !== groupId && user.id !== ADMIN)
  return (
    <Card
      title={t(TEXT.members)}
      note={String(members.length)}
      more={
        others.length > 0 && (
          <MenuButton
            label={t(TEXT.addMember)}
            icon="plus"
            items={others.map((user) => ({
              label: t(TEXT.inside, user.name, user['group-name']),
              onSelect: () => void moveTo([user], groupId)
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
