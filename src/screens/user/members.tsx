import { INVALID_ARG } from '../../../contract/codes.ts'
import { GROUP_VIEWER } from '../../../contract/permissions.ts'
import { moveUsers, type User, type UserGroup } from '../../../contract/user.ts'
import { SelectField } from '../../form/select-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { $people } from '../../state/people.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { ADMIN, idsOf, move, moveToViewer } from './store.ts'
import { TEXT } from './text.ts'

const nameOf = (user: User) => user.name

const TAKE_OUT: Action<User> = {
  call: moveUsers,
  icon: 'close',
  one: TEXT.takeOut,
  many: TEXT.takeOut,
  barred: ([user]) =>
    user?.id === ADMIN ? t(TEXT.adminFixed) : user?.['group-id'] === GROUP_VIEWER ? t(TEXT.viewerStays) : undefined,
  run: (users) => moveToViewer(idsOf(users))
}

/** Who is in a group. A user is in one group always: who is added leaves another, who is taken out goes to Viewer. */
export function Members({ group: { id: groupId } }: { group: UserGroup }) {
  const users = useStore($people).value?.users ?? []
  const members = users.filter((user) => user['group-id'] === groupId)
  const others = users.filter((user) => user['group-id'] !== groupId && user.id !== ADMIN)
  return (
    <Card title={t(TEXT.members)} note={String(members.length)}>
      {members.length === 0 && <p className="muted nothing">{t(TEXT.noMembers)}</p>}
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
      {others.length > 0 && <AddMember groupId={groupId} others={others} />}
    </Card>
  )
}

function AddMember({ groupId, others }: { groupId: number; others: readonly User[] }) {
  const form = useForm<{ user: string }>(
    {},
    { user: '' },
    // Not a rule: the choice is empty again after each that was added.
    async ({ user }) =>
      user ? move([Number(user)], groupId) : { result: INVALID_ARG, field: 'user', fault: 'required' },
    { done: () => form.set({ user: '' }) }
  )
  return (
    <form className="adding" noValidate onSubmit={form.submit}>
      <SelectField
        {...form.field('user')}
        label={t(TEXT.addMember)}
        placeholder={t(TEXT.choose)}
        options={others.map(({ id, name, 'group-name': present }) => ({
          value: String(id),
          label: t(TEXT.memberFrom, name, present)
        }))}
      />
      <Button submit label={t(TEXT.addMember)} busy={form.busy} />
    </form>
  )
}
