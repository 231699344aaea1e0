// The menu of a hub: the places and entries that the user sees, with their counts and notes.
import { linkTo, type RouteName } from '../paths.ts'
import { $otherHub } from '../state/other-hub.ts'
import { $session } from '../state/session.ts'
import { $system, badgesOf } from '../state/system.ts'
import { t } from '../text/language.ts'
import { hubNow } from '../ui/clock.ts'
import { useStore } from '../ui/use-store.ts'
import { licenseNotes } from './license-notes.ts'
import { entryOf, type Menu, type Place, placeOf, visiblePlaces } from './menu.ts'
import { MENU } from './routes.tsx'

const countPages = (places: readonly Place[]): number => places.flatMap(({ entries }) => entries).length

/** @param highlighted the route whose entry is highlighted */
export function useMenu(highlighted: RouteName | undefined): Menu {
  const user = useStore($session)
  const { value } = useStore($system)
  const features = value?.status.system.info['feature-support'] ?? 0
  const otherHub = useStore($otherHub)
  const see = (missing?: ReadonlySet<string | undefined>) =>
    user ? visiblePlaces(MENU, { user, features, missing }) : []
  const places = see(otherHub?.MISSING_PAGES)
  const open = placeOf(highlighted, places)
  return {
    places,
    note: otherHub && countPages(places) < countPages(see()) ? t(otherHub.TEXT.missingPages) : undefined,
    open,
    current: open && entryOf(open, highlighted),
    badges: badgesOf(value),
    notes: licenseNotes(value?.status, hubNow()),
    linkOf: linkTo
  }
}
