import { LINK_PORT } from '../../../contract/limits.ts'
import { link } from '../../paths.ts'
import { $system } from '../../state/system.ts'
import { type Pair, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { removeFilter } from './filter.ts'
import { TEXT } from './text.ts'

interface NothingProps {
  /** The search and the filters may have let none through. */
  narrowed: boolean
  /** What to do next where they did not. */
  next?: Pair
}

/** Why there are no rows, and what to do about it. */
export function Nothing({ narrowed, next }: NothingProps) {
  const { info, device } = useStore($system).value?.status.system ?? {}
  if (narrowed)
    return (
      <Empty icon="search" title={t(TEXT.noneFound)}>
        <Button label={t(TEXT.clearSearch)} onClick={removeFilter} />
      </Empty>
    )
  return (
    <Empty icon="devices" title={t(TEXT.none)} text={next && t(next, info?.['link-port'] ?? LINK_PORT)}>
      {next === TEXT.join && !!device?.['num-pending'] && (
        <a className="button main" href={`#${link('pendingDevices')}`}>
          {t(TEXT.pending)}
        </a>
      )}
    </Empty>
  )
}
