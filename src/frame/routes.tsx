// Which room is at which place, what the way there is called, and which menu entry is highlighted. A place without a row does not
// compile.
import type { ComponentType } from 'react'
import { CHANNEL_VIEW, DEVICE_VIEW, INPUT_OUTPUT_VIEW, USER_CONTROL } from '../../contract/permissions.ts'
import { link, type Place } from '../paths.ts'
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
import { SearchScreen } from '../screens/search/search.tsx'
import { InputListScreen, OutputListScreen } from '../screens/source/list.tsx'
import { AccessTokenScreen } from '../screens/token/list.tsx'
import { UpgradeScreen } from '../screens/upgrade/upgrade.tsx'
import { UserGroupScreen } from '../screens/user/group.tsx'
import { UserListScreen } from '../screens/user/list.tsx'
import type { Pair } from '../text/language.ts'
import { wayTo } from './menu.ts'
import { TEXT } from './text.ts'

interface Room {
  screen: ComponentType
  /** The link of 'back'; without it there is no such button. */
  back?: string
  /** From the menu group down to the page. */
  crumbs?: readonly Pair[]
  /** Permission bits of which one is needed to come in. */
  scopes?: number
  /** The place whose menu entry is highlighted, when it is another. */
  highlight?: Place
}

export interface Route extends Room {
  crumbs: readonly Pair[]
  /** Not there on the cloud variant (false), or only there (true). */
  cloud?: boolean
}

const back = link('allDevices')

/** Every place but the login page, which has no frame around it. What is not said here is what the place's menu entry says. */
export const ROOMS: Readonly<Record<Exclude<Place, 'login'>, Room>> = {
  dashboard: { screen: DashboardScreen },
  channels: { screen: ChannelListScreen },
  inputs: { screen: InputListScreen },
  outputs: { screen: OutputListScreen },
  channelDetail: {
    screen: ChannelDetailScreen,
    back: link('channels'),
    crumbs: [TEXT.streaming, TEXT.channels],
    scopes: CHANNEL_VIEW,
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
    scopes: DEVICE_VIEW | INPUT_OUTPUT_VIEW,
    highlight: 'allDevices'
  },
  deviceDetail: {
    screen: DeviceDetailScreen,
    back,
    crumbs: [TEXT.devices],
    scopes: DEVICE_VIEW,
    highlight: 'allDevices'
  },
  portForward: { screen: PortForwardScreen },
  firmware: { screen: FirmwareScreen },
  upgrade: { screen: UpgradeScreen },
  users: { screen: UserListScreen },
  userGroup: {
    screen: UserGroupScreen,
    back: link('users', { tab: 'groups' }),
    crumbs: [TEXT.settings, TEXT.users, TEXT.userGroup],
    scopes: USER_CONTROL,
    highlight: 'users'
  },
  logs: { screen: LogScreen },
  accessTokens: { screen: AccessTokenScreen }
}

/** The route to a place. */
export function routeTo(place: Exclude<Place, 'login'>): Route {
  const way = wayTo(place)
  const { scopes, cloud } = way.at(-1) ?? {}
  return { scopes, cloud, crumbs: way.map(({ title }) => title), ...ROOMS[place] }
}
