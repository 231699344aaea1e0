// Who may come in, what they may do, where they are signed in, and what their passwords must be like.
import type { ComponentType } from 'react'
import { link } from '../../paths.ts'
import { useQuery } from '../../state/location.ts'
import { type Pair, t } from '../../text/language.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { GroupList } from './groups.tsx'
import { PasswordRuleForm } from './rules.tsx'
import { SessionList } from './sessions.tsx'
import { TEXT } from './text.ts'
import { UserList } from './users.tsx'

const TABS: readonly { tab?: 'groups' | 'sessions' | 'rules'; title: Pair; part: ComponentType }[] = [
  { title: TEXT.users, part: UserList },
  { tab: 'groups', title: TEXT.groups, part: GroupList },
  { tab: 'sessions', title: TEXT.sessions, part: SessionList },
  { tab: 'rules', title: TEXT.rules, part: PasswordRuleForm }
]

export function UserListScreen() {
  const wish = useQuery().get('tab')
  const current = TABS.find(({ tab }) => tab === wish) ?? TABS[0]
  return (
    <>
      <Tabs
        label={t(TEXT.users)}
        tabs={TABS.map((one) => ({
          title: t(one.title),
          to: link('users', { tab: one.tab }),
          current: one === current
        }))}
      />
      {current && <current.part />}
    </>
  )
}
