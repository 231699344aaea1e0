import { DEVICE_VIEW, INPUT_OUTPUT_VIEW } from '../../contract/permissions.ts'
import { link, type Place } from '../paths.ts'
import { useQuery } from '../state/location.ts'
import { $may } from '../state/session.ts'
import { t } from '../text/language.ts'
import { SearchBox } from '../ui/search-box.tsx'
import { useStore } from '../ui/use-store.ts'
import { TEXT } from './text.ts'

/**
 * The search in the header: Enter leads to what is found.
 * @param current the menu entry that is highlighted, and stays so while one searches
 */
export function HeaderSearch({ current }: { current: Place | undefined }) {
  const text = useQuery().get('for') ?? ''
  if (!useStore($may)({ who: DEVICE_VIEW | INPUT_OUTPUT_VIEW })) return null
  return (
    <SearchBox
      label={t(TEXT.find)}
      value={text}
      patient
      onSearch={(text) => {
        // As a link: a page with something unsaved is asked.
        location.hash = link('search', { for: text, 'search-navigation': current })
      }}
    />
  )
}
