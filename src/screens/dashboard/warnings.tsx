import { deviceLink } from '../../parts/device/device-name.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { linkTo } from '../../paths.ts'
import { t } from '../../text/language.ts'
import { warningLabels } from '../../text/states.ts'
import { Card } from '../../ui/card.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $warnings } from './store.ts'
import { TEXT } from './text.ts'

/** Devices with warnings. */
export function WarningsCard() {
  const list = useStore($warnings)
  return (
    <Card
      title={t(TEXT.warnings)}
      note={String(list.total)}
      action={<a href={`#${linkTo('warningDevices')}`}>{t(TEXT.all)}</a>}
    >
      <LoadState store={$warnings} isEmpty={list.items.length === 0} emptyText={t(TEXT.none)}>
        <ul className="lines">
          {list.items.map((device) => (
            <li key={device.id}>
              <a className="cut" href={`#${deviceLink(device)}`} data-tip="">
                {device.name}
              </a>
              <span>
                {warningLabels(device['dev-warns']).map((word) => (
                  <StatusLabel key={word} tone="warn" text={word} />
                ))}
              </span>
            </li>
          ))}
        </ul>
      </LoadState>
    </Card>
  )
}
