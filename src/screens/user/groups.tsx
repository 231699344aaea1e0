import { GROUPS_MAX } from '../../../contract/limits.ts'
import { GROUP_CUSTOM } from '../../../contract/permissions.ts'
import { addGroup, deleteGroup, type UserGroup } from '../../../contract/user.ts'
import type { Action } from '../../parts/actions.tsx'
import { Rows } from '../../parts/resource-list.tsx'
import { link } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { $people } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { inShort } from './rights.ts'
import { removeGroup } from './store.ts'
import { TEXT } from './text.ts'

const COLUMNS: readonly Column<UserGroup>[] = [
  {
    key: 'name',
    title: TEXT.groupName,
    cell: ({ id, name }) => <a href={`#${link('userGroup', { groupId: String(id) })}`}>{name}</a>,
    sort: ({ name }) => name
  },
  {
    key: 'users',
    title: TEXT.users,
    align: 'end',
    cell: ({ users }) => users.length,
    sort: ({ users }) => users.length
  },
  { key: 'desc', title: TEXT.desc, text: ({ desc }) => desc, hide: 'sm' },
  { key: 'rights', title: TEXT.rights, text: ({ permission }) => inShort(permission), hide: 'xs' }
]

const REMOVE: Action<UserGroup> = {
  call: deleteGroup,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  ask: () => t(TEXT.removeGroupText),
  barred: ([group]) => (group?.type === GROUP_CUSTOM ? undefined : t(TEXT.builtIn)),
  run: ([group]) => removeGroup(group as UserGroup)
}

export function GroupList() {
  const groups = useStore($people).value?.groups ?? []
  return (
    <Rows
      of={$people}
      rows={groups}
      list="user-groups"
      title={TEXT.groups}
      columns={COLUMNS}
      adding={{
        call: addGroup,
        verb: TEXT.addGroup,
        barred: groups.length < GROUPS_MAX ? undefined : t(TEXT.maxGroups, GROUPS_MAX),
        onAct: () => navigate(link('userGroup', { groupId: 'new' }))
      }}
      acts={[REMOVE]}
    />
  )
}
