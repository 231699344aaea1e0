// User management: users, user groups, sessions, defaults and rules.
import { SYSTEM_CONFIG_EDIT } from '../../../contract/access/permissions.ts'
import { SessionList } from '../../parts/session-list.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { $isAllowed } from '../../state/session.ts'
import { useStore } from '../../ui/use-store.ts'
import { AccountRulesTab } from './account-rules.tsx'
import { DefaultAccessTab } from './default-access.tsx'
import { AddDisplayButton } from './display-dialog.tsx'
import { GroupList } from './groups.tsx'
import { TEXT } from './text.ts'
import { UserList } from './users.tsx'

const TABS = [
  { title: TEXT.users, Content: UserList },
  { tab: 'groups', title: TEXT.groups, Content: GroupList },
  { tab: 'sessions', title: TEXT.sessions, Content: () => <SessionList toolbar={<AddDisplayButton />} /> },
  { tab: 'access', title: TEXT.defaultAccess, Content: DefaultAccessTab, access: 'admin' },
  { tab: 'rules', title: TEXT.accountRules, Content: AccountRulesTab, access: SYSTEM_CONFIG_EDIT }
] as const

/** The global defaults and the rules are for the Admin group. */
export function UserListScreen() {
  const isAllowed = useStore($isAllowed)
  const tabs = TABS.filter((tab) => !('access' in tab) || isAllowed(tab))
  return <Tabs route="users" label={TEXT.users} tabs={tabs} />
}
