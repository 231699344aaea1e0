// The menu: five places, one open at a time, with the entries of the open one. `routes.tsx` has the menu itself. An
// entry is visible if the user has one of its permissions and the hub supports its feature.
import type { ComponentType } from 'react'
import { hasAnyBit, isPermitted } from '../../contract/access/permissions.ts'
import type { LoginUser } from '../../contract/access/session.ts'
import type { Access } from '../../contract/call.ts'
import type { RouteName } from '../paths.ts'
import type { Badges } from '../state/system.ts'
import type { Translation } from '../text/language.ts'
import type { IconName } from '../ui/icon.tsx'

/** @typeParam Route names of the routes: those of a hub, or of the cloud */
export interface MenuEntry<Route extends string = RouteName> {
  title: Translation
  icon: IconName
  /** Target of the entry. */
  route: Route
  /** Shown in place of the entry, except in the collapsed menu and in the row of pages. */
  tree?: ComponentType
  /** Permission bits, one of which is required, or `admin`; undefined = visible to every user. */
  permissions?: Access
  /** Bit of `feature-support` that is required. */
  feature?: number
  /** The count shown beside the entry. */
  badge?: keyof Badges
  /** The badge marks a problem instead of a number of waiting items. */
  alarm?: boolean
  /** The page belongs to another place, which the entry opens. */
  isElsewhere?: boolean
  /** The part of the place that the entry belongs to. Entries of one part follow each other. */
  part?: Translation
}

export interface Place<Route extends string = RouteName> {
  title: Translation
  icon: IconName
  entries: readonly MenuEntry<Route>[]
  /** Its lists are tabs of each other. */
  hasTabs?: true
  /** A page about all entries, without an entry of its own. Every user may open it. */
  overview?: Route
  /** The entry that a link to the place opens. Default: the first one that the user sees. */
  home?: Route
  /** A count that is shown also while the place is open. While it is closed, those of its entries are shown as well. */
  badge?: keyof Badges
}

/** What the menu, the bar of places and the row of pages show. */
export interface Menu<Route extends string = RouteName> {
  /** The places and entries that the user sees. */
  places: readonly Place<Route>[]
  /** Says that the hub does not support all pages. */
  note?: string | undefined
  open: Place<Route> | undefined
  /** The entry of the page, in the open place. */
  current: MenuEntry<Route> | undefined
  badges: Badges
  /** Notes about the licence, by route. */
  notes: Partial<Record<Route, string>>
  /** The link to a route. */
  linkOf: (route: Route) => string
}

/** Conditions for the visibility of entries. */
interface MenuContext {
  user: LoginUser
  features: number
  /** Routes of pages that the hub does not support. */
  missing?: ReadonlySet<string | undefined> | undefined
}

function isVisible({ route, permissions, feature }: MenuEntry<string>, context: MenuContext): boolean {
  if (context.missing?.has(route)) return false
  if (permissions !== undefined && !isPermitted(permissions, context.user)) return false
  return feature === undefined || hasAnyBit(context.features, feature)
}

/** The places with the entries that a user sees, without empty places. */
export function visiblePlaces<Route extends string>(
  places: readonly Place<Route>[],
  context: MenuContext
): Place<Route>[] {
  return places
    .map((place) => ({ ...place, entries: place.entries.filter((entry) => isVisible(entry, context)) }))
    .filter(({ entries }) => entries.length > 0)
}

/** The entry of a route in the place that it belongs to; undefined for a route without an entry. */
export const entryOf = <Route extends string>(
  { entries }: Place<Route>,
  route: string | undefined
): MenuEntry<Route> | undefined => entries.find((entry) => entry.route === route && !entry.isElsewhere)

/** The place that a route belongs to; undefined for a route without an entry. */
export const placeOf = <Route extends string>(
  route: string | undefined,
  places: readonly Place<Route>[]
): Place<Route> | undefined => places.find((place) => entryOf(place, route) || (route && place.overview === route))

/** The route that a link to a place opens. */
export const homeOf = <Route extends string>(place: Place<Route>): Route =>
  place.overview ?? (entryOf(place, place.home) ?? (place.entries[0] as MenuEntry<Route>)).route
