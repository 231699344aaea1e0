// Which room is at which place, what the way there is called, and which menu entry is highlighted. A place without a row does not
// compile.
import type { ComponentType } from 'react'
import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_GROUP_VIEW,
  DEVICE_VIEW,
  FIRMWARE_VIEW,
  INPUT_OUTPUT_VIEW,
  SYSTEM_CONFIG_VIEW,
  USER_CONTROL
} from '../../contract/permissions.ts'
import { link, type Place } from '../paths.ts'
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
import { SearchScreen } from '../screens/search/search.tsx'
import { AccessTokenScreen } from '../screens/token/list.tsx'
import { UserGroupScreen } from '../screens/user/group.tsx'
import { UserListScreen } from '../screens/user/list.tsx'
import type { Pair } from '../text/language.ts'
import { TEXT } from './text.ts'

export interface Route {
  screen: ComponentType
  /** From the menu group down to the page. */
  crumbs: readonly Pair[]
  /** Not there on the cloud variant (false). */
  cloud?: false
  /** Permission bits of which one is needed to come in. */
  scopes?: number
  /** The place whose menu entry is highlighted, when it is another. */
  highlight?: Place
  /** Why one may not come in, where more is to be said than that. */
  deniedWhy?: Pair
  /** The link of 'back'; without it there is no such button. */
  back?: string
}

/** Every place but the login page, which has no frame around it. */
export const ROUTES: Readonly<Record<Exclude<Place, 'login'>, Route>> = {
  dashboard: { screen: DashboardScreen, crumbs: [TEXT.dashboard] },
  channels: { screen: ChannelListScreen, crumbs: [TEXT.streaming, TEXT.channels], scopes: CHANNEL_VIEW },
  allDevices: { screen: AllDevicesScreen, crumbs: [TEXT.devices, TEXT.all], scopes: DEVICE_VIEW },
  pendingDevices: {
    screen: PendingDevicesScreen,
    crumbs: [TEXT.devices, TEXT.pending],
    scopes: DEVICE_ADV_CONTROL,
    back: link('allDevices')
  },
  rejectedDevices: {
    screen: RejectedDevicesScreen,
    crumbs: [TEXT.devices, TEXT.rejected],
    scopes: DEVICE_ADV_CONTROL,
    back: link('allDevices')
  },
  warningDevices: {
    screen: WarningDevicesScreen,
    crumbs: [TEXT.devices, TEXT.warnings],
    scopes: DEVICE_VIEW,
    back: link('allDevices')
  },
  favoriteDevices: {
    screen: FavoriteDevicesScreen,
    crumbs: [TEXT.devices, TEXT.favorites],
    scopes: DEVICE_VIEW,
    back: link('allDevices')
  },
  groupDevices: {
    screen: GroupDevicesScreen,
    crumbs: [TEXT.devices, TEXT.deviceGroups],
    scopes: DEVICE_GROUP_VIEW,
    back: link('allDevices')
  },
  search: {
    screen: SearchScreen,
    crumbs: [TEXT.search],
    scopes: DEVICE_VIEW | INPUT_OUTPUT_VIEW,
    highlight: 'allDevices'
  },
  deviceDetail: {
    screen: DeviceDetailScreen,
    crumbs: [TEXT.devices, TEXT.deviceDetail],
    scopes: DEVICE_VIEW,
    highlight: 'allDevices',
    back: link('allDevices')
  },
  portForward: {
    screen: PortForwardScreen,
    crumbs: [TEXT.devices, TEXT.portForward],
    scopes: DEVICE_ADV_CONTROL
  },
  firmware: { screen: FirmwareScreen, crumbs: [TEXT.settings, TEXT.firmware], scopes: FIRMWARE_VIEW, cloud: false },
  users: {
    screen: UserListScreen,
    crumbs: [TEXT.settings, TEXT.users],
    scopes: USER_CONTROL,
    deniedWhy: TEXT.adminOnly
  },
  userGroup: {
    screen: UserGroupScreen,
    crumbs: [TEXT.settings, TEXT.users, TEXT.userGroup],
    scopes: USER_CONTROL,
    deniedWhy: TEXT.adminOnly,
    highlight: 'users',
    back: link('users', { tab: 'groups' })
  },
  logs: { screen: LogScreen, crumbs: [TEXT.settings, TEXT.logs], scopes: SYSTEM_CONFIG_VIEW },
  accessTokens: {
    screen: AccessTokenScreen,
    crumbs: [TEXT.settings, TEXT.accessTokens],
    scopes: USER_CONTROL,
    deniedWhy: TEXT.adminOnly
  }
}
