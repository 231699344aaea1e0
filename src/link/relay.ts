// Addresses, and what the relay changes in them: in the cloud variant the hub's own calls go through it, and in both variants
// the calls to a device do (reference 1.3).
import type { Envelope } from '../../contract/call.ts'
import { CLIENT_ID, type RELAYED } from '../../contract/relay.ts'
import { door, exchange, type SendOptions } from './exchange.ts'
import { NO_RESPONSE, REQUEST_TIMED_OUT } from './failure.ts'

const RELAY = '/socket'

export const JSON_HEADERS = { 'content-type': 'application/json;charset=utf-8' }

/** A path with a query of those values that are there. */
function withQuery(path: string, values: object): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return `${door.base}${path}${present.length ? `?${new URLSearchParams(present)}` : ''}`
}

/** The URL of a call of the hub, given its path below `/api`. */
export function address(path: string, query: object = {}): string {
  return door.hub
    ? withQuery(`${RELAY}/api${path}`, { ...query, [CLIENT_ID]: door.hub })
    : withQuery(`/api${path}`, query)
}

/** The absolute URL of the change feed. */
export function feedAddress(): string {
  const url = door.hub ? withQuery(`${RELAY}/sub_socket`, { [CLIENT_ID]: door.hub }) : address('/socket')
  return new URL(url, location.href).href.replace(/^http/, 'ws')
}

/**
 * Makes a call of a device: by GET with `method` for usapi and mwapi, by POST below `/api` for the newer ones.
 * @returns the device's answer with its code in `result`, wherever the family has it; `NO_RESPONSE` for an answer without one
 */
export async function relay<Reply = object>(
  sn: string,
  prefix: keyof typeof RELAYED,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  options?: SendOptions
): Promise<Reply & Envelope> {
  const to = { [CLIENT_ID]: sn }
  const [url, init] =
    prefix === 'api'
      ? [
          withQuery(`${RELAY}/api${method}`, to),
          { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(params) }
        ]
      : [withQuery(`${RELAY}/${prefix}`, { method, ...params, ...to }), {}]
  const codeOf = (fields: Record<string, unknown>) =>
    prefix === 'usapi' ? fields.result : (fields.status ?? fields.result)
  const answer = await exchange(url, init, options, codeOf, NO_RESPONSE)
  // When time ran out it was the device's: the hub itself would have answered.
  const result = answer.result === REQUEST_TIMED_OUT ? NO_RESPONSE : answer.result
  return { ...answer, result, api: prefix } as never
}
