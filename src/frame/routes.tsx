// The screen of each route, with its breadcrumb and its highlighted menu entry. A route without a screen does not
// compile.
import type { ComponentType } from 'react'
import { CHANNEL_VIEW, DEVICE_VIEW, INPUT_OUTPUT_VIEW, USER_CONTROL } from '../../contract/access/permissions.ts'
import { linkTo, type RouteName } from '../paths.ts'
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
import { DeviceDetailScreen } from '../screens/device-detail/detail.tsx'
import { FirmwareScreen } from '../screens/firmware/firmware.tsx'
import { LogScreen } from '../screens/log/list.tsx'
import { PortForwardScreen } from '../screens/port-forward/list.tsx'
import { ProfileScreen } from '../screens/profile/profile.tsx'
import { SearchScreen } from '../screens/search/search.tsx'
import { InputListScreen, OutputListScreen } from '../screens/source/list.tsx'
import { AccessTokenScreen } from '../screens/token/list.tsx'
import { UpgradeScreen } from '../screens/upgrade/upgrade.tsx'
import { UserGroupScreen } from '../screens/user/group.tsx'
import { UserListScreen } from '../screens/user/list.tsx'
import type { Translation } from '../text/language.ts'
import { menuPath } from './menu.ts'
import { TEXT } from './text.ts'

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
 * All routes except the login page, which has no frame. Values that are left out come from the menu entry of the route.
 */
export const SCREENS: Readonly<Record<Exclude<RouteName, 'login'>, ScreenConfig>> = {
  dashboard: { screen: DashboardScreen },
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
  allDevices: { screen: AllDevicesScreen },
  pendingDevices: { screen: PendingDevicesScreen, back },
  rejectedDevices: { screen: RejectedDevicesScreen, back },
  warningDevices: { screen: WarningDevicesScreen, back },
  favoriteDevices: { screen: FavoriteDevicesScreen, back },
  groupDevices: { screen: GroupDevicesScreen, back },
  search: {
    screen: SearchScreen,
    crumbs: [TEXT.search],
    permissions: DEVICE_VIEW | INPUT_OUTPUT_VIEW,
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
  upgrade: { screen: UpgradeScreen },
  users: { screen: UserListScreen },
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
export function routeTo(routeName: Exclude<RouteName, 'login'>): Route {
  const menuEntries = menuPath(routeName)
  const { permissions, cloud } = menuEntries.at(-1) ?? {}
  return { permissions, cloud, crumbs: menuEntries.map(({ title }) => title), ...SCREENS[routeName] }
}
