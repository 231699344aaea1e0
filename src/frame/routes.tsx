// The screen of each route, with its breadcrumb and its highlighted menu entry. A route without a screen does not
// compile.
import type { ComponentType } from 'react'
import { CHANNEL_VIEW, DEVICE_VIEW, USER_CONTROL } from '../../contract/access/permissions.ts'
import { linkTo, type RouteName, type ScreenRoute } from '../paths.ts'
import { ChannelDetailScreen } from '../screens/channel/detail.tsx'
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
const InputListScreen = lazy(() => import('../screens/source/list.tsx').then((module) => module.InputListScreen))
const OutputListScreen = lazy(() => import('../screens/source/list.tsx').then((module) => module.OutputListScreen))
const ProblemListScreen = lazy(() => import('../screens/problem/list.tsx').then((module) => module.ProblemListScreen))
const SearchScreen = lazy(() => import('../screens/search/search.tsx').then((module) => module.SearchScreen))
const DeviceDetailScreen = lazy(() =>
  import('../screens/device-detail/detail.tsx').then((module) => module.DeviceDetailScreen)
)
const PortForwardScreen = lazy(() =>
  import('../screens/port-forward/list.tsx').then((module) => module.PortForwardScreen)
)
const LicenseScreen = lazy(() => import('../screens/license/license.tsx').then((module) => module.LicenseScreen))
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
  /** Target of the back button. Without it there is no back button. */
  back?: string
  /** The breadcrumb, from the menu group to the page. */
  crumbs?: readonly Translation[]
  /** Permission bits, one of which is required to open the screen. */
  permissions?: number
  /** The route whose menu entry is highlighted, if it is not the screen's own. */
  highlight?: RouteName
}

export interface Route extends ScreenConfig {
  crumbs: readonly Translation[]
  /** Available only on the cloud variant (true), or never on it (false). */
  cloud?: boolean
}

const back = linkTo('allDevices')

/**
 * All routes except those without the frame. Values that are left out come from the menu entry of the route.
 */
export const SCREENS: Readonly<Record<ScreenRoute, ScreenConfig>> = {
  dashboard: { screen: DashboardScreen },
  problems: { screen: ProblemListScreen },
  channels: { screen: ChannelListScreen },
  inputs: { screen: InputListScreen },
  outputs: { screen: OutputListScreen },
  channelDetail: {
    screen: ChannelDetailScreen,
    back: linkTo('channels'),
    crumbs: [TEXT.streaming, TEXT.channels],
    permissions: CHANNEL_VIEW,
    highlight: 'channels'
  },
  watch: {
    screen: WatchScreen,
    back: linkTo('channels'),
    crumbs: [TEXT.streaming, TEXT.channels],
    permissions: CHANNEL_VIEW,
    highlight: 'channels'
  },
  allDevices: { screen: AllDevicesScreen },
  pendingDevices: { screen: PendingDevicesScreen, back },
  rejectedDevices: { screen: RejectedDevicesScreen, back },
  warningDevices: { screen: WarningDevicesScreen, back },
  favoriteDevices: { screen: FavoriteDevicesScreen, back },
  groupDevices: { screen: GroupDevicesScreen, back },
  search: {
    screen: SearchScreen,
    crumbs: [TEXT.search],
    permissions: SEARCH_ACCESS,
    highlight: 'allDevices'
  },
  deviceDetail: {
    screen: DeviceDetailScreen,
    back,
    crumbs: [TEXT.devices],
    permissions: DEVICE_VIEW,
    highlight: 'allDevices'
  },
  portForward: { screen: PortForwardScreen },
  firmware: { screen: FirmwareScreen },
  license: { screen: LicenseScreen },
  upgrade: { screen: UpgradeScreen },
  users: { screen: UserListScreen },
  user: {
    screen: UserScreen,
    back: linkTo('users'),
    crumbs: [TEXT.settings, TEXT.users],
    permissions: USER_CONTROL,
    highlight: 'users'
  },
  userGroup: {
    screen: UserGroupScreen,
    back: linkTo('users', { tab: 'groups' }),
    crumbs: [TEXT.settings, TEXT.users, TEXT.userGroup],
    permissions: USER_CONTROL,
    highlight: 'users'
  },
  logs: { screen: LogScreen },
  accessTokens: { screen: AccessTokenScreen },
  profile: { screen: ProfileScreen, crumbs: [TEXT.profile] }
}

/** The screen of a route, completed with the values of its menu entry. */
export function routeTo(routeName: ScreenRoute): Route {
  const menuEntries = menuPath(routeName)
  const { permissions, cloud } = menuEntries.at(-1) ?? {}
  return { permissions, cloud, crumbs: menuEntries.map(({ title }) => title), ...SCREENS[routeName] }
}
