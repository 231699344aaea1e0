// Addresses, and what the relay changes in them: in the cloud variant the hub's own calls go through it (reference 1.3).
import { CLIENT_ID } from '../../contract/relay.ts'
import { door } from './fetch-json.ts'

const RELAY = '/socket'

export const JSON_HEADERS = { 'content-type': 'application/json;charset=utf-8' }

/** A path with a query of those values that are there. */
export function withQuery(path: string, values: object): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return `${path}${present.length ? `?${new URLSearchParams(present)}` : ''}`
}

/** The URL of a call of the hub, given its path below `/api`. */
export function address(path: string, query: object = {}): string {
  return (
    door.base +
    (door.hub ? withQuery(`${RELAY}/api${path}`, { ...query, [CLIENT_ID]: door.hub }) : withQuery(`/api${path}`, query))
  )
}

/** The absolute URL of the change feed. */
export function feedAddress(): string {
  const url = door.hub ? door.base + withQuery(`${RELAY}/sub_socket`, { [CLIENT_ID]: door.hub }) : address('/socket')
  return new URL(url, location.href).href.replace(/^http/, 'ws')
}
