// The menu: at the side of a wide screen or in the drawer of a small one, where the five places are also a bar at the
// bottom, and the entries of the open one a row above the page.
import { useEffect, useRef } from 'react'
import { t } from '../text/language.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { homeOf, type Menu, type MenuEntry, type Place } from './menu.ts'
import * as TEXT from './text.ts'

interface MenuProps<Route extends string> {
  menu: Menu<Route>
}

interface SideMenuProps<Route extends string> extends MenuProps<Route> {
  /** Shows icons only. */
  collapsed: boolean
  /** Shows the whole menu. */
  onExpand: () => void
  /** The drawer is closed, also for keyboards and screen readers. */
  hidden: boolean
}

export function SideMenu<Route extends string>({ menu, collapsed, onExpand, hidden }: SideMenuProps<Route>) {
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
                    <li key={entry.route}>
                      {!entry.tree ? (
                        <EntryLink
                          entry={entry}
                          menu={menu}
                          tip={collapsed ? t(TEXT.inPlace, title, t(entry.title)) : ''}
                        />
                      ) : collapsed ? (
                        // A tree has no place among icons.
                        <Button iconOnly icon={entry.icon} label={t(entry.title)} onClick={onExpand} />
                      ) : (
                        <entry.tree />
                      )}
                    </li>
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
export function PlaceBar<Route extends string>({ menu }: MenuProps<Route>) {
  return (
    <nav className="places" aria-label={t(TEXT.places)}>
      {menu.places.map((place) => (
        <PlaceLink key={place.icon} place={place} menu={menu} />
      ))}
    </nav>
  )
}

/** The entries of the open place, above the page of a small screen. */
export function EntryRow<Route extends string>({ menu }: MenuProps<Route>) {
  const { open, current } = menu
  const entries = open?.entries.filter(({ tree }) => !tree) ?? []
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
function PlaceLink<Route extends string>({
  place,
  menu,
  tip = ''
}: MenuProps<Route> & { place: Place<Route>; tip?: string }) {
  const { open, badges } = menu
  const closed = place === open ? [] : place.entries.filter(({ isElsewhere }) => !isElsewhere)
  return (
    <a href={`#${menu.linkOf(homeOf(place))}`} data-tip={tip} data-open={place === open || undefined}>
      <Icon name={place.icon} />
      <span className="cut">{t(place.title)}</span>
      {place.badge && <Badge count={badges[place.badge]} alarm label={t(TEXT.problems)} />}
      {closed.map((entry) => (
        <EntryBadges key={entry.route} entry={entry} menu={menu} />
      ))}
    </a>
  )
}

function EntryLink<Route extends string>({ entry, menu, tip = '' }: EntryProps<Route> & { tip?: string }) {
  const { title, icon, route } = entry
  return (
    <a
      href={`#${menu.linkOf(route)}`}
      aria-current={entry === menu.current ? 'page' : undefined}
      data-tip={menu.notes[route] ?? tip}
    >
      <Icon name={icon} />
      <span className="cut">{t(title)}</span>
      <EntryBadges entry={entry} menu={menu} />
    </a>
  )
}

interface EntryProps<Route extends string> extends MenuProps<Route> {
  entry: MenuEntry<Route>
}

/** The count of an entry, and a sign if there is a note on its page. */
export function EntryBadges<Route extends string>({ entry, menu: { badges, notes } }: EntryProps<Route>) {
  const { title, route, badge, alarm } = entry
  const note = notes[route]
  return (
    <>
      {note && <Badge count="!" alarm label={note} />}
      {badge && <Badge count={badges[badge]} alarm={alarm} label={t(title)} />}
    </>
  )
}
