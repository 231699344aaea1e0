import type { ComponentType } from 'react'
import { USERS_MAX } from '../../../contract/limits.ts'
import { changePassword } from '../../../contract/session.ts'
import { addUser, deleteUsers, moveUsers, setUser, type User } from '../../../contract/user.ts'
import type { Action } from '../../parts/actions.tsx'
import { PasswordDialog } from '../../parts/password/password-dialog.tsx'
import { PASSWORD_TEXT } from '../../parts/password/password-form.tsx'
import { Rows } from '../../parts/resource-list.tsx'
import { link } from '../../paths.ts'
import { $session } from '../../state/session.ts'
import { $people } from '../../state/users.ts'
import { ago } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { Since } from '../../ui/since.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { AddDialog } from './add-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { keepsAdmin, nameOf, removeUsers } from './store.ts'
import { TEXT } from './text.ts'

const lastLogin = (user: User) => user['last-login'] ?? 0

const COLUMNS: readonly Column<User>[] = [
  { key: 'name', title: TEXT.name, text: nameOf },
  { key: 'nick', title: TEXT.nick, text: ({ nick = '' }) => nick, hide: 'xs' },
  {
    key: 'group',
    title: TEXT.group,
    cell: (user) => <a href={`#${link('userGroup', { groupId: String(user['group-id']) })}`}>{user['group-name']}</a>,
    sort: (user) => user['group-name']
  },
  {
    key: 'last-login',
    title: TEXT.signedIn,
    cell: (user) => (lastLogin(user) ? <Since at={lastLogin(user)} say={ago} /> : t(TEXT.never)),
    sort: lastLogin,
    hide: 'xs'
  }
]

const MOVE: Action<User> = {
  call: moveUsers,
  icon: 'group',
  verb: TEXT.move,
  barred: keepsAdmin,
  run: (users) => openDialog(MoveDialog, { users })
}

const REMOVE: Action<User> = {
  call: deleteUsers,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  ask: () => t(TEXT.removeText),
  barred: keepsAdmin,
  run: removeUsers
}

/** For one user at a time. */
const opens =
  (Dialog: ComponentType<{ user: User; onClose: () => void }>): Action<User>['run'] =>
  async ([user]) =>
    user !== undefined && openDialog(Dialog, { user })

const EDIT: Action<User> = { call: setUser, icon: 'edit', verb: TEXT.edit, run: opens(EditDialog) }

const PASSWORD: Action<User> = {
  call: changePassword,
  icon: 'key',
  verb: PASSWORD_TEXT.title,
  run: opens(({ user: { id, name }, onClose }) => (
    <PasswordDialog of={id === $session.get()?.id ? undefined : name} onClose={onClose} />
  ))
}

export function UserList() {
  const users = useStore($people).value?.users ?? []
  return (
    <Rows
      of={$people}
      rows={users}
      list="users"
      title={TEXT.users}
      columns={COLUMNS}
      sorting={{ key: 'name', order: 'ascending' }}
      says={({ name, nick }) => [name, nick]}
      adding={{
        call: addUser,
        verb: TEXT.add,
        barred: users.length < USERS_MAX ? undefined : t(TEXT.maxUsers, USERS_MAX),
        onAct: () => openDialog(AddDialog)
      }}
      acts={[EDIT, PASSWORD, MOVE, REMOVE]}
      bar={[MOVE, REMOVE]}
    />
  )
}
