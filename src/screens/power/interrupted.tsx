import type { PowerState } from '../../../contract/machine/power.ts'
import { t } from '../../text/language.ts'
import { type DescriptionItem, DescriptionList } from '../../ui/description-list.tsx'
import { TEXT } from './text.ts'

/** What a restart, a shutdown or a reset interrupts, as the hub says. @param more further items of the list */
export function Interrupted({ state, more = [] }: { state: PowerState; more?: readonly DescriptionItem[] }) {
  const { channels, uploads, 'has-other-channels': hasOthers, inhibitors = [] } = state
  const running = [...channels, ...(hasOthers ? [t(TEXT.someOthers)] : [])]
  return (
    <DescriptionList
      items={[
        [t(TEXT.stopping), running.join(', ') || t(TEXT.nothing)],
        [t(TEXT.uploads), uploads.join(', ')],
        [t(TEXT.inhibited), inhibitors.map(({ who, why }) => `${who}: ${why}`).join(', ')],
        ...more
      ]}
    />
  )
}
