// One user group: what it is called, what it may do, who is in it.
import { GROUP_CUSTOM } from '../../../contract/permissions.ts'
import { useInstead } from '../../parts/loaded.tsx'
import { link } from '../../paths.ts'
import { useParams } from '../../state/location.ts'
import { $people } from '../../state/people.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/condition.tsx'
import { useStore } from '../../ui/use-store.ts'
import { GroupForm } from './group-form.tsx'
import { Members } from './members.tsx'
import { PermissionEditor } from './permission-editor.tsx'
import { TEXT } from './text.ts'

export function UserGroupScreen() {
  const { groupId = '' } = useParams()
  const group = useStore($people).value?.groups?.find(({ id }) => String(id) === groupId)
  const isNew = groupId === 'new'
  const nothing = (
    <Empty icon="search" title={t(TEXT.noGroup)}>
      <a href={`#${link('users', { tab: 'groups' })}`}>{t(TEXT.groups)}</a>
    </Empty>
  )
  const instead = useInstead($people, !isNew && !group, nothing)
  if (instead) return <>{instead}</>
  return (
    <div className="stack">
      {!group || group.type === GROUP_CUSTOM ? (
        <GroupForm group={group} key={groupId} />
      ) : (
        <Card title={group.name}>
          <p className="muted">{t(TEXT.fixed)}</p>
          {group.desc && <p>{group.desc}</p>}
          <PermissionEditor fixed value={group.permission} onValue={() => {}} />
        </Card>
      )}
      {group ? <Members group={group} /> : <p className="muted">{t(TEXT.membersLater)}</p>}
    </div>
  )
}
