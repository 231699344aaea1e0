import { useState } from 'react'
import { USERS_MAX } from '../../../contract/limits.ts'
import { changePassword } from '../../../contract/session.ts'
import { addUser, deleteUsers, moveUsers, setUser, type User } from '../../../contract/user.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { PasswordDialog } from '../../parts/password-dialog.tsx'
import { link } from '../../paths.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { $people } from '../../state/people.ts'
import { $session } from '../../state/session.ts'
import { $sessions } from '../../state/sessions.ts'
import { ago } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Empty } from '../../ui/condition.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Since } from '../../ui/since.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { AddDialog } from './add-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { ADMIN, fullOf, removeUsers } from './store.ts'
import { TEXT } from './text.ts'

type Open = { dialog: 'add' } | { dialog: 'edit' | 'password' | 'move'; users: readonly User[] } | undefined

const nameOf = (user: User) => user.name

function LastLogin({ user }: { user: User }) {
  const at = user['last-login']
  return at ? <Since at={at} say={ago} /> : <span className="muted">{t(TEXT.never)}</span>
}

function columnsWith(sessionsOf: (user: User) => number | undefined): readonly Column<User>[] {
  return [
    { key: 'name', title: TEXT.name, text: nameOf },
    { key: 'nick', title: TEXT.nick, text: (user) => user.nick ?? '', hide: 'xs' },
    {
      key: 'group',
      title: TEXT.group,
      cell: (user) => <a href={`#${link('userGroup', { groupId: String(user['group-id']) })}`}>{user['group-name']}</a>,
      sort: (user) => user['group-name']
    },
    {
      key: 'last-login',
      title: TEXT.lastLogin,
      cell: (user) => <LastLogin user={user} />,
      sort: (user) => user['last-login'] ?? 0,
      hide: 'xs'
    },
    {
      key: 'sessions',
      title: TEXT.sessions,
      align: 'end',
      cell: (user) => sessionsOf(user) ?? '–',
      sort: (user) => sessionsOf(user) ?? 0,
      hide: 'xs'
    }
  ]
}

export function UserList() {
  const users = useStore($people).value?.users ?? []
  const sessions = useStore($sessions).value?.list
  const own = useStore($session)
  const [open, setOpen] = useState<Open>()
  const key = useQuery().get('key') ?? ''
  const rows = users.filter(({ name, nick }) => `${name}\n${nick}`.toLowerCase().includes(key.toLowerCase()))
  const close = () => setOpen(undefined)
  const columns = columnsWith(({ id }) => sessions?.filter((session) => session['user-id'] === id).length)

  const opens = (dialog: 'edit' | 'password' | 'move') => async (chosen: readonly User[]) => {
    setOpen({ dialog, users: chosen })
    return false
  }
  const holdsAdmin = (chosen: readonly User[]) => chosen.some(({ id }) => id === ADMIN)
  const moves: Action<User> = {
    call: moveUsers,
    icon: 'group',
    one: TEXT.move,
    many: TEXT.moveMany,
    barred: (chosen) => (holdsAdmin(chosen) ? t(TEXT.adminFixed) : undefined),
    run: opens('move')
  }
  const removes: Action<User> = {
    call: deleteUsers,
    icon: 'delete',
    one: TEXT.remove,
    many: TEXT.removeMany,
    kind: 'danger',
    ask: { title: TEXT.removeTitle, text: TEXT.removeText },
    barred: (chosen) => (holdsAdmin(chosen) ? t(TEXT.adminStays) : undefined),
    run: removeUsers
  }
  const edits: Action<User> = { call: setUser, icon: 'edit', one: TEXT.edit, many: TEXT.edit, run: opens('edit') }
  const passwords: Action<User> = {
    call: changePassword,
    icon: 'key',
    one: TEXT.setPassword,
    many: TEXT.setPassword,
    run: opens('password')
  }

  return (
    <>
      <Table
        list="users"
        label={t(TEXT.users)}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        sorting={{ key: 'name', order: 'ascending' }}
        tools={
          <>
            <ActButton
              call={addUser}
              kind="main"
              icon="plus"
              label={t(TEXT.add)}
              barred={fullOf('user', users.length, USERS_MAX)}
              onAct={() => setOpen({ dialog: 'add' })}
            />
            <SearchBox label={t(TEXT.search)} value={key} onSearch={(text) => setQuery({ key: text })} />
          </>
        }
        actions={(chosen, clear) => (
          <Actions actions={[moves, removes]} rows={chosen} nameOf={nameOf} these={TEXT.these} onDone={clear} />
        )}
        rowActions={(user) => <Actions actions={[edits, passwords, moves, removes]} rows={[user]} nameOf={nameOf} />}
        instead={useInstead($people, rows.length === 0, <Empty icon="search" title={t(TEXT.noneFound)} />)}
      />
      {open?.dialog === 'add' && <AddDialog onClose={close} />}
      {open?.dialog === 'edit' && open.users[0] && <EditDialog user={open.users[0]} onClose={close} />}
      {open?.dialog === 'password' && open.users[0] && (
        <PasswordDialog of={open.users[0].id === own?.id ? undefined : open.users[0].name} onClose={close} />
      )}
      {open?.dialog === 'move' && <MoveDialog users={open.users} onClose={close} />}
    </>
  )
}
