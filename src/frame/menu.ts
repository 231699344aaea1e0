// Entries of the menu. `routes.tsx` has the menu itself. An entry is visible if the user has one of its permissions and
// the hub supports its feature.
import { hasAnyBit, isPermitted } from '../../contract/access/permissions.ts'
import type { LoginUser } from '../../contract/access/session.ts'
import type { Access } from '../../contract/call.ts'
import type { RouteName } from '../paths.ts'
import type { Badges } from '../state/system.ts'
import type { Translation } from '../text/language.ts'
import type { IconName } from '../ui/icon.tsx'

export interface MenuEntry {
  title: Translation
  /** Groups have no icon. */
  icon?: IconName
  /** Target of the entry. Groups have none. The entry for `groupDevices` is replaced by the tree of device groups. */
  route?: RouteName
  /** Permission bits, one of which is required, or `admin`; undefined = visible to every user. */
  permissions?: Access
  /** Visible only on the cloud variant (true), or never on it (false). */
  cloud?: boolean
  /** Bit of `feature-support` that is required. */
  feature?: number
  /** The count shown beside the entry. */
  badge?: keyof Badges
  /** The badge marks a problem instead of a number of waiting items. */
  alarm?: boolean
  entries?: readonly MenuEntry[]
}

/** Conditions for the visibility of entries. */
interface MenuContext {
  user: LoginUser
  cloud: boolean
  features: number
  /** Routes of pages that the hub does not support. */
  missing?: ReadonlySet<string | undefined> | undefined
}

/** The entries that a user sees, without empty groups. */
export function visibleEntries(entries: readonly MenuEntry[], context: MenuContext): MenuEntry[] {
  return entries.flatMap((entry) => {
    if (entry.permissions !== undefined && !isPermitted(entry.permissions, context.user)) return []
    if (entry.cloud !== undefined && entry.cloud !== context.cloud) return []
    if (context.missing?.has(entry.route)) return []
    if (entry.feature !== undefined && !hasAnyBit(context.features, entry.feature)) return []
    if (!entry.entries) return [entry]
    const children = visibleEntries(entry.entries, context)
    return children.length > 0 ? [{ ...entry, entries: children }] : []
  })
}

/** The menu groups and the entry that lead to a route. Empty for a route without an entry. */
export function menuPath(route: string, entries: readonly MenuEntry[]): MenuEntry[] {
  return entries.flatMap((entry) => {
    if (entry.route === route) return [entry]
    const children = menuPath(route, entry.entries ?? [])
    return children.length > 0 ? [entry, ...children] : []
  })
}
