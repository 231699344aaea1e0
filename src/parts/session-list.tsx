import type { ReactNode } from 'react'
import { endSessions as endSessionsCall, type Session } from '../../contract/access/user.ts'
import { $sessions, endSessions } from '../state/users.ts'
import { ago, dateTime } from '../text/dates.ts'
import { type Translation, t } from '../text/language.ts'
import { ElapsedTime } from '../ui/elapsed-time.tsx'
import { StatusLabel } from '../ui/status-label.tsx'
import type { Column } from '../ui/table/table.tsx'
import { useStore } from '../ui/use-store.ts'
import type { Action } from './actions.tsx'
import { ResourceList } from './resource-list.tsx'

const TEXT = {
  sessions: ['Sessions', '会话'],
  name: ['User name', '用户名'],
  inside: ['{0} ({1})', '{0}（{1}）'],
  address: ['Address', '地址'],
  browser: ['Browser', '浏览器'],
  signedIn: ['Signed in', '登录时间'],
  lastUse: ['Last used', '最近使用'],
  thisOne: ['Current session', '当前会话'],
  end: ['End {0}', '结束 {0}'],
  endText: ['The user must sign in again.', '该用户需要重新登录。'],
  display: ['Wall display: {0}', '大屏：{0}'],
  displayEndText: [
    'The wall display goes dark until a new link is opened on it.',
    '大屏将停止显示，直到在其上打开新链接。'
  ],
  noSessions: ['No active sessions', '没有活动会话']
} as const satisfies Record<string, Translation>

const nameOf = ({ user, ip, display }: Session) => t(TEXT.inside, display ?? user, ip)

const CurrentLabel = ({ own, display }: Session) => (
  <>
    {own && <StatusLabel tone="good" text={t(TEXT.thisOne)} />}
    {display && <StatusLabel tone="off" text={t(TEXT.display, display)} />}
  </>
)

const TIMES: readonly Column<Session>[] = [
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

const COLUMNS: readonly Column<Session>[] = [
  {
    key: 'user',
    title: TEXT.name,
    cell: (session) => (
      <>
        {session.user} <CurrentLabel {...session} />
      </>
    ),
    sort: ({ user }) => user
  },
  { key: 'ip', title: TEXT.address, text: ({ ip }) => ip },
  { key: 'agent', title: TEXT.browser, text: ({ browser }) => browser, hide: 'xs' },
  ...TIMES
]

/** For the sessions of one user. */
const OWN_COLUMNS: readonly Column<Session>[] = [
  {
    key: 'agent',
    title: TEXT.browser,
    cell: (session) => (
      <>
        {session.browser} <CurrentLabel {...session} />
      </>
    ),
    sort: ({ browser }) => browser
  },
  { key: 'ip', title: TEXT.address, text: ({ ip }) => ip, hide: 'xs' },
  ...TIMES
]

const END: Action<Session> = {
  call: endSessionsCall,
  icon: 'output',
  verb: TEXT.end,
  kind: 'danger',
  confirmText: (sessions) => t(sessions.every(({ display }) => display) ? TEXT.displayEndText : TEXT.endText),
  run: (sessions) => endSessions(sessions, nameOf)
}

/** The sessions of all users, or of one. */
export function SessionList({ userId, toolbar }: { userId?: number; toolbar?: ReactNode }) {
  const rows = useStore($sessions).value?.list ?? []
  return (
    <ResourceList
      store={$sessions}
      rows={userId ? rows.filter((row) => row['user-id'] === userId) : rows}
      settingsKey={userId ? 'own-sessions' : 'sessions'}
      title={TEXT.sessions}
      columns={userId ? OWN_COLUMNS : COLUMNS}
      nameOf={nameOf}
      sorting={{ key: 'seen', order: 'descending' }}
      toolbar={toolbar}
      emptyState={{ icon: 'user', title: t(TEXT.noSessions) }}
      actions={[END]}
      bulkActions={[END]}
    />
  )
}
