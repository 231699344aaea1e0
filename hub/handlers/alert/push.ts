// Handlers of browsers that get notifications.
import {
  listPushBrowsers,
  loadPushWorker,
  PUSH_BROWSERS_MAX,
  subscribeBrowser,
  unsubscribeBrowser
} from '../../../contract/alert/push.ts'
import { NOT_EXIST, TOO_MANY } from '../../../contract/codes.ts'
import { browserText } from '../../../web-server/browsers.ts'
import { PushKeys } from '../../alerts/senders/push.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'

/**
 * The service worker. It shows messages of the hub, and opens the console when the user selects one. The browser runs
 * it also while no page is open.
 */
const WORKER = `addEventListener('push', (event) => {
  const { title, ...options } = event.data.json()
  event.waitUntil(registration.showNotification(title, options))
})
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(clients.openWindow('/'))
})
`

export function pushHandlers({ store }: { store: Store }): Handler[] {
  const { pushBrowsers } = store
  const keys = new PushKeys(store)
  const announce = (context: Context) => context.afterCommit(() => store.changes.markChanged('alert'))
  return [
    handle(listPushBrowsers, ({ language }) => {
      const list = pushBrowsers
        .all()
        .map(({ id, user, agent, created }) => ({ id, user, browser: browserText(language, agent), created }))
      const key = keys.read()?.publicKey
      return { ...(key && { key }), list }
    }),
    handleChange(subscribeBrowser, (context, subscription) => {
      const { user } = requireCaller(context)
      context.detail = browserText('en', context.userAgent)
      if (pushBrowsers.count() >= PUSH_BROWSERS_MAX && !pushBrowsers.has(subscription))
        throw new CallError(TOO_MANY, { max: PUSH_BROWSERS_MAX })
      const id = pushBrowsers.put(user.id, context.userAgent, subscription, Date.now())
      announce(context)
      return { id }
    }),
    handleChange(unsubscribeBrowser, (context, { id }) => {
      if (id === undefined) pushBrowsers.removeOfUser(requireCaller(context).user.id)
      else if (!pushBrowsers.remove(id)) throw new CallError(NOT_EXIST)
      announce(context)
      return {}
    }),
    handle(
      loadPushWorker,
      () =>
        new Response(WORKER, {
          headers: {
            'content-type': 'text/javascript;charset=utf-8',
            // Its scope is the whole console, not only the folder of the call.
            'service-worker-allowed': '/',
            'cache-control': 'no-cache'
          }
        })
    )
  ]
}
