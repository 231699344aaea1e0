// The search over everything with a name: devices.
import { useLayoutEffect } from 'react'
import { shownSerial } from '../../../contract/products.ts'
import { Presence } from '../../parts/device-facts.tsx'
import { deviceLink } from '../../parts/device-name.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { link, type Place } from '../../paths.ts'
import { navigate, useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/condition.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $found, isFound, lookFor } from './store.ts'
import { TEXT } from './text.ts'

/** A text with the part that was looked for marked. */
function Marked({ text, part }: { text: string; part: string }) {
  const at = part ? text.toLowerCase().indexOf(part.toLowerCase()) : -1
  if (at < 0) return <>{text}</>
  const end = at + part.length
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}

export function SearchScreen() {
  const query = useQuery()
  const key = query.get('key') ?? ''
  return key ? (
    <Found part={key} from={(query.get('search-navigation') ?? undefined) as Place | undefined} />
  ) : (
    <Empty icon="search" title={t(TEXT.hint)} />
  )
}

/** @param from the menu entry that stays highlighted */
function Found({ part, from }: { part: string; from?: Place }) {
  useLayoutEffect(() => lookFor(part), [part])
  const { items, total } = useStore($found)
  const instead = useInstead($found, total === 0, <Empty icon="search" title={t(TEXT.none)} />)
  if (instead) return <>{instead}</>
  return (
    <Card
      title={t(TEXT.devices)}
      note={String(total)}
      more={total > items.length && <a href={`#${link('allDevices', { key: part })}`}>{t(TEXT.all, total)}</a>}
    >
      <ul className="lines found">
        {items.map((device) => (
          <li key={device.id}>
            <a href={`#${deviceLink(device, from)}`} className="cut">
              <Marked text={device.name} part={part} />
            </a>
            <span className="cut muted">
              <Marked text={shownSerial(device.sn, device.module)} part={part} />
            </span>
            <span className="cut muted">{device['module-name']}</span>
            <Presence device={device} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Opens the first of what was found. @param from the menu entry that stays highlighted */
export function openFirst(from?: Place): void {
  const [first] = $found.get().items
  if (first && isFound()) navigate(deviceLink(first, from))
}
