// One user group: what it is called, what it may do, who is in it.
import { useInstead } from '../../parts/load-state.tsx'
import { link } from '../../paths.ts'
import { useParams } from '../../state/location.ts'
import { $people } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import { Empty } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { GroupForm } from './group-form.tsx'
import { Members } from './members.tsx'
import { TEXT } from './text.ts'

export function UserGroupScreen() {
  const { groupId = '' } = useParams()
  const group = useStore($people).value?.groups?.find(({ id }) => String(id) === groupId)
  const nothing = (
    <Empty icon="search" title={t(TEXT.noneFound)}>
      <a href={`#${link('users', { tab: 'groups' })}`}>{t(TEXT.groups)}</a>
    </Empty>
  )
  const instead = useInstead($people, !group && groupId !== 'new', nothing)
  return (
    <>
      {instead ?? (
        <div className="stack">
          <GroupForm group={group} key={groupId} />
          {group && <Members group={group} />}
        </div>
      )}
    </>
  )
}
