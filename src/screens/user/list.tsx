// User management: users, user groups, sessions, defaults and rules.
import { SYSTEM_CONFIG_EDIT } from '../../../contract/access/permissions.ts'
import { listSessions } from '../../../contract/access/user.ts'
import { setGlobalDevice } from '../../../contract/device/device.ts'
import { settingsOf } from '../../other-hubs.ts'
import {
  $channelDefault,
  $deviceDefault,
  type AccessSubject,
  audienceText,
  listedAudiences
} from '../../parts/access/audience.ts'
import { openAccess } from '../../parts/access/open-access.ts'
import { LoadState } from '../../parts/load-state.tsx'
import { SessionList } from '../../parts/session-list.tsx'
import { AdminSessionForm, SessionExpiryForm } from '../../parts/settings/session-expiry.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { $isAllowed } from '../../state/session.ts'
import { $users } from '../../state/users.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { AddDisplayButton } from './display-dialog.tsx'
import { GroupList } from './groups.tsx'
import { PasswordRulesForm } from './password-rules.tsx'
import { $settings } from './store.ts'
import { TEXT } from './text.ts'
import { UserControlNote } from './user-control-note.tsx'
import { UserList } from './users.tsx'

const DEFAULT_TEXT = {
  channels: ['Channels', '频道'],
  devices: ['Devices', '设备'],
  change: ['Change', '更改'],
  channelLead: ['Who sees a channel that has no access setting of its own:', '没有单独设置可见范围的频道，可见者为：'],
  deviceLead: [
    'Who sees a device without an access setting of its own or of its group, and every device that is not accepted:',
    '自身及所在分组均未设置可见范围的设备，以及所有未接受的设备，可见者为：'
  ]
} as const satisfies Record<string, Translation>

const TABS = [
  { title: TEXT.users, Content: UserList },
  { tab: 'groups', title: TEXT.groups, Content: GroupList },
  {
    tab: 'sessions',
    title: TEXT.sessions,
    Content: () => <SessionList toolbar={<AddDisplayButton />} />,
    access: listSessions.access,
    path: listSessions.path
  },
  {
    tab: 'access',
    title: TEXT.defaultAccess,
    Content: DefaultAccessTab,
    access: 'admin',
    path: setGlobalDevice.path
  },
  { tab: 'rules', title: TEXT.accountRules, Content: AccountRulesTab, access: SYSTEM_CONFIG_EDIT }
] as const

/** The global defaults and the rules are for the Admin group. */
export function UserListScreen() {
  const isAllowed = useStore($isAllowed)
  const tabs = TABS.filter((tab) => !('access' in tab) || isAllowed(tab))
  return (
    <>
      <UserControlNote />
      <Tabs route="users" label={TEXT.users} tabs={tabs} />
    </>
  )
}

/** The password rules and the session expiry, which only the Admin group changes. */
function AccountRulesTab() {
  const { value } = useStore($settings)
  const { 'pwd-rule': rules, 'expired-time': minutes, 'admin-session': hours } = settingsOf(value)
  return (
    <LoadState store={$settings} isEmpty={!value} emptyText="">
      <div className="cards">
        {rules && <PasswordRulesForm rules={rules} />}
        {minutes !== undefined && <SessionExpiryForm minutes={minutes} />}
        {hours !== undefined && <AdminSessionForm hours={hours} />}
      </div>
    </LoadState>
  )
}

function DefaultCard({ of }: Pick<AccessSubject, 'of'>) {
  const [title, lead, store] =
    of === 'channel'
      ? [DEFAULT_TEXT.channels, DEFAULT_TEXT.channelLead, $channelDefault]
      : [DEFAULT_TEXT.devices, DEFAULT_TEXT.deviceLead, $deviceDefault]
  const audiences = listedAudiences(useStore($users).value)
  const security = useStore(store).value?.security
  return (
    <Card
      title={t(title)}
      action={<Button icon="key" label={t(DEFAULT_TEXT.change)} onClick={() => openAccess({ of })} />}
    >
      <LoadState store={store} isEmpty={!security} emptyText="">
        <p className="muted">{t(lead)}</p>
        {security && <strong>{audienceText(security, audiences)}</strong>}
      </LoadState>
    </Card>
  )
}

/** Who sees the devices and channels that have no setting of their own. */
function DefaultAccessTab() {
  return (
    <div className="cards">
      <DefaultCard of="channel" />
      <DefaultCard of="device" />
    </div>
  )
}
