import { endSessions as endSessionsCall, type Session } from '../../../contract/access/user.ts'
import type { Action } from '../../parts/actions.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { $sessions, endSessions } from '../../state/sessions.ts'
import { ago, dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
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
        {user} {own && <StatusLabel tone="good" text={t(TEXT.thisOne)} />}
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
    cell: ({ seen }) => <ElapsedTime since={seen} format={ago} />,
    sort: ({ seen }) => seen,
    hide: 'xs'
  }
]

const END: Action<Session> = {
  call: endSessionsCall,
  icon: 'output',
  verb: TEXT.end,
  kind: 'danger',
  confirmText: () => t(TEXT.endText),
  run: (sessions) => endSessions(sessions.map(({ id }) => id))
}

export const SessionList = () => (
  <ResourceList
    store={$sessions}
    rows={useStore($sessions).value?.list ?? []}
    settingsKey="sessions"
    title={TEXT.sessions}
    columns={COLUMNS}
    nameOf={nameOf}
    sorting={{ key: 'seen', order: 'descending' }}
    emptyState={{ icon: 'user', title: t(TEXT.noSessions) }}
    actions={[END]}
    bulkActions={[END]}
  />
)
