// The search over what has a name: devices and presets, which are saved sources.
import { shownSerial } from '../../../contract/device/products.ts'
import { PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { Presence } from '../../parts/device/device-facts.tsx'
import { deviceLink } from '../../parts/device/device-name.tsx'
import { Loaded } from '../../parts/load-state.tsx'
import { link, type Place } from '../../paths.ts'
import { useQuery } from '../../state/location.ts'
import { $foundDevices, $foundPresets, useSearch } from '../../state/search-results.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

export function SearchScreen() {
  const query = useQuery()
  const key = query.get('for') ?? ''
  const from = (query.get('search-navigation') ?? undefined) as Place | undefined
  useSearch(key)
  const devices = useStore($foundDevices)
  const presets = useStore($foundPresets)
  return (
    <>
      <Card
        title={t(TEXT.devices)}
        note={String(devices.total)}
        more={<a href={`#${link('allDevices', { key })}`}>{t(TEXT.all)}</a>}
      >
        <Loaded of={$foundDevices} empty={!devices.total} says={t(TEXT.none)}>
          <ul className="lines">
            {devices.items.map((device) => (
              <li key={device.id}>
                <a className="cut" href={`#${deviceLink(device, from)}`}>
                  {device.name}
                </a>
                <span className="cut muted">{shownSerial(device.sn, device.module)}</span>
                <Presence device={device} />
              </li>
            ))}
          </ul>
        </Loaded>
      </Card>
      <Card title={t(TEXT.presets)} note={String(presets.total)}>
        <Loaded of={$foundPresets} empty={!presets.total} says={t(TEXT.none)}>
          <ul className="lines">
            {presets.items.map(({ id, name, protocol, 'masked-url': url, 'owner-i': channels }) => (
              <li key={id}>
                <span className="cut">{name}</span>
                <span className="cut muted">{url}</span>
                <span>{PROTOCOL_NAMES[protocol]}</span>
                {channels?.map((channel) => (
                  <a key={channel} href={`#${link('channels', { key: channel })}`}>
                    {channel}
                  </a>
                ))}
              </li>
            ))}
          </ul>
        </Loaded>
      </Card>
    </>
  )
}
