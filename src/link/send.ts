// Makes the calls that contract/ declares.
import type { Call, Envelope, ExistingKind } from '../../contract/call.ts'
import { ALREADY_EXISTS } from '../../contract/codes.ts'
import { fetchJson, type SendOptions, transport } from './fetch-json.ts'
import { apiUrl, BACKGROUND_HEADERS, JSON_HEADERS } from './relay.ts'

/** What the calls of a feature create, by the first part of their path. */
const CREATED_BY: Readonly<Record<string, ExistingKind>> = {
  usr: 'user',
  'usr-group': 'group',
  catalog: 'catalog',
  output: 'server'
}

/** Adds what exists to a bare result 41: some hubs do not say it, but the call does. */
function nameExisting(path: string, response: Envelope): Envelope {
  const kind = CREATED_BY[path.split('/')[1] ?? '']
  return response.result === ALREADY_EXISTS && kind ? { exists: kind, ...response } : response
}

/**
 * Whether the console makes a call by itself: it polls, and it subscribes previews again. What the user does is
 * reported besides (`state/session-use.ts`).
 */
const isBackground = ({ method, path }: Call) => method === 'GET' || path.startsWith('/preview/')

/**
 * Makes a call of the hub.
 * @returns the response. With a `result` other than 0 all other fields may be missing. When no response arrived, the
 * result is a code of `failure.ts`. Rejected only when `options.signal` aborts the request.
 */
export async function send<Request extends object, Response>(
  call: Call<Request, Response>,
  request: Request,
  options?: SendOptions
): Promise<Response & Envelope> {
  const isGet = call.method === 'GET'
  const url = apiUrl(call.path, isGet ? request : undefined)
  const headers = options?.isUse || !isBackground(call) ? {} : BACKGROUND_HEADERS
  const init = isGet
    ? { headers }
    : { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(request) }
  return nameExisting(call.path, await fetchJson(url, init, options)) as never
}

/** Makes a GET call whose response is a stream. It has no timeout, and rejects like `fetch`. */
export function openStream<Request extends object>(
  call: Call<Request>,
  request: Request,
  signal: AbortSignal
): Promise<Response> {
  return transport.fetch(apiUrl(call.path, request), { cache: 'no-store', headers: BACKGROUND_HEADERS, signal })
}
