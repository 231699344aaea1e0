// Makes the calls that contract/ declares.
import type { Call, Envelope } from '../../contract/call.ts'
import { fetchJson, type SendOptions, transport } from './fetch-json.ts'
import { apiUrl, JSON_HEADERS } from './relay.ts'

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
  const init = isGet ? {} : { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(request) }
  return (await fetchJson(url, init, options)) as never
}

/** Makes a GET call whose response is a stream. It has no timeout, and rejects like `fetch`. */
export function openStream<Request extends object>(
  call: Call<Request>,
  request: Request,
  signal: AbortSignal
): Promise<Response> {
  return transport.fetch(apiUrl(call.path, request), { cache: 'no-store', signal })
}
