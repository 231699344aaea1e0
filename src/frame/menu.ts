// The menu, declared as data. An entry is visible if the user has one of its permissions and the hub supports its
// feature.
import { FEATURE_BITS } from '../../contract/access/features.ts'
import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_GROUP_VIEW,
  DEVICE_VIEW,
  FIRMWARE_VIEW,
  hasAnyBit,
  INPUT_OUTPUT_VIEW,
  isPermitted,
  NDI_VIEW,
  SYSTEM_CONFIG_VIEW,
  USER_CONTROL
} from '../../contract/access/permissions.ts'
import type { LoginUser } from '../../contract/access/session.ts'
import type { Access } from '../../contract/call.ts'
import type { RouteName } from '../paths.ts'
import type { Badges } from '../state/system.ts'
import type { Translation } from '../text/language.ts'
import type { IconName } from '../ui/icon.tsx'
import { TEXT } from './text.ts'

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

export const MENU: readonly MenuEntry[] = [
  { title: TEXT.dashboard, icon: 'dashboard', route: 'dashboard' },
  { title: TEXT.problems, icon: 'bell', route: 'problems', badge: 'problems', alarm: true },
  {
    title: TEXT.streaming,
    entries: [
      {
        title: TEXT.channels,
        icon: 'channels',
        route: 'channels',
        permissions: CHANNEL_VIEW,
        badge: 'channels',
        alarm: true
      },
      { title: TEXT.inputs, icon: 'input', route: 'inputs', permissions: INPUT_OUTPUT_VIEW },
      { title: TEXT.outputs, icon: 'output', route: 'outputs', permissions: INPUT_OUTPUT_VIEW },
      { title: TEXT.ndiSources, icon: 'camera', route: 'ndiSources', permissions: INPUT_OUTPUT_VIEW | NDI_VIEW }
    ]
  },
  {
    title: TEXT.devices,
    entries: [
      {
        title: TEXT.pending,
        icon: 'pending',
        route: 'pendingDevices',
        permissions: DEVICE_ADV_CONTROL,
        badge: 'pending'
      },
      { title: TEXT.rejected, icon: 'reject', route: 'rejectedDevices', permissions: DEVICE_ADV_CONTROL },
      { title: TEXT.all, icon: 'grid', route: 'allDevices', permissions: DEVICE_VIEW },
      {
        title: TEXT.warnings,
        icon: 'warning',
        route: 'warningDevices',
        permissions: DEVICE_VIEW,
        badge: 'warnings',
        alarm: true
      },
      { title: TEXT.favorites, icon: 'star', route: 'favoriteDevices', permissions: DEVICE_VIEW },
      { title: TEXT.deviceGroups, icon: 'group', route: 'groupDevices', permissions: DEVICE_GROUP_VIEW },
      { title: TEXT.portForward, icon: 'forward', route: 'portForward', permissions: DEVICE_ADV_CONTROL }
    ]
  },
  {
    title: TEXT.ndiRouter,
    icon: 'router',
    route: 'ndiRouter',
    permissions: NDI_VIEW,
    feature: FEATURE_BITS.ndiRouter
  },
  {
    title: TEXT.settings,
    entries: [
      { title: TEXT.general, icon: 'settings', route: 'general', permissions: SYSTEM_CONFIG_VIEW },
      {
        title: TEXT.license,
        icon: 'license',
        route: 'license',
        permissions: SYSTEM_CONFIG_VIEW,
        cloud: false
      },
      {
        title: TEXT.upgrade,
        icon: 'upgrade',
        route: 'upgrade',
        permissions: SYSTEM_CONFIG_VIEW,
        badge: 'upgrade',
        alarm: true
      },
      { title: TEXT.backup, icon: 'copy', route: 'backup', permissions: 'admin' },
      { title: TEXT.users, icon: 'user', route: 'users', permissions: USER_CONTROL },
      { title: TEXT.certificate, icon: 'certificate', route: 'certificate', permissions: SYSTEM_CONFIG_VIEW },
      { title: TEXT.ndiSettings, icon: 'screen', route: 'ndiSettings', permissions: NDI_VIEW },
      { title: TEXT.network, icon: 'network', route: 'network', permissions: SYSTEM_CONFIG_VIEW, cloud: false },
      { title: TEXT.firmware, icon: 'firmware', route: 'firmware', permissions: FIRMWARE_VIEW, cloud: false },
      { title: TEXT.profile, icon: 'profile', route: 'profile' },
      { title: TEXT.logs, icon: 'list', route: 'logs', permissions: SYSTEM_CONFIG_VIEW },
      { title: TEXT.accessTokens, icon: 'key', route: 'accessTokens', permissions: 'admin' }
    ]
  }
]

/** Conditions for the visibility of entries. */
interface MenuContext {
  user: LoginUser
  cloud: boolean
  features: number
}

/** The entries that a user sees, without empty groups. */
export function visibleEntries(entries: readonly MenuEntry[], context: MenuContext): MenuEntry[] {
  return entries.flatMap((entry) => {
    if (entry.permissions !== undefined && !isPermitted(entry.permissions, context.user)) return []
    if (entry.cloud !== undefined && entry.cloud !== context.cloud) return []
    if (entry.feature !== undefined && !hasAnyBit(context.features, entry.feature)) return []
    if (!entry.entries) return [entry]
    const children = visibleEntries(entry.entries, context)
    return children.length > 0 ? [{ ...entry, entries: children }] : []
  })
}

/** The menu groups and the entry that lead to a route. Empty for a route without an entry. */
export function menuPath(route: string, entries: readonly MenuEntry[] = MENU): MenuEntry[] {
  return entries.flatMap((entry) => {
    if (entry.route === route) return [entry]
    const children = menuPath(route, entry.entries ?? [])
    return children.length > 0 ? [entry, ...children] : []
  })
}
