import { GROUP_CUSTOM } from '../../../contract/access/permissions.ts'
import { addGroup, deleteGroup, type UserGroup } from '../../../contract/access/user.ts'
import { GROUPS_MAX } from '../../../contract/limits.ts'
import type { Action } from '../../parts/actions.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { linkTo } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { $users } from '../../state/users.ts'
import { t } from '../../text/language.ts'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { groupReason } from './management.ts'
import { permissionSummary } from './permission-text.ts'
import { removeGroup } from './store.ts'
import { TEXT } from './text.ts'

const COLUMNS: readonly Column<UserGroup>[] = [
  {
    key: 'name',
    title: TEXT.groupName,
    cell: ({ id, name }) => <a href={`#${linkTo('userGroup', { groupId: String(id) })}`}>{name}</a>,
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
  { key: 'rights', title: TEXT.rights, text: ({ permission }) => permissionSummary(permission), hide: 'xs' }
]

const REMOVE: Action<UserGroup> = {
  call: deleteGroup,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  confirmText: () => t(TEXT.removeGroupText),
  disabledReason: ([group]) => (group?.type === GROUP_CUSTOM ? groupReason(group) : t(TEXT.builtIn)),
  run: ([group]) => removeGroup(group as UserGroup)
}

export function GroupList() {
  const groups = useStore($users).value?.groups ?? []
  return (
    <ResourceList
      store={$users}
      rows={groups}
      settingsKey="user-groups"
      title={TEXT.groups}
      columns={COLUMNS}
      addAction={{
        call: addGroup,
        verb: TEXT.addGroup,
        disabledReason: groups.length < GROUPS_MAX ? undefined : t(TEXT.maxGroups, GROUPS_MAX),
        onClick: () => navigate(linkTo('userGroup', { groupId: 'new' }))
      }}
      actions={[REMOVE]}
    />
  )
}
