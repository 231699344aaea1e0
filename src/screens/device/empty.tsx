import { LINK_PORT } from '../../../contract/limits.ts'
import { linkTo } from '../../paths.ts'
import { $system } from '../../state/system.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { removeFilter } from './filter.ts'
import { TEXT } from './text.ts'

interface EmptyDeviceListProps {
  /** A search or a filter is active. */
  isFiltered: boolean
  /** What to do next if the list is empty without a filter. */
  nextStep?: Translation
}

/** Empty state of a device list: the reason, and the next step. */
export function EmptyDeviceList({ isFiltered, nextStep }: EmptyDeviceListProps) {
  const { info, device } = useStore($system).value?.status.system ?? {}
  if (isFiltered)
    return (
      <EmptyState icon="search" title={t(TEXT.noneFound)}>
        <Button label={t(TEXT.clearSearch)} onClick={removeFilter} />
      </EmptyState>
    )
  return (
    <EmptyState icon="devices" title={t(TEXT.none)} text={nextStep && t(nextStep, info?.['link-port'] ?? LINK_PORT)}>
      {nextStep === TEXT.join && !!device?.['num-pending'] && (
        <a className="button main" href={`#${linkTo('pendingDevices')}`}>
          {t(TEXT.pending)}
        </a>
      )}
    </EmptyState>
  )
}
