// The menu of the cloud's pages, and the screen of each route.
import type { ComponentType } from 'react'
import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_GROUP_VIEW,
  DEVICE_VIEW,
  SYSTEM_CONFIG_VIEW,
  USER_CONTROL
} from '../../contract/access/permissions.ts'
import { entryOf, type Place, placeOf } from '../frame/menu.ts'
import * as FRAME_TEXT from '../frame/text.ts'
import * as PROBLEM_TEXT from '../parts/problem/text.ts'
import { lazy } from '../ui/lazy/lazy.tsx'
import { CHANNELS } from './channel/text.ts'
import { HubListScreen } from './hub/list.tsx'
import { HUB_GROUPS, HUBS } from './hub/text.ts'
import { OverviewScreen } from './overview/overview.tsx'
import { OVERVIEW } from './overview/text.ts'
import { type CloudRoute, type CloudScreenRoute, cloudLink } from './paths.ts'
import { SEARCH } from './search/text.ts'
import { UPDATES } from './update/title.ts'

// Screens of the later script. Those outside of this folder are the screens of a hub.
const ProblemListScreen = lazy(() => import('./problem/list.tsx').then((module) => module.ProblemListScreen))
const ChannelListScreen = lazy(() => import('./channel/list.tsx').then((module) => module.ChannelListScreen))
const SearchScreen = lazy(() => import('./search/search.tsx').then((module) => module.SearchScreen))
const InvitationScreen = lazy(() => import('./hub/invitation.tsx').then((module) => module.InvitationScreen))
const UpdateListScreen = lazy(() => import('./update/list.tsx').then((module) => module.UpdateListScreen))
const UpdateScreen = lazy(() => import('./update/detail.tsx').then((module) => module.UpdateScreen))
const HubGroups = lazy(() => import('./hub/groups.tsx').then((module) => module.HubGroups))
const AccessTokenScreen = lazy(() => import('../screens/token/list.tsx').then((module) => module.AccessTokenScreen))
const LogScreen = lazy(() => import('../screens/log/list.tsx').then((module) => module.LogScreen))
const UserListScreen = lazy(() => import('../screens/user/list.tsx').then((module) => module.UserListScreen))
const UserScreen = lazy(() => import('../screens/user/detail.tsx').then((module) => module.UserScreen))
const UserGroupScreen = lazy(() => import('../screens/user/group.tsx').then((module) => module.UserGroupScreen))
const ProfileScreen = lazy(() => import('../screens/profile/profile.tsx').then((module) => module.ProfileScreen))

/** The menu. Its titles are also the breadcrumbs of the screens. */
export const CLOUD_MENU: readonly Place<CloudRoute>[] = [
  {
    title: OVERVIEW,
    icon: 'dashboard',
    entries: [
      { title: OVERVIEW, icon: 'dashboard', route: 'overview', permissions: DEVICE_VIEW },
      {
        title: PROBLEM_TEXT.title,
        icon: 'warning',
        route: 'problems',
        permissions: DEVICE_VIEW,
        badge: 'problems',
        alarm: true
      },
      { title: CHANNELS, icon: 'channels', route: 'channels', permissions: CHANNEL_VIEW },
      { title: SEARCH, icon: 'search', route: 'search', permissions: DEVICE_VIEW }
    ]
  },
  {
    title: HUBS,
    icon: 'hub',
    home: 'allHubs',
    entries: [
      {
        title: ['Pending approval', '待审批'],
        icon: 'pending',
        route: 'pendingHubs',
        permissions: DEVICE_ADV_CONTROL,
        badge: 'pending'
      },
      { title: ['Accepted', '已接受'], icon: 'check', route: 'acceptedHubs', permissions: DEVICE_VIEW },
      { title: ['Rejected', '已拒绝'], icon: 'reject', route: 'rejectedHubs', permissions: DEVICE_ADV_CONTROL },
      { title: ['All', '全部'], icon: 'grid', route: 'allHubs', permissions: DEVICE_VIEW },
      {
        title: ['Warnings', '告警'],
        icon: 'warning',
        route: 'warningHubs',
        permissions: DEVICE_VIEW,
        badge: 'warnings',
        alarm: true
      },
      { title: ['Favorites', '收藏'], icon: 'star', route: 'favoriteHubs', permissions: DEVICE_VIEW },
      { title: HUB_GROUPS, icon: 'group', route: 'groupHubs', permissions: DEVICE_GROUP_VIEW, tree: HubGroups },
      { title: UPDATES, icon: 'upgrade', route: 'updates', permissions: SYSTEM_CONFIG_VIEW },
      { title: ['Invitation', '邀请码'], icon: 'plus', route: 'invitation', permissions: DEVICE_ADV_CONTROL }
    ]
  },
  {
    title: FRAME_TEXT.settings,
    icon: 'settings',
    entries: [
      { title: FRAME_TEXT.users, icon: 'user', route: 'users', permissions: USER_CONTROL },
      { title: ['Access tokens', '访问令牌'], icon: 'key', route: 'accessTokens', permissions: 'admin' },
      { title: FRAME_TEXT.logs, icon: 'list', route: 'logs', permissions: SYSTEM_CONFIG_VIEW },
      { title: FRAME_TEXT.profile, icon: 'profile', route: 'profile' }
    ]
  }
]

/** The screen of each route. Those of one component share it, so that it stays when the route changes. */
export const CLOUD_SCREENS: Readonly<Record<CloudScreenRoute, ComponentType>> = {
  overview: OverviewScreen,
  problems: ProblemListScreen,
  channels: ChannelListScreen,
  search: SearchScreen,
  allHubs: HubListScreen,
  pendingHubs: HubListScreen,
  acceptedHubs: HubListScreen,
  rejectedHubs: HubListScreen,
  warningHubs: HubListScreen,
  favoriteHubs: HubListScreen,
  groupHubs: HubListScreen,
  invitation: InvitationScreen,
  updates: UpdateListScreen,
  update: UpdateScreen,
  logs: LogScreen,
  users: UserListScreen,
  user: UserScreen,
  userGroup: UserGroupScreen,
  accessTokens: AccessTokenScreen,
  profile: ProfileScreen
}

/** The lists that pages without an entry of their own belong to. */
const PARENTS: Partial<Record<CloudRoute, CloudRoute>> = { user: 'users', userGroup: 'users', update: 'updates' }

/** The route whose entry is highlighted on a page. */
export const menuRouteOf = (route: CloudRoute): CloudRoute => PARENTS[route] ?? route

/** The breadcrumb of a route, the link of its back button, and the permissions that it requires. */
export function describeRoute(route: CloudScreenRoute) {
  const parent = PARENTS[route]
  const place = placeOf(menuRouteOf(route), CLOUD_MENU)
  const entry = place && entryOf(place, menuRouteOf(route))
  const crumbs = place && entry ? [...new Set([place.title, entry.title])] : []
  return {
    crumbs: route === 'userGroup' ? [...crumbs, FRAME_TEXT.userGroup] : crumbs,
    permissions: entry?.permissions,
    back: parent && cloudLink(parent, route === 'userGroup' ? { tab: 'groups' } : {})
  }
}
