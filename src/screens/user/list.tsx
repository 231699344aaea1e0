// Who may come in, what they may do, where they are signed in, and what their passwords must be like.
import { Tabs } from '../../parts/tabs.tsx'
import { GroupList } from './groups.tsx'
import { PasswordRuleForm } from './password-rules.tsx'
import { SessionList } from './sessions.tsx'
import { TEXT } from './text.ts'
import { UserList } from './users.tsx'

const TABS = [
  { title: TEXT.users, part: UserList },
  { tab: 'groups', title: TEXT.groups, part: GroupList },
  { tab: 'sessions', title: TEXT.sessions, part: SessionList },
  { tab: 'rules', title: TEXT.rules, part: PasswordRuleForm }
] as const

export const UserListScreen = () => <Tabs place="users" label={TEXT.users} tabs={TABS} />
