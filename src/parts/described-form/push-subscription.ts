// The subscription of this browser at its push service, for messages of the hub.

/**
 * @param key public key of the hub
 * @param worker path of the service worker
 * @returns null where the browser does not allow it: without HTTPS, or without the user's permission
 */
export async function subscribeToPush(key: string, worker: string): Promise<object | null> {
  try {
    // Undefined over plain HTTP.
    const { serviceWorker } = navigator
    await serviceWorker.register(worker, { scope: '/' })
    const { pushManager } = await serviceWorker.ready
    // The browser refuses another key while it has a subscription.
    await (await pushManager.getSubscription())?.unsubscribe()
    return (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON()
  } catch {
    return null
  }
}
