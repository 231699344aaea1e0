import { endSessions as endSessionsCall, type Session } from '../../../contract/user.ts'
import type { Action } from '../../parts/actions.tsx'
import { Rows } from '../../parts/resource-list.tsx'
import { $sessions, endSessions } from '../../state/sessions.ts'
import { ago, dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

const nameOf = ({ user, ip }: Session) => t(TEXT.inside, user, ip)

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

export const SessionList = () => (
  <Rows
    of={$sessions}
    rows={useStore($sessions).value?.list ?? []}
    list="sessions"
    title={TEXT.sessions}
    columns={COLUMNS}
    nameOf={nameOf}
    sorting={{ key: 'seen', order: 'descending' }}
    none={{ icon: 'user', title: t(TEXT.noSessions) }}
    acts={[END]}
    bar={[END]}
  />
)
