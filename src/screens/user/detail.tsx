// The page of a user: facts, and the devices and channels that the user sees.
import type { User } from '../../../contract/access/user.ts'
import { DeletedState, useWasSeen } from '../../parts/deleted-state.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { SessionList } from '../../parts/session-list.tsx'
import { linkTo } from '../../paths.ts'
import { useParams } from '../../state/location.ts'
import { usePageTitle } from '../../state/title.ts'
import { $users } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { manageReason } from './management.ts'
import { permissionSummary } from './permission-text.ts'
import { TEXT } from './text.ts'
import { lastDay } from './users.tsx'
import { VisibleObjectsCard } from './visible-objects.tsx'

/** The sessions of a user, or why the signed-in user may not see them. */
function UserSessions({ user }: { user: User }) {
  const reason = manageReason([user])
  return (
    <>
      <h2>{t(TEXT.sessions)}</h2>
      {reason ? <p className="muted">{reason}</p> : <SessionList userId={user.id} />}
    </>
  )
}

export function UserScreen() {
  const { userId = '' } = useParams()
  const user = useStore($users).value?.users?.find(({ id }) => String(id) === userId)
  usePageTitle(user?.name)
  const emptyView = useWasSeen(user !== undefined) ? (
    <DeletedState icon="user" list={linkTo('users')} />
  ) : (
    <EmptyState icon="search" title={t(TEXT.noneFound)}>
      <a href={`#${linkTo('users')}`}>{t(TEXT.users)}</a>
    </EmptyState>
  )
  const placeholder = usePlaceholder($users, !user, emptyView)
  if (placeholder || !user) return <>{placeholder}</>
  const group = linkTo('userGroup', { groupId: String(user['group-id']) })
  return (
    <div className="stack">
      <Card title={user.name}>
        <DescriptionList
          items={[
            [t(TEXT.nick), user.nick],
            [t(TEXT.group), <a href={`#${group}`}>{user['group-name']}</a>],
            [t(TEXT.rights), permissionSummary(user.permission)],
            [t(TEXT.guest), user.guest && t(TEXT.guestHint)],
            [t(TEXT.lastDay), lastDay(user)],
            [t(TEXT.secondFactor), user['second-factor'] && t(TEXT.on)]
          ]}
        />
      </Card>
      <VisibleObjectsCard key={user.id} usr={user.id} name={user.name} />
      <UserSessions user={user} />
    </div>
  )
}
