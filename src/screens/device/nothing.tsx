import { LINK_PORT } from '../../../contract/limits.ts'
import { link } from '../../paths.ts'
import { $system } from '../../state/system.ts'
import { type Pair, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/condition.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { useStore } from '../../ui/use-store.ts'
import { removeFilter } from './filter.ts'
import { TEXT } from './text.ts'

/** What is said where a list has nothing. */
export interface None {
  title: Pair
  icon?: IconName
  /** What to do next; `join`: how devices come to the hub. */
  next?: Pair | 'join'
  /** Where the hub counts how many there are without search and filters. */
  count?: 'num-all' | 'num-pending' | 'num-rejected' | 'num-warn'
}

/** Why there are no rows, and what to do about it. @param narrowed the search and the filters may have let none through */
export function Nothing({ narrowed, none }: { narrowed: boolean; none: None }) {
  const { title, icon = 'devices', next, count } = none
  const system = useStore($system).value?.status.system
  if (narrowed && (!count || system?.device[count] !== 0))
    return (
      <Empty icon="search" title={t(TEXT.noneFound)}>
        <Button label={t(TEXT.clearSearch)} onClick={removeFilter} />
      </Empty>
    )
  const pending = system?.device['num-pending'] ?? 0
  const text = next === 'join' ? t(TEXT.noneYetText, system?.info['link-port'] ?? LINK_PORT) : next && t(next)
  return (
    <Empty icon={icon} title={t(title)} text={text}>
      {title === TEXT.noneYet && pending > 0 && (
        <a className="button main" href={`#${link('pendingDevices')}`}>
          {t(TEXT.toPending, pending)}
        </a>
      )}
    </Empty>
  )
}
