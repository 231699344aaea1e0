// The menu, and the screen of each route with its breadcrumb and its highlighted menu entry: data. A route without a
// screen does not compile.
import type { ComponentType } from 'react'
import { FEATURE_BITS } from '../../contract/access/features.ts'
import {
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_GROUP_CONTROL,
  DEVICE_GROUP_VIEW,
  DEVICE_VIEW,
  FIRMWARE_VIEW,
  INPUT_OUTPUT_EDIT,
  INPUT_OUTPUT_VIEW,
  NDI_VIEW,
  SYSTEM_CONFIG_VIEW,
  USER_CONTROL
} from '../../contract/access/permissions.ts'
import type { Access } from '../../contract/call.ts'
import { linkTo, type RouteName, type ScreenRoute } from '../paths.ts'
import { DashboardScreen } from '../screens/dashboard/dashboard.tsx'
import type { Translation } from '../text/language.ts'
import { lazy } from '../ui/lazy/lazy.tsx'
import { DeviceGroups } from './device-groups.tsx'
import { SEARCH_ACCESS } from './header-search.tsx'
import { entryOf, type MenuEntry, type Place, placeOf } from './menu.ts'
import * as TEXT from './text.ts'

// Screens of the later script: what few users need at once.
const ChannelListScreen = lazy(() => import('../screens/channel/list.tsx').then((module) => module.ChannelListScreen))
const ChannelDetailScreen = lazy(() =>
  import('../screens/channel/detail.tsx').then((module) => module.ChannelDetailScreen)
)
const ChannelCalendarScreen = lazy(() =>
  import('../screens/channel/calendar.tsx').then((module) => module.ChannelCalendarScreen)
)
const DeviceListScreen = lazy(() => import('../screens/device/list.tsx').then((module) => module.DeviceListScreen))
const InputListScreen = lazy(() => import('../screens/source/list.tsx').then((module) => module.InputListScreen))
const OutputListScreen = lazy(() => import('../screens/source/list.tsx').then((module) => module.OutputListScreen))
const DestinationListScreen = lazy(() =>
  import('../screens/source/destinations.tsx').then((module) => module.DestinationListScreen)
)
const NdiSourceScreen = lazy(() =>
  import('../screens/ndi-source/ndi-sources.tsx').then((module) => module.NdiSourceScreen)
)
const ProblemListScreen = lazy(() => import('../screens/problem/list.tsx').then((module) => module.ProblemListScreen))
const SearchScreen = lazy(() => import('../screens/search/search.tsx').then((module) => module.SearchScreen))
const DeviceDetailScreen = lazy(() =>
  import('../screens/device-detail/detail.tsx').then((module) => module.DeviceDetailScreen)
)
const NdiRouterScreen = lazy(() => import('../screens/ndi-router/router.tsx').then((module) => module.NdiRouterScreen))
const PortForwardScreen = lazy(() =>
  import('../screens/port-forward/list.tsx').then((module) => module.PortForwardScreen)
)
const GeneralScreen = lazy(() => import('../screens/general/general.tsx').then((module) => module.GeneralScreen))
const BackupScreen = lazy(() => import('../screens/backup/backup.tsx').then((module) => module.BackupScreen))
const ImportScreen = lazy(() => import('../screens/import-settings/import.tsx').then((module) => module.ImportScreen))
const LicenseScreen = lazy(() => import('../screens/license/license.tsx').then((module) => module.LicenseScreen))
const CertificateScreen = lazy(() =>
  import('../screens/certificate/certificate.tsx').then((module) => module.CertificateScreen)
)
const NdiSettingsScreen = lazy(() =>
  import('../screens/ndi-settings/settings.tsx').then((module) => module.NdiSettingsScreen)
)
const NotificationScreen = lazy(() =>
  import('../screens/notification/notifications.tsx').then((module) => module.NotificationScreen)
)
const NetworkScreen = lazy(() => import('../screens/network/network.tsx').then((module) => module.NetworkScreen))
const FirewallScreen = lazy(() => import('../screens/firewall/firewall.tsx').then((module) => module.FirewallScreen))
const FirmwareScreen = lazy(() => import('../screens/firmware/firmware.tsx').then((module) => module.FirmwareScreen))
const UpgradeScreen = lazy(() => import('../screens/upgrade/upgrade.tsx').then((module) => module.UpgradeScreen))
const UserListScreen = lazy(() => import('../screens/user/list.tsx').then((module) => module.UserListScreen))
const UserScreen = lazy(() => import('../screens/user/detail.tsx').then((module) => module.UserScreen))
const UserGroupScreen = lazy(() => import('../screens/user/group.tsx').then((module) => module.UserGroupScreen))
const LogScreen = lazy(() => import('../screens/log/list.tsx').then((module) => module.LogScreen))
const AccessTokenScreen = lazy(() => import('../screens/token/list.tsx').then((module) => module.AccessTokenScreen))
const TrashScreen = lazy(() => import('../screens/trash/list.tsx').then((module) => module.TrashScreen))
const WatchScreen = lazy(() => import('../screens/watch/watch.tsx').then((module) => module.WatchScreen))
const ProfileScreen = lazy(() => import('../screens/profile/profile.tsx').then((module) => module.ProfileScreen))

