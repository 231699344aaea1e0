// The menu as data. An entry is there when the user holds one of its scopes and the hub has what it needs; the console asks nobody
// else whether to show it.
import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_GROUP_VIEW,
  DEVICE_VIEW,
  FIRMWARE_VIEW,
  holds,
  INPUT_OUTPUT_VIEW,
  SYSTEM_CONFIG_VIEW,
  USER_CONTROL
} from '../../contract/permissions.ts'
import type { LoginUser } from '../../contract/session.ts'
import type { Place } from '../paths.ts'
import type { Badges } from '../state/system.ts'
import type { Pair } from '../text/language.ts'
import type { IconName } from '../ui/icon.tsx'
import { TEXT } from './text.ts'

export interface MenuEntry {
  title: Pair
  /** A group has none. */
  icon?: IconName
  /** Where it leads; a group leads nowhere itself. The device groups stand in the place of theirs. */
  place?: Place
  /** Permission bits of which one is enough; none = everybody. */
  scopes?: number
  /** Only on the cloud variant (true), or never there (false). */
  cloud?: boolean
  /** Bit of `feature-support` that the hub must have. */
  feature?: number
  /** What to count beside it. */
  badge?: keyof Badges
  /** A badge that says that something is wrong, rather than how many wait. */
  alarm?: boolean
  entries?: readonly MenuEntry[]
}

export const MENU: readonly MenuEntry[] = [
  { title: TEXT.dashboard, icon: 'dashboard', place: 'dashboard' },
  {
    title: TEXT.streaming,
    entries: [
      {
        title: TEXT.channels,
        icon: 'channels',
        place: 'channels',
        scopes: CHANNEL_VIEW,
        badge: 'channels',
        alarm: true
      },
      { title: TEXT.inputs, icon: 'input', place: 'inputs', scopes: INPUT_OUTPUT_VIEW },
      { title: TEXT.outputs, icon: 'output', place: 'outputs', scopes: INPUT_OUTPUT_VIEW }
    ]
  },
  {
    title: TEXT.devices,
    entries: [
      {
        title: TEXT.pending,
        icon: 'pending',
        place: 'pendingDevices',
        scopes: DEVICE_ADV_CONTROL,
        badge: 'pending'
      },
      { title: TEXT.rejected, icon: 'close', place: 'rejectedDevices', scopes: DEVICE_ADV_CONTROL },
      { title: TEXT.all, icon: 'grid', place: 'allDevices', scopes: DEVICE_VIEW },
      {
        title: TEXT.warnings,
        icon: 'warning',
        place: 'warningDevices',
        scopes: DEVICE_VIEW,
        badge: 'warnings',
        alarm: true
      },
      { title: TEXT.favorites, icon: 'star', place: 'favoriteDevices', scopes: DEVICE_VIEW },
      { title: TEXT.deviceGroups, place: 'groupDevices', scopes: DEVICE_GROUP_VIEW },
      { title: TEXT.portForward, icon: 'output', place: 'portForward', scopes: DEVICE_ADV_CONTROL }
    ]
  },
  {
    title: TEXT.settings,
    entries: [
      {
        title: TEXT.upgrade,
        icon: 'retry',
        place: 'upgrade',
        scopes: SYSTEM_CONFIG_VIEW,
        badge: 'upgrade',
        alarm: true
      },
      { title: TEXT.users, icon: 'user', place: 'users', scopes: USER_CONTROL },
      { title: TEXT.firmware, icon: 'input', place: 'firmware', scopes: FIRMWARE_VIEW, cloud: false },
      { title: TEXT.logs, icon: 'list', place: 'logs', scopes: SYSTEM_CONFIG_VIEW },
      { title: TEXT.accessTokens, icon: 'key', place: 'accessTokens', scopes: USER_CONTROL }
    ]
  }
]

/** What decides on an entry besides itself. */
export interface MenuSight {
  user: LoginUser
  cloud: boolean
  features: number
}

/** The entries a user sees; groups without any are left out. */
export function visibleEntries(entries: readonly MenuEntry[], sight: MenuSight): MenuEntry[] {
  return entries.flatMap((entry) => {
    if (entry.scopes !== undefined && !holds(sight.user.permission, entry.scopes)) return []
    if (entry.cloud !== undefined && entry.cloud !== sight.cloud) return []
    if (entry.feature !== undefined && !holds(sight.features, entry.feature)) return []
    if (!entry.entries) return [entry]
    const inner = visibleEntries(entry.entries, sight)
    return inner.length > 0 ? [{ ...entry, entries: inner }] : []
  })
}

/** The entry of a place, with the groups it is in before it; nothing for a place that has none. */
export function wayTo(place: string, entries: readonly MenuEntry[] = MENU): MenuEntry[] {
  return entries.flatMap((entry) => {
    if (entry.place === place) return [entry]
    const inner = wayTo(place, entry.entries ?? [])
    return inner.length > 0 ? [entry, ...inner] : []
  })
}
