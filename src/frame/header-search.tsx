import { DEVICE_VIEW, INPUT_OUTPUT_VIEW } from '../../contract/permissions.ts'
import { link, PLACES, type Place } from '../paths.ts'
import { navigate, setQuery, useHashLocation, useQuery } from '../state/location.ts'
import { $may } from '../state/session.ts'
import { t } from '../text/language.ts'
import { SearchBox } from '../ui/search-box.tsx'
import { useStore } from '../ui/use-store.ts'
import { TEXT } from './text.ts'

/**
 * The search in the header: Enter leads to what is found, where it follows what is typed.
 * @param current the menu entry that is highlighted, and stays so while one searches
 */
export function HeaderSearch({ current }: { current: Place | undefined }) {
  const text = useQuery().get('for') ?? ''
  const [path] = useHashLocation()
  const isThere = path === PLACES.search
  if (!useStore($may)({ who: DEVICE_VIEW | INPUT_OUTPUT_VIEW })) return null
  return (
    <SearchBox
      label={t(TEXT.find)}
      value={text}
      patient={!isThere}
      onSearch={(text) => {
        if (isThere) setQuery({ for: text })
        else navigate(link('search', { for: text, 'search-navigation': current }))
      }}
    />
  )
}
