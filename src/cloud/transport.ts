// How the pages reach the cloud. They share stores and components with the console of a hub, which has more calls.
import { CLOUD_CALLS } from '../../contract/cloud/calls.ts'

/** Paths of the calls of the cloud, below `/api`. What needs another call is not shown. */
export const CLOUD_PATHS: ReadonlySet<string> = new Set(CLOUD_CALLS.map(({ path }) => path))

/** Sends a request, except that of a call that the cloud does not have: it would be polled. */
export const fetchFromCloud: typeof fetch = (input, init) =>
  CLOUD_PATHS.has(new URL(String(input), location.href).pathname.replace(/^\/api/, ''))
    ? fetch(input, init)
    : Promise.resolve(new Response(null, { status: 404 }))

/** A socket that closes at once, because the cloud has no change feed: revisions are polled instead. */
export function closedSocket(): WebSocket {
  const socket = { readyState: WebSocket.CLOSED, close() {} } as unknown as WebSocket
  queueMicrotask(() => socket.onclose?.(new CloseEvent('close')))
  return socket
}
