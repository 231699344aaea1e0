// The screen of each route, with its breadcrumb and its highlighted menu entry. A route without a screen does not
// compile.
import type { ComponentType } from 'react'
import type { Access } from '../../contract/call.ts'
import { linkTo, type RouteName, type ScreenRoute } from '../paths.ts'
import { ChannelListScreen } from '../screens/channel/list.tsx'
import { DashboardScreen } from '../screens/dashboard/dashboard.tsx'
import {
  AllDevicesScreen,
  FavoriteDevicesScreen,
  GroupDevicesScreen,
  PendingDevicesScreen,
  RejectedDevicesScreen,
  WarningDevicesScreen
} from '../screens/device/list.tsx'
import type { Translation } from '../text/language.ts'
import { lazy } from '../ui/lazy/lazy.tsx'
import { SEARCH_ACCESS } from './header-search.tsx'
import { menuPath } from './menu.ts'
import { TEXT } from './text.ts'

// Screens of the later script: what few users need at once.
const ChannelDetailScreen = lazy(() =>
  import('../screens/channel/detail.tsx').then((module) => module.ChannelDetailScreen)
)
const InputListScreen = lazy(() => import('../screens/source/list.tsx').then((module) => module.InputListScreen))
const OutputListScreen = lazy(() => import('../screens/source/list.tsx').then((module) => module.OutputListScreen))
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
const NetworkScreen = lazy(() => import('../screens/network/network.tsx').then((module) => module.NetworkScreen))
const FirewallScreen = lazy(() => import('../screens/firewall/firewall.tsx').then((module) => module.FirewallScreen))
const FirmwareScreen = lazy(() => import('../screens/firmware/firmware.tsx').then((module) => module.FirmwareScreen))
const UpgradeScreen = lazy(() => import('../screens/upgrade/upgrade.tsx').then((module) => module.UpgradeScreen))
const UserListScreen = lazy(() => import('../screens/user/list.tsx').then((module) => module.UserListScreen))
const UserScreen = lazy(() => import('../screens/user/detail.tsx').then((module) => module.UserScreen))
const UserGroupScreen = lazy(() => import('../screens/user/group.tsx').then((module) => module.UserGroupScreen))
const LogScreen = lazy(() => import('../screens/log/list.tsx').then((module) => module.LogScreen))
const AccessTokenScreen = lazy(() => import('../screens/token/list.tsx').then((module) => module.AccessTokenScreen))
const WatchScreen = lazy(() => import('../screens/watch/watch.tsx').then((module) => module.WatchScreen))
const ProfileScreen = lazy(() => import('../screens/profile/profile.tsx').then((module) => module.ProfileScreen))

interface ScreenConfig {
  screen: ComponentType
  /** The list that the screen was opened from: target of the back button, and the menu entry that is highlighted. */
  parent?: RouteName
  /** Target of the back button, if it is not the list. Without both there is no back button. */
  back?: string
  /** The breadcrumb, from the menu group to the page. */
  crumbs?: readonly Translation[]
  /** Permission bits, one of which is required to open the screen, or `admin`. */
  permissions?: Access
}

export interface Route extends ScreenConfig {
  crumbs: readonly Translation[]
  /** Available only on the cloud variant (true), or never on it (false). */
  cloud?: boolean
}

const back = linkTo('allDevices')

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
  ndiSources: { screen: NdiSourceScreen },
  channelDetail: { screen: ChannelDetailScreen, parent: 'channels' },
  watch: { screen: WatchScreen, parent: 'channels' },
  allDevices: { screen: AllDevicesScreen },
  pendingDevices: { screen: PendingDevicesScreen, back },
  rejectedDevices: { screen: RejectedDevicesScreen, back },
  warningDevices: { screen: WarningDevicesScreen, back },
  favoriteDevices: { screen: FavoriteDevicesScreen, back },
  groupDevices: { screen: GroupDevicesScreen, back },
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
  profile: { screen: ProfileScreen }
}

/** Whether a route has a screen in the frame. */
export const isScreenRoute = (routeName: string): routeName is ScreenRoute => Object.hasOwn(SCREENS, routeName)

/** The screen of a route, completed with the values of its menu entry. */
export function routeTo(routeName: ScreenRoute): Route {
  const screen = SCREENS[routeName]
  const { parent } = screen
  const menuEntries = menuPath(parent ?? routeName)
  const { permissions, cloud } = menuEntries.at(-1) ?? {}
  const crumbs = menuEntries.map(({ title }) => title)
  return { permissions, cloud, crumbs, ...(parent && { back: linkTo(parent) }), ...screen }
}
