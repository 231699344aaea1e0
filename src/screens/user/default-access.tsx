// Who sees the devices and channels that have no setting of their own.

import { audienceText, listedAudiences } from '../../parts/access/audience.ts'
import { $channelDefault, $deviceDefault } from '../../parts/access/defaults.ts'
import { openAccess } from '../../parts/access/open-access.ts'
import type { AccessSubject } from '../../parts/access/subject.ts'
import { LoadState } from '../../parts/load-state.tsx'
import { $users } from '../../state/users.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  channels: ['Channels', '频道'],
  devices: ['Devices', '设备'],
  change: ['Change', '更改'],
  channelLead: ['Who sees a channel that has no access setting of its own:', '没有单独设置可见范围的频道，可见者为：'],
  deviceLead: [
    'Who sees a device without an access setting of its own or of its group, and every device that is not accepted:',
    '自身及所在分组均未设置可见范围的设备，以及所有未接受的设备，可见者为：'
  ]
} as const satisfies Record<string, Translation>

function DefaultCard({ of }: Pick<AccessSubject, 'of'>) {
  const [title, lead, store] =
    of === 'channel'
      ? [TEXT.channels, TEXT.channelLead, $channelDefault]
      : [TEXT.devices, TEXT.deviceLead, $deviceDefault]
  const audiences = listedAudiences(useStore($users).value)
  const security = useStore(store).value?.security
  return (
    <Card title={t(title)} action={<Button icon="key" label={t(TEXT.change)} onClick={() => openAccess({ of })} />}>
      <LoadState store={store} isEmpty={!security} emptyText="">
        <p className="muted">{t(lead)}</p>
        {security && <strong>{audienceText(security, audiences)}</strong>}
      </LoadState>
    </Card>
  )
}

export const DefaultAccessTab = () => (
  <div className="cards">
    <DefaultCard of="channel" />
    <DefaultCard of="device" />
  </div>
)
