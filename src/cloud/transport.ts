// How the pages reach the cloud. They share stores and components with the console of a hub, which has more calls.
import { atom } from 'nanostores'
import { CLOUD_CALLS, STALE_HEADER } from '../../contract/cloud/calls.ts'

/** Paths of the calls of the cloud, below `/api`. What needs another call is not shown. */
export const CLOUD_PATHS: ReadonlySet<string> = new Set(CLOUD_CALLS.map(({ path }) => path))

/** The time of what is shown while the database of the cloud does not answer; 0: it answers. */
export const $staleSince = atom(0)

/** Sends a request, except that of a call that the cloud does not have: it would be polled. */
export const fetchFromCloud: typeof fetch = async (input, init) => {
  if (!CLOUD_PATHS.has(new URL(String(input), location.href).pathname.replace(/^\/api/, '')))
    return new Response(null, { status: 404 })
  const response = await fetch(input, init)
  $staleSince.set(Number(response.headers.get(STALE_HEADER)))
  return response
}