const FIRMWARE_ENTRY: MenuEntry = {
  title: TEXT.firmware,
  icon: 'firmware',
  route: 'firmware',
  permissions: FIRMWARE_VIEW
}
const LOGS_ENTRY: MenuEntry = { title: TEXT.logs, icon: 'list', route: 'logs', permissions: SYSTEM_CONFIG_VIEW }

const partOf = (part: Translation, ...entries: MenuEntry[]): MenuEntry[] => entries.map((entry) => ({ ...entry, part }))

/** The menu. Its titles are also the breadcrumbs of the screens. */
export const MENU: readonly Place[] = [
  {
    title: ['Live', '监看'],
    icon: 'live',
    badge: 'problems',
    entries: [
      { title: ['Dashboard', '仪表盘'], icon: 'dashboard', route: 'dashboard' },
      { title: TEXT.wall, icon: 'columns', route: 'wall', permissions: CHANNEL_VIEW }
    ]
  },
  {
    title: TEXT.channels,
    icon: 'channels',
    hasTabs: true,
    entries: [
      {
        title: TEXT.channels,
        icon: 'play',
        route: 'channels',
        permissions: CHANNEL_VIEW,
        badge: 'channels',
        alarm: true
      },
      { title: ['Inputs', '输入'], icon: 'input', route: 'inputs', permissions: INPUT_OUTPUT_VIEW },
      { title: ['Outputs', '输出'], icon: 'output', route: 'outputs', permissions: INPUT_OUTPUT_VIEW },
      { title: ['Destinations', '目标'], icon: 'language', route: 'destinations', permissions: INPUT_OUTPUT_VIEW },
      {
        title: ['NDI sources', 'NDI 源'],
        icon: 'camera',
        route: 'ndiSources',
        permissions: INPUT_OUTPUT_VIEW | NDI_VIEW
      },
      {
        title: ['NDI router', 'NDI 路由'],
        icon: 'router',
        route: 'ndiRouter',
        permissions: NDI_VIEW,
        feature: FEATURE_BITS.ndiRouter
      }
    ]
  },
  {
    title: TEXT.devices,
    icon: 'devices',
    home: 'allDevices',
    entries: [
      {
        title: ['Pending approval', '待审批'],
        icon: 'pending',
        route: 'pendingDevices',
        permissions: DEVICE_ADV_CONTROL,
        badge: 'pending'
      },
      { title: ['Rejected', '已拒绝'], icon: 'reject', route: 'rejectedDevices', permissions: DEVICE_ADV_CONTROL },
      { title: ['All', '全部'], icon: 'grid', route: 'allDevices', permissions: DEVICE_VIEW },
      {
        title: ['Warnings', '告警'],
        icon: 'warning',
        route: 'warningDevices',
        permissions: DEVICE_VIEW,
        badge: 'warnings',
        alarm: true
      },
      { title: ['Favorites', '收藏'], icon: 'star', route: 'favoriteDevices', permissions: DEVICE_VIEW },
      {
        title: ['Device groups', '设备组'],
        icon: 'group',
        route: 'groupDevices',
        permissions: DEVICE_GROUP_VIEW,
        tree: DeviceGroups
      },
      {
        title: ['Port forwarding', '端口转发'],
        icon: 'forward',
        route: 'portForward',
        permissions: DEVICE_ADV_CONTROL
      },
      FIRMWARE_ENTRY
    ]
  },
  {
    title: ['Events', '事件'],
    icon: 'events',
    entries: [{ title: TEXT.problems, icon: 'bell', route: 'problems', badge: 'problems', alarm: true }, LOGS_ENTRY]
  },
  {
    title: TEXT.settings,
    icon: 'settings',
    overview: 'settings',
    entries: [
      ...partOf(
        TEXT.hub,
        { title: ['General', '常规'], icon: 'hub', route: 'general', permissions: SYSTEM_CONFIG_VIEW },
        { title: TEXT.license, icon: 'license', route: 'license', permissions: SYSTEM_CONFIG_VIEW },
        { title: ['NDI', 'NDI'], icon: 'screen', route: 'ndiSettings', permissions: NDI_VIEW },
        { title: ['Notifications', '通知'], icon: 'wireless', route: 'notifications', permissions: 'admin' },
        { ...FIRMWARE_ENTRY, isElsewhere: true },
        { ...LOGS_ENTRY, isElsewhere: true }
      ),
      ...partOf(
        TEXT.security,
        { title: TEXT.network, icon: 'network', route: 'network', permissions: SYSTEM_CONFIG_VIEW },
        { title: ['Certificate', '证书'], icon: 'certificate', route: 'certificate', permissions: SYSTEM_CONFIG_VIEW }
      ),
      ...partOf(
        TEXT.people,
        { title: TEXT.users, icon: 'user', route: 'users', permissions: USER_CONTROL },
        { title: ['Access tokens', '访问令牌'], icon: 'key', route: 'accessTokens', permissions: 'admin' },
        { title: TEXT.profile, icon: 'profile', route: 'profile' }
      ),
      ...partOf(
        TEXT.upkeep,
        { title: ['Backup', '备份'], icon: 'copy', route: 'backup', permissions: 'admin' },
        {
          title: ['Upgrade', '系统升级'],
          icon: 'upgrade',
          route: 'upgrade',
          permissions: SYSTEM_CONFIG_VIEW,
          badge: 'upgrade',
          alarm: true
        },
        {
          title: ['Trash', '回收站'],
          icon: 'delete',
          route: 'trash',
          permissions: CHANNEL_EDIT | INPUT_OUTPUT_EDIT | DEVICE_GROUP_CONTROL
        }
      )
    ]
  }
]

