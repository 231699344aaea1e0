// Search results: devices, and presets, which are stored inputs.
import { displaySerial } from '../../../contract/device/products.ts'
import { PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { OnlineState } from '../../parts/device/device-facts.tsx'
import { deviceLink } from '../../parts/device/device-name.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { linkTo, type RouteName } from '../../paths.ts'
import { useQuery } from '../../state/location.ts'
import { $deviceResults, $presetResults, useSearchResults } from '../../state/search-results.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

export function SearchScreen() {
  const query = useQuery()
  const key = query.get('for') ?? ''
  const highlighted = (query.get('search-navigation') ?? undefined) as RouteName | undefined
  useSearchResults(key)
  const devices = useStore($deviceResults)
  const presets = useStore($presetResults)
  return (
    <>
      <Card
        title={t(TEXT.devices)}
        note={String(devices.total)}
        action={<a href={`#${linkTo('allDevices', { key })}`}>{t(TEXT.all)}</a>}
      >
        <LoadState store={$deviceResults} isEmpty={!devices.total} emptyText={t(TEXT.none)}>
          <ul className="lines">
            {devices.items.map((device) => (
              <li key={device.id}>
                <a className="cut" href={`#${deviceLink(device, highlighted)}`}>
                  {device.name}
                </a>
                <span className="cut muted">{displaySerial(device.sn, device.module)}</span>
                <OnlineState device={device} />
              </li>
            ))}
          </ul>
        </LoadState>
      </Card>
      <Card title={t(TEXT.presets)} note={String(presets.total)}>
        <LoadState store={$presetResults} isEmpty={!presets.total} emptyText={t(TEXT.none)}>
          <ul className="lines">
            {presets.items.map(({ id, name, protocol, 'masked-url': url, 'owner-i': channels }) => (
              <li key={id}>
                <span className="cut">{name}</span>
                <span className="cut muted">{url}</span>
                <span>{PROTOCOL_NAMES[protocol]}</span>
                {channels?.map((channel) => (
                  <a key={channel} href={`#${linkTo('channels', { key: channel })}`}>
                    {channel}
                  </a>
                ))}
              </li>
            ))}
          </ul>
        </LoadState>
      </Card>
    </>
  )
}
