import {
  CHANNEL_VIEW,
  DEVICE_GROUP_VIEW,
  DEVICE_VIEW,
  INPUT_OUTPUT_VIEW,
  USER_CONTROL
} from '../../contract/access/permissions.ts'
import { linkTo, ROUTES, type RouteName } from '../paths.ts'
import { navigate, setQuery, useHashLocation, useQuery } from '../state/location.ts'
import { $isAllowed } from '../state/session.ts'
import { t } from '../text/language.ts'
import { SearchBox } from '../ui/search-box.tsx'
import { useStore } from '../ui/use-store.ts'
import * as TEXT from './text.ts'

/** Permissions of which one is enough: each has a kind of results. */
export const SEARCH_ACCESS = CHANNEL_VIEW | INPUT_OUTPUT_VIEW | DEVICE_VIEW | DEVICE_GROUP_VIEW | USER_CONTROL

/**
 * The search box in the header. Enter opens the search screen; there, the results follow the input.
 * @param highlighted the highlighted menu entry, which stays highlighted on the search screen
 */
export function HeaderSearch({ highlighted }: { highlighted: RouteName | undefined }) {
  const text = useQuery().get('for') ?? ''
  const [path] = useHashLocation()
  const isOnSearchScreen = path === ROUTES.search
  if (!useStore($isAllowed)({ access: SEARCH_ACCESS })) return null
  return (
    <SearchBox
      label={t(TEXT.find)}
      value={text}
      onEnterOnly={!isOnSearchScreen}
      onSearch={(text) => {
        if (isOnSearchScreen) setQuery({ for: text })
        else navigate(linkTo('search', { for: text, 'search-navigation': highlighted }))
      }}
    />
  )
}
