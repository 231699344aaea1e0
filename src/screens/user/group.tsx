// The page of a user group: name, permissions, members.
import { DeletedState, useWasSeen } from '../../parts/deleted-state.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { linkTo } from '../../paths.ts'
import { useParams } from '../../state/location.ts'
import { usePageTitle } from '../../state/title.ts'
import { $users } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import { EmptyState } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { GroupForm } from './group-form.tsx'
import { Members } from './members.tsx'
import { TEXT } from './text.ts'
import { VisibleObjectsCard } from './visible-objects.tsx'

export function UserGroupScreen() {
  const { groupId = '' } = useParams()
  const group = useStore($users).value?.groups?.find(({ id }) => String(id) === groupId)
  usePageTitle(group?.name)
  const groups = linkTo('users', { tab: 'groups' })
  const emptyView = useWasSeen(group !== undefined) ? (
    <DeletedState icon="group" list={groups} />
  ) : (
    <EmptyState icon="search" title={t(TEXT.noneFound)}>
      <a href={`#${groups}`}>{t(TEXT.groups)}</a>
    </EmptyState>
  )
  const placeholder = usePlaceholder($users, !group && groupId !== 'new', emptyView)
  return (
    <>
      {placeholder ?? (
        <div className="stack">
          <GroupForm group={group} key={groupId} />
          {group && <Members group={group} />}
          {group && <VisibleObjectsCard key={`${group.id}`} group={group.id} name={group.name} />}
        </div>
      )}
    </>
  )
}
