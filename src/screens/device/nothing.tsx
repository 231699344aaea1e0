import { LINK_PORT } from '../../../contract/limits.ts'
import { link } from '../../paths.ts'
import { setQuery } from '../../state/location.ts'
import { $system } from '../../state/system.ts'
import { type Pair, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/condition.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

interface NothingProps {
  /** There are devices, but none that the search and the filters let through. */
  narrowed: boolean
  /** What is said where there is no device at all. */
  none: Pair
}

/** Why there are no rows, and what to do about it. */
export function Nothing({ narrowed, none }: NothingProps) {
  const system = useStore($system).value?.status.system
  if (narrowed)
    return (
      <Empty icon="search" title={t(TEXT.noneFound)}>
        <Button label={t(TEXT.clearSearch)} onClick={() => setQuery({ key: '', family: '', state: '' })} />
      </Empty>
    )
  const pending = system?.device['num-pending'] ?? 0
  const explain = none === TEXT.noneYet || none === TEXT.nonePending
  return (
    <Empty
      icon={none === TEXT.noneWarning ? 'check' : 'devices'}
      title={t(none)}
      text={explain ? t(TEXT.noneYetText, system?.info['link-port'] ?? LINK_PORT) : undefined}
    >
      {none === TEXT.noneYet && pending > 0 && (
        <a className="button main" href={`#${link('pendingDevices')}`}>
          {t(TEXT.toPending, pending)}
        </a>
      )}
    </Empty>
  )
}
