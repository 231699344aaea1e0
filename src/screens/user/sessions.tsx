import { endSessions as endSessionsCall, type Session } from '../../../contract/user.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { $sessions, endSessions } from '../../state/sessions.ts'
import { ago, dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Empty } from '../../ui/condition.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

const nameOf = ({ user, ip }: Session) => t(TEXT.sessionOf, user, ip)

const COLUMNS: readonly Column<Session>[] = [
  {
    key: 'user',
    title: TEXT.name,
    cell: ({ user, own }) => (
      <>
        {user} {own && <State tone="good" text={t(TEXT.thisOne)} />}
      </>
    ),
    sort: ({ user }) => user
  },
  { key: 'ip', title: TEXT.address, text: ({ ip }) => ip },
  { key: 'agent', title: TEXT.browser, text: ({ browser }) => browser, hide: 'xs' },
  {
    key: 'created',
    title: TEXT.signedIn,
    cell: ({ created }) => dateTime(created),
    sort: ({ created }) => created,
    hide: 'sm'
  },
  {
    key: 'seen',
    title: TEXT.lastUse,
    cell: ({ seen }) => <Since at={seen} say={ago} />,
    sort: ({ seen }) => seen,
    hide: 'xs'
  }
]

const END: Action<Session> = {
  call: endSessionsCall,
  icon: 'output',
  verb: TEXT.end,
  kind: 'danger',
  ask: () => t(TEXT.endText),
  run: (sessions) => endSessions(sessions.map(({ id }) => id))
}

export function SessionList() {
  const rows = useStore($sessions).value?.list ?? []
  return (
    <Table
      list="sessions"
      label={t(TEXT.sessions)}
      columns={COLUMNS}
      rows={rows}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      sorting={{ key: 'seen', order: 'descending' }}
      actions={(chosen, clear) => (
        <Actions actions={[END]} rows={chosen} nameOf={nameOf} these={TEXT.these} onDone={clear} />
      )}
      rowActions={(session) => <Actions actions={[END]} rows={[session]} nameOf={nameOf} />}
      instead={useInstead($sessions, rows.length === 0, <Empty icon="user" title={t(TEXT.noSessions)} />)}
    />
  )
}
