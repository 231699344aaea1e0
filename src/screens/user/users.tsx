import type { ComponentType } from 'react'
import { GROUP_VIEWER } from '../../../contract/access/permissions.ts'
import { resetSecondFactor } from '../../../contract/access/second-factor.ts'
import { changePassword } from '../../../contract/access/session.ts'
import { addUser, deleteUsers, type listUsers, moveUsers, setUser, type User } from '../../../contract/access/user.ts'
import type { ResponseOf } from '../../../contract/call.ts'
import { USERS_MAX } from '../../../contract/limits.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { useForm } from '../../form/use-form.ts'
import type { Action } from '../../parts/actions.tsx'
import { PasswordDialog } from '../../parts/password/password-dialog.tsx'
import { PASSWORD_TEXT } from '../../parts/password/password-form.tsx'
import { useQueryRequest } from '../../parts/query-request.ts'
import { ResourceList } from '../../parts/resource-list.tsx'
import { linkTo } from '../../paths.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { $session } from '../../state/session.ts'
import { $users } from '../../state/users.ts'
import { ago, fullDate } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { hubNow } from '../../ui/clock.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { SmallScreenNote } from '../../ui/table/columns.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { AddDialog } from './add-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { GroupField } from './group-field.tsx'
import { isFillable, manageReason, moveReason } from './management.ts'
import { adminProtectedReason, moveUsersTo, nameOf, removeUsers } from './store.ts'
import { TEXT } from './text.ts'

const lastLogin = (user: User) => user['last-login'] ?? 0

/** Whether the account of a user has ended. */
const isExpired = ({ expires }: User) => expires !== undefined && expires <= hubNow()

/** The last day of an account. */
export const lastDay = ({ expires }: User): string => (expires === undefined ? '' : fullDate(expires))

const COLUMNS: readonly Column<User>[] = [
  {
    key: 'name',
    title: TEXT.name,
    cell: (user) => (
      <>
        <a href={`#${linkTo('user', { userId: String(user.id) })}`}>{user.name}</a>{' '}
        {isExpired(user) && <StatusLabel tone="bad" text={t(TEXT.expired)} />}
        <SmallScreenNote size="xxs">{user['group-name']}</SmallScreenNote>
      </>
    ),
    sort: nameOf
  },
  { key: 'nick', title: TEXT.nick, text: ({ nick = '' }) => nick, hide: 'xs' },
  {
    key: 'group',
    title: TEXT.group,
    cell: (user) => (
      <>
        <a href={`#${linkTo('userGroup', { groupId: String(user['group-id']) })}`}>{user['group-name']}</a>
        {user.guest && <small className="muted"> {t(TEXT.guest)}</small>}
      </>
    ),
    sort: (user) => user['group-name'],
    hide: 'xxs'
  },
  {
    key: 'second-factor',
    title: TEXT.secondFactor,
    text: (user) => (user['second-factor'] ? t(TEXT.on) : ''),
    hide: 'sm'
  },
  {
    key: 'expires',
    title: TEXT.lastDay,
    text: lastDay,
    sort: ({ expires = Number.MAX_VALUE }) => expires,
    hide: 'xs'
  },
  {
    key: 'last-login',
    title: TEXT.signedIn,
    cell: (user) => (lastLogin(user) ? <ElapsedTime since={lastLogin(user)} format={ago} /> : t(TEXT.never)),
    sort: lastLogin,
    hide: 'xs'
  }
]

const MOVE: Action<User> = {
  call: moveUsers,
  icon: 'group',
  verb: TEXT.move,
  disabledReason: (users) => adminProtectedReason(users) ?? moveReason(users),
  run: (users) => openDialog(MoveDialog, { users })
}

const REMOVE: Action<User> = {
  call: deleteUsers,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  confirmText: () => t(TEXT.removeText),
  disabledReason: (users) => adminProtectedReason(users) ?? manageReason(users),
  run: removeUsers
}

const RESET: Action<User> = {
  call: resetSecondFactor,
  icon: 'retry',
  verb: TEXT.reset,
  kind: 'danger',
  confirmText: () => t(TEXT.resetText),
  disabledReason: manageReason,
  isApplicable: (user) => user['second-factor'] === true && user.id !== $session.get()?.id,
  run: async ([user]) =>
    user !== undefined &&
    (await succeeded(
      sendMutation(resetSecondFactor, { id: user.id }, { success: { text: OUTCOME.saved, names: [user.name] } })
    ))
}

/** Opens a dialog for the selected user. */
const openFor =
  (Dialog: ComponentType<{ user: User; onClose: () => void }>): Action<User>['run'] =>
  async ([user]) =>
    user !== undefined && openDialog(Dialog, { user })

const EDIT: Action<User> = {
  call: setUser,
  icon: 'edit',
  verb: TEXT.edit,
  disabledReason: manageReason,
  run: openFor(EditDialog)
}

const PASSWORD: Action<User> = {
  call: changePassword,
  icon: 'key',
  verb: PASSWORD_TEXT.title,
  disabledReason: manageReason,
  run: openFor(({ user: { id, name }, onClose }) => (
    <PasswordDialog userName={id === $session.get()?.id ? undefined : name} onClose={onClose} />
  ))
}

/** Why no user can be added; undefined if one can. */
function addReason({ users = [], groups = [] }: ResponseOf<typeof listUsers>): string | undefined {
  if (users.length >= USERS_MAX) return t(TEXT.maxUsers, USERS_MAX)
  return groups.some(isFillable) ? undefined : t(TEXT.noFillableGroup)
}

export function UserList() {
  const { value } = useStore($users)
  const users = value?.users ?? []
  // The address with which the Access tab of a channel adds a guest.
  useQueryRequest(
    'guest',
    (id) => value && Number(id),
    (channel) => void openDialog(AddDialog, { channel })
  )
  return (
    <ResourceList
      store={$users}
      rows={users}
      settingsKey="users"
      title={TEXT.users}
      columns={COLUMNS}
      sorting={{ key: 'name', order: 'ascending' }}
      searchTexts={({ name, nick }) => [name, nick]}
      addAction={{
        call: addUser,
        verb: TEXT.add,
        disabledReason: value && addReason(value),
        onClick: () => openDialog(AddDialog)
      }}
      actions={[EDIT, PASSWORD, MOVE, RESET, REMOVE]}
      bulkActions={[MOVE, REMOVE]}
    />
  )
}

interface MoveDialogProps {
  users: readonly User[]
  onClose: (succeeded?: boolean) => void
}

/** Moves one or more users to a group. */
function MoveDialog({ users, onClose }: MoveDialogProps) {
  const form = useForm({}, { group: String(users[0]?.['group-id'] ?? GROUP_VIEWER) }, async ({ group }) => {
    if (await moveUsersTo(users, Number(group))) onClose(true)
    return undefined
  })
  return (
    <FormDialog form={form} submitLabel={t(TEXT.move)} onClose={onClose}>
      <GroupField {...form.field('group')} />
    </FormDialog>
  )
}