interface ScreenConfig {
  screen: ComponentType
  /** The screen of several routes, which stays when the route changes to another of them. */
  isShared?: boolean
  /** The list that the screen was opened from: target of the back button, and the menu entry that is highlighted. */
  parent?: RouteName
  /** Target of the back button, if it is not the list. Without both there is no back button. */
  back?: string
  /** The breadcrumb, from the place to the page. */
  crumbs?: readonly Translation[]
  /** Permission bits, one of which is required to open the screen, or `admin`. */
  permissions?: Access
}

export interface Route extends ScreenConfig {
  crumbs: readonly Translation[]
}

const back = linkTo('allDevices')
const DEVICE_LIST: ScreenConfig = { screen: DeviceListScreen, isShared: true }

/**
 * All routes except those without the frame. Values that are left out come from the menu entry of the route, or of its
 * list.
 */
export const SCREENS: Readonly<Record<ScreenRoute, ScreenConfig>> = {
  dashboard: { screen: DashboardScreen },
  problems: { screen: ProblemListScreen },
  channels: { screen: ChannelListScreen },
  inputs: { screen: InputListScreen },
  outputs: { screen: OutputListScreen },
  destinations: { screen: DestinationListScreen },
  ndiSources: { screen: NdiSourceScreen },
  channelDetail: { screen: ChannelDetailScreen, parent: 'channels' },
  channelCalendar: {
    screen: ChannelCalendarScreen,
    parent: 'channels',
    crumbs: [TEXT.channels, ['Calendar', '日历']]
  },
  watch: { screen: WatchScreen, parent: 'channels' },
  allDevices: DEVICE_LIST,
  pendingDevices: { ...DEVICE_LIST, back },
  rejectedDevices: { ...DEVICE_LIST, back },
  warningDevices: { ...DEVICE_LIST, back },
  favoriteDevices: { ...DEVICE_LIST, back },
  groupDevices: { ...DEVICE_LIST, back },
  search: { screen: SearchScreen, parent: 'allDevices', back: '', crumbs: [TEXT.search], permissions: SEARCH_ACCESS },
  deviceDetail: { screen: DeviceDetailScreen, parent: 'allDevices', crumbs: [TEXT.devices] },
  ndiRouter: { screen: NdiRouterScreen },
  ndiMatrix: { screen: NdiRouterScreen, parent: 'ndiRouter', back: '' },
  portForward: { screen: PortForwardScreen },
  network: { screen: NetworkScreen },
  firewall: { screen: FirewallScreen, parent: 'network', crumbs: [TEXT.settings, TEXT.network, TEXT.firewall] },
  firmware: { screen: FirmwareScreen },
  general: { screen: GeneralScreen },
  license: { screen: LicenseScreen },
  backup: { screen: BackupScreen },
  importSettings: { screen: ImportScreen, parent: 'backup', crumbs: [TEXT.settings, TEXT.importSettings] },
  certificate: { screen: CertificateScreen },
  ndiSettings: { screen: NdiSettingsScreen },
  notifications: { screen: NotificationScreen },
  upgrade: { screen: UpgradeScreen },
  users: { screen: UserListScreen },
  user: { screen: UserScreen, parent: 'users' },
  userGroup: {
    screen: UserGroupScreen,
    parent: 'users',
    back: linkTo('users', { tab: 'groups' }),
    crumbs: [TEXT.settings, TEXT.users, TEXT.userGroup]
  },
  logs: { screen: LogScreen },
  accessTokens: { screen: AccessTokenScreen },
  trash: { screen: TrashScreen },
  profile: { screen: ProfileScreen },
  // The frame of the settings (settings-frame.tsx) shows the overview.
  settings: { screen: () => null, crumbs: [TEXT.settings] }
}

/** Whether a route has a screen in the frame. */
export const isScreenRoute = (routeName: string): routeName is ScreenRoute => Object.hasOwn(SCREENS, routeName)

/** The screen of a route, completed with the values of its menu entry. */
export function routeTo(routeName: ScreenRoute): Route {
  const screen = SCREENS[routeName]
  const { parent } = screen
  const place = placeOf(parent ?? routeName, MENU)
  const entry = place && entryOf(place, parent ?? routeName)
  const { permissions } = entry ?? {}
  // The place and its first entry may have one name.
  const crumbs = place && entry ? [...new Set([place.title, entry.title])] : []
  return { permissions, crumbs, ...(parent && { back: linkTo(parent) }), ...screen }
}
