// The menu: at the side of a wide screen or in the drawer of a small one, where the five places are also a bar at the
// bottom, and the entries of the open one a row above the page.
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { transport } from '../link/fetch-json.ts'
import { CatalogTree } from '../parts/catalog-tree.tsx'
import { linkTo, matchRoute, type RouteName } from '../paths.ts'
import { $otherHub } from '../state/other-hub.ts'
import { $session } from '../state/session.ts'
import { $system, type Badges, badgesOf } from '../state/system.ts'
import { t } from '../text/language.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { hubNow } from '../ui/clock.ts'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'
import { licenseNotes } from './license-notes.ts'
import { entryOf, homeOf, type MenuEntry, type Place, placeOf, visiblePlaces } from './menu.ts'
import { MENU } from './routes.tsx'
import * as TEXT from './text.ts'

/** What the menu, the bar of places and the row of pages show. */
export interface Menu {
  /** The places and entries that the user sees. */
  places: readonly Place[]
  /** Says that the hub does not support all pages. */
  note: string | undefined
  open: Place | undefined
  /** The entry of the page, in the open place. */
  current: MenuEntry | undefined
  badges: Badges
  /** Notes about the licence, by route. */
  notes: Partial<Record<RouteName, string>>
}

const countPages = (places: readonly Place[]): number => places.flatMap(({ entries }) => entries).length

/** @param highlighted the route whose entry is highlighted */
export function useMenu(highlighted: RouteName | undefined): Menu {
  const user = useStore($session)
  const { value } = useStore($system)
  const features = value?.status.system.info['feature-support'] ?? 0
  const otherHub = useStore($otherHub)
  const see = (missing?: ReadonlySet<string | undefined>) =>
    user ? visiblePlaces(MENU, { user, cloud: transport.relayedHub !== undefined, features, missing }) : []
  const places = see(otherHub?.MISSING_PAGES)
  const open = placeOf(highlighted, places)
  return {
    places,
    note: otherHub && countPages(places) < countPages(see()) ? t(otherHub.TEXT.missingPages) : undefined,
    open,
    current: open && entryOf(open, highlighted),
    badges: badgesOf(value),
    notes: licenseNotes(value?.status, hubNow())
  }
}

interface MenuProps {
  menu: Menu
}

interface SideMenuProps {
  /** The route whose entry is highlighted. */
  highlighted: RouteName | undefined
  /** Shows icons only. */
  collapsed: boolean
  /** Shows the whole menu. */
  onExpand: () => void
  /** The drawer is closed, also for keyboards and screen readers. */
  hidden: boolean
}

export function SideMenu({ highlighted, collapsed, onExpand, hidden }: SideMenuProps) {
  const menu = useMenu(highlighted)
  return (
    <nav className="side" id="menu" aria-label={t(TEXT.main)} inert={hidden}>
      <ul className="menu">
        {menu.places.map((place) => {
          const title = t(place.title)
          const isOpen = place === menu.open
          return (
            <li key={title} data-open={isOpen || undefined}>
              <PlaceLink place={place} menu={menu} tip={collapsed ? title : ''} />
              {isOpen && (
                <ul>
                  {place.entries.map((entry, index) => [
                    entry.part && !collapsed && entry.part !== place.entries[index - 1]?.part && (
                      <li key={index} className="part">
                        {t(entry.part)}
                      </li>
                    ),
                    entry.route !== 'groupDevices' ? (
                      <li key={entry.route}>
                        <EntryLink
                          entry={entry}
                          menu={menu}
                          tip={collapsed ? t(TEXT.inPlace, title, t(entry.title)) : ''}
                        />
                      </li>
                    ) : collapsed ? (
                      // A tree has no place among icons.
                      <li key={entry.route}>
                        <Button iconOnly icon="group" label={t(entry.title)} onClick={onExpand} />
                      </li>
                    ) : (
                      <DeviceGroups key={entry.route} />
                    )
                  ])}
                </ul>
              )}
            </li>
          )
        })}
        {menu.note && !collapsed && <li className="note">{menu.note}</li>}
      </ul>
    </nav>
  )
}

/** The five places, at the bottom of a small screen. */
export function PlaceBar({ highlighted }: Pick<SideMenuProps, 'highlighted'>) {
  const menu = useMenu(highlighted)
  return (
    <nav className="places" aria-label={t(TEXT.places)}>
      {menu.places.map((place) => (
        <PlaceLink key={place.icon} place={place} menu={menu} />
      ))}
    </nav>
  )
}

/** The entries of the open place, above the page of a small screen. */
export function EntryRow({ highlighted }: Pick<SideMenuProps, 'highlighted'>) {
  const menu = useMenu(highlighted)
  const { open, current } = menu
  const entries = open?.entries.filter(({ route }) => route !== 'groupDevices') ?? []
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current?.route])
  if (!open || entries.length < 2) return null
  return (
    <nav className="entries" aria-label={t(TEXT.pages, t(open.title))} ref={row}>
      {entries.map((entry) => (
        <EntryLink key={entry.route} entry={entry} menu={menu} />
      ))}
    </nav>
  )
}

/** A link to the first page of a place, with the badges of its entries while it is closed. */
function PlaceLink({ place, menu, tip = '' }: MenuProps & { place: Place; tip?: string }) {
  const { open, badges } = menu
  const closed = place === open ? [] : place.entries.filter(({ isElsewhere }) => !isElsewhere)
  return (
    <a href={`#${linkTo(homeOf(place))}`} data-tip={tip} data-open={place === open || undefined}>
      <Icon name={place.icon} />
      <span className="cut">{t(place.title)}</span>
      {place.badge && <Badge count={badges[place.badge]} alarm label={t(TEXT.problems)} />}
      {closed.map((entry) => (
        <EntryBadges key={entry.route} entry={entry} menu={menu} />
      ))}
    </a>
  )
}

function EntryLink({ entry, menu, tip = '' }: EntryProps & { tip?: string }) {
  const { title, icon, route } = entry
  return (
    <a
      href={`#${linkTo(route)}`}
      aria-current={entry === menu.current ? 'page' : undefined}
      data-tip={menu.notes[route] ?? tip}
    >
      <Icon name={icon} />
      <span className="cut">{t(title)}</span>
      <EntryBadges entry={entry} menu={menu} />
    </a>
  )
}

interface EntryProps extends MenuProps {
  entry: MenuEntry
}

/** The count of an entry, and a sign if there is a note on its page. */
export function EntryBadges({ entry: { title, route, badge, alarm }, menu: { badges, notes } }: EntryProps) {
  const note = notes[route]
  return (
    <>
      {note && <Badge count="!" alarm label={note} />}
      {badge && <Badge count={badges[badge]} alarm={alarm} label={t(title)} />}
    </>
  )
}

/** The tree of device groups, with the group of the current screen selected. */
function DeviceGroups() {
  const [path] = useLocation()
  const { routeName, params } = matchRoute(path)
  return (
    <li>
      <CatalogTree selected={routeName === 'groupDevices' ? params?.catalog : undefined} />
    </li>
  )
}
