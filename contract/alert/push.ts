// Messages of notifications to browsers (RFC 8030, Push API). Each browser is subscribed by a user of the group Admin.
import { declareCall } from '../call.ts'

export type { PushBrowser, PushConfig, PushSubscription } from './push.schema.ts'

/** Maximum number of subscribed browsers of a hub. */
export const PUSH_BROWSERS_MAX = 50

export const listPushBrowsers = declareCall('GET /alert/push/list', 'admin')

export const subscribeBrowser = declareCall('POST /alert/push/subscribe', 'admin')

export const unsubscribeBrowser = declareCall('POST /alert/push/unsubscribe', 'admin')

/** The service worker, which shows messages while no page of the console is open. */
export const loadPushWorker = declareCall('GET /alert/push/worker', 'session')
