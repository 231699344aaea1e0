// Makes the calls that contract/ declares.
import type { Call, Envelope } from '../../contract/call.ts'
import { door, exchange, type SendOptions } from './fetch-json.ts'
import { address, JSON_HEADERS } from './relay.ts'

/**
 * Makes a call of the hub.
 * @returns the answer; with a `result` other than 0 expect nothing else in it. Where no answer came the result is one of `failure.ts`,
 * so nothing but the end of `options.signal` rejects.
 */
export async function send<Request extends object, Reply>(
  call: Call<Request, Reply>,
  request: Request,
  options?: SendOptions
): Promise<Reply & Envelope> {
  const get = call.method === 'GET'
  const url = address(call.path, get ? request : undefined)
  const init = get ? {} : { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(request) }
  return (await exchange(url, init, options)) as never
}

/** Makes a GET call whose answer is a stream. It has no time limit, and fails as `fetch` does. */
export function openStream<Request extends object>(
  call: Call<Request>,
  request: Request,
  signal: AbortSignal
): Promise<Response> {
  return door.fetch(address(call.path, request), { cache: 'no-store', signal })
}
