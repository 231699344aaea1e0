// The menu of the cloud's pages, and the screen of each route.
import type { ComponentType } from 'react'
import { DEVICE_ADV_CONTROL, DEVICE_VIEW } from '../../contract/access/permissions.ts'
import { entryOf, type Place, placeOf } from '../frame/menu.ts'
import { lazy } from '../ui/lazy/lazy.tsx'
import { HubListScreen } from './hub/list.tsx'
import { HUBS } from './hub/text.ts'
import type { CloudRoute, CloudScreenRoute } from './paths.ts'

const InvitationScreen = lazy(() => import('./hub/invitation.tsx').then((module) => module.InvitationScreen))

/** The menu. Its titles are also the breadcrumbs of the screens. */
export const CLOUD_MENU: readonly Place<CloudRoute>[] = [
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
      { title: ['Invitation', '邀请码'], icon: 'plus', route: 'invitation', permissions: DEVICE_ADV_CONTROL }
    ]
  }
]

/** The screen of each route. Those of one component share it, so that it stays when the route changes. */
export const CLOUD_SCREENS: Readonly<Record<CloudScreenRoute, ComponentType>> = {
  allHubs: HubListScreen,
  pendingHubs: HubListScreen,
  acceptedHubs: HubListScreen,
  rejectedHubs: HubListScreen,
  invitation: InvitationScreen
}

/** The breadcrumb of a route, and who may open it. */
export function describeRoute(route: CloudScreenRoute) {
  const place = placeOf(route, CLOUD_MENU)
  const entry = place && entryOf(place, route)
  return {
    crumbs: place && entry ? [...new Set([place.title, entry.title])] : [],
    permissions: entry?.permissions
  }
}
