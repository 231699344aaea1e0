import { deviceLink } from '../../parts/device/device-name.tsx'
import { Loaded } from '../../parts/load-state.tsx'
import { link } from '../../paths.ts'
import { t } from '../../text/language.ts'
import { warningWords } from '../../text/states.ts'
import { Card } from '../../ui/card.tsx'
import { State } from '../../ui/state.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $warnings } from './store.ts'
import { TEXT } from './text.ts'

/** Devices that warn of something, in words. */
export function Warnings() {
  const list = useStore($warnings)
  return (
    <Card
      title={t(TEXT.warnings)}
      note={String(list.total)}
      more={<a href={`#${link('warningDevices')}`}>{t(TEXT.all)}</a>}
    >
      <Loaded of={$warnings} empty={list.items.length === 0} says={t(TEXT.none)}>
        <ul className="lines">
          {list.items.map((device) => (
            <li key={device.id}>
              <a className="cut" href={`#${deviceLink(device)}`} data-tip="">
                {device.name}
              </a>
              <span>
                {warningWords(device['dev-warns']).map((word) => (
                  <State key={word} tone="warn" text={word} />
                ))}
              </span>
            </li>
          ))}
        </ul>
      </Loaded>
    </Card>
  )
}
