// Who sees the devices and channels that have no setting of their own.
import { atom } from 'nanostores'
import type { Visibility } from '../../../contract/access/visibility.ts'
import { getGlobalDevice } from '../../../contract/device/device.ts'
import { getGlobalChannel } from '../../../contract/stream/channel-security.ts'
import { audienceText, listedAudiences } from '../../parts/access/audience.ts'
import { openAccess } from '../../parts/access/open-access.ts'
import { LoadState } from '../../parts/load-state.tsx'
import { createLiveValue } from '../../state/live-value.ts'
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

const $device = createLiveValue({ call: getGlobalDevice, request: atom({}), pace: 'slowest', topic: 'user' })
const $channel = createLiveValue({ call: getGlobalChannel, request: atom({}), pace: 'slowest', topic: 'user' })

interface DefaultCardProps {
  of: 'device' | 'channel'
  title: Translation
  lead: Translation
  store: typeof $channel | typeof $device
}

function DefaultCard({ of, title, lead, store }: DefaultCardProps) {
  const audiences = listedAudiences(useStore($users).value)
  const security: Visibility | undefined = useStore(store).value?.security
  const change = async () => (await openAccess({ kind: 'default', of })) && store.refresh()
  return (
    <Card title={t(title)} action={<Button icon="key" label={t(TEXT.change)} onClick={() => void change()} />}>
      <LoadState store={store} isEmpty={!security} emptyText="">
        <p className="muted">{t(lead)}</p>
        {security && <strong>{audienceText(security, audiences)}</strong>}
      </LoadState>
    </Card>
  )
}

export const DefaultAccessTab = () => (
  <div className="cards">
    <DefaultCard of="channel" title={TEXT.channels} lead={TEXT.channelLead} store={$channel} />
    <DefaultCard of="device" title={TEXT.devices} lead={TEXT.deviceLead} store={$device} />
  </div>
)
